import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { forwardedAddress } from '../choices.ts';

/** Says beside the key that a forward answers in the code's place. */
export function ForwardWarning({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  if (code.forward_path === null) return null;
  return (
    <Alert
      type="warning"
      showIcon
      className="code-alert code-forwarded"
      title={t('set_qr_code.forwarded', { address: forwardedAddress(code) })}
    />
  );
}
