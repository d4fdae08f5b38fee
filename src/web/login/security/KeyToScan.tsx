import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { ContractForm, Field, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { Copyable } from '../../kit/feedback.ts';
import { QrImage } from '../../qr/QrImage.tsx';

type KeyToScanProps = { secret: string; url: string; onConfirmed: (recoveryCodes: readonly string[]) => void };

/** The key as an image for the authenticator app, as letters for those who cannot scan, and the first code that proves it arrived. */
export function KeyToScan({ secret, url, onConfirmed }: KeyToScanProps) {
  const { t } = useTranslation();
  const form = useContractForm(api.update_password.confirm_second_factor, {
    success: 'update_password.second_factor.switched_on',
    onDone: ({ recovery_codes }) => onConfirmed(recovery_codes),
  });
  return (
    <div className="lc-security-step">
      <ol className="lc-security-guide">
        <li>{t('update_password.enrol.install')}</li>
        <li>{t('update_password.enrol.scan')}</li>
        <li>{t('update_password.enrol.type')}</li>
      </ol>
      <div className="lc-security-key">
        <QrImage text={url} alt={t('update_password.enrol.qr')} width={200} />
        <p className="lc-soft">{t('update_password.enrol.secret')}</p>
        <Copyable value={secret} text={secret.replace(/(.{4})(?=.)/g, '$1 ')} code />
      </div>
      <ContractForm form={form}>
        <Field
          kind="text"
          name="totp"
          label="update_password.enrol.code"
          placeholder="update_password.enrol.code_placeholder"
          autoComplete="one-time-code"
          code
        />
        <Button type="primary" htmlType="submit" block loading={form.isRunning}>
          {t('update_password.enrol.confirm')}
        </Button>
      </ContractForm>
    </div>
  );
}
