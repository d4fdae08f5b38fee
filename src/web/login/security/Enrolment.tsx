import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useSealed } from '../../kit/calls/useSealed.ts';
import { ContractForm, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { CodeField } from './CodeField.tsx';
import { KeyToScan } from './KeyToScan.tsx';
import { PasswordField } from './PasswordField.tsx';

type EnrolmentProps = {
  /** What has to be shown before a key is given: nothing where the site demands the enrolment, a code too where a key is replaced. */
  proof: 'none' | 'password' | 'password_and_code';
  onRecoveryCodes: (codes: readonly string[]) => void;
};

/** Sets up a second factor: prove who asks, then scan and confirm the key. Its recovery codes are for the caller to show. */
export function Enrolment({ proof, onRecoveryCodes }: EnrolmentProps) {
  const { t } = useTranslation();
  const [key, setKey] = useState<{ secret: string; url: string } | null>(null);
  const enrol = useSealed(api.update_password.enrol_second_factor, ['password']);
  const form = useContractForm(enrol, { success: false, onDone: setKey });

  if (key) return <KeyToScan {...key} onConfirmed={onRecoveryCodes} />;
  return (
    <ContractForm form={form}>
      {proof !== 'none' && <PasswordField />}
      {proof === 'password_and_code' && <CodeField />}
      <Button type="primary" htmlType="submit" block loading={form.isRunning}>
        {t('update_password.enrol.start')}
      </Button>
    </ContractForm>
  );
}
