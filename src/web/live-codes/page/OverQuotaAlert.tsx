import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { OverQuotaLinks } from '../../kit/LockedFigures.tsx';

/** Why the code cannot be changed and tells no figures, and where its owner chooses another to be without. */
export function OverQuotaAlert({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const { mayChange } = useSession();
  if (!code.over_quota) return null;
  return (
    <Alert
      className="lc-code-alert"
      type="warning"
      showIcon
      title={t('qr_code_list.over_quota')}
      description={
        <>
          {t('qr_code_list.over_quota_help', code.over_quota)} {mayChange(code) && <OverQuotaLinks />}
        </>
      }
    />
  );
}
