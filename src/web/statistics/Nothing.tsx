import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Allowed } from '../kit/calls/session.tsx';
import { Empty } from '../kit/feedback.ts';

/** For a user without codes: what this screen will show, and the way to the first code. */
export function NewUser() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <section className="lc-panel">
      <Empty
        picture="chart"
        title="today_statistics.new_user.title"
        help="today_statistics.new_user.help"
        action={
          <Allowed node="qr_code_list.add">
            <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/customer/set_qr_code')}>
              {t('today_statistics.new_user.add')}
            </Button>
          </Allowed>
        }
      />
    </section>
  );
}

/** For a day without visits, of all codes or of the chosen ones. */
export function Quiet({ isFiltered, showAll }: { isFiltered: boolean; showAll: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const openList = (
    <Allowed node="qr_code_list">
      <Button onClick={() => void navigate('/customer/qr_code_list')}>{t('today_statistics.quiet.codes')}</Button>
    </Allowed>
  );
  return (
    <section className="lc-panel">
      <Empty
        picture="chart"
        title={isFiltered ? 'today_statistics.quiet.filtered' : 'today_statistics.quiet.title'}
        help={isFiltered ? 'today_statistics.quiet.filtered_help' : 'today_statistics.quiet.help'}
        action={isFiltered ? <Button onClick={showAll}>{t('today_statistics.quiet.all')}</Button> : openList}
      />
    </section>
  );
}
