import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCodesScreen } from '../../kit/codes/codesScreen.ts';
import { Empty } from '../../kit/feedback.ts';

/** For a day without visits, of all codes or of the chosen ones. */
export function Quiet({ isFiltered, showAll }: { isFiltered: boolean; showAll: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const screen = useCodesScreen();
  const openList = screen && <Button onClick={() => void navigate(`/customer/${screen}`)}>{t('today_statistics.quiet.codes')}</Button>;
  return (
    <section className="lc-panel">
      <Empty
        picture="visits"
        title={isFiltered ? 'today_statistics.quiet.filtered' : 'today_statistics.quiet.title'}
        help={isFiltered ? 'today_statistics.quiet.filtered_help' : 'today_statistics.quiet.help'}
        action={isFiltered ? <Button onClick={showAll}>{t('today_statistics.quiet.all')}</Button> : openList}
      />
    </section>
  );
}
