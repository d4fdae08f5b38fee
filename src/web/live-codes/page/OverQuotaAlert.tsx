import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { useSession } from '../../kit/calls/session.tsx';

/** Why the code cannot be changed, and where its owner chooses another to be without. */
export function OverQuotaAlert({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const { allows, mayChange } = useSession();
  if (!code.over_quota) return null;
  return (
    <Alert
      className="lc-code-alert"
      type="warning"
      showIcon
      title={t('qr_code_list.over_quota')}
      description={
        <>
          {t('qr_code_list.over_quota_help')}{' '}
          {mayChange(code) && allows('buy_vip_combo') && (
            <Link to="/customer/buy_vip_combo?act=keep&id=1">{t('qr_code_list.over_quota_choose')}</Link>
          )}
        </>
      }
    />
  );
}
