import { SwapOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { useMayLeave } from '../form/dirty.tsx';

/** Says at every screen that somebody works here as another user, with the way back to himself. */
export function ActingBanner() {
  const { t } = useTranslation();
  const { user, impersonator, returnToSelf } = useSession();
  const navigate = useNavigate();
  const mayLeave = useMayLeave();
  if (!impersonator) return null;

  async function goBack() {
    if (!(await mayLeave())) return;
    await returnToSelf();
    await navigate('/system/user_list');
  }

  return (
    <aside className="lc-acting" aria-label={t('common.shell.acting_title')}>
      <span>
        <SwapOutlined aria-hidden /> {t('common.shell.acting', { account: user?.account ?? '', impersonator: impersonator.account })}
      </span>
      <Button size="small" onClick={() => void goBack()}>
        {t('common.shell.return_to_self')}
      </Button>
    </aside>
  );
}
