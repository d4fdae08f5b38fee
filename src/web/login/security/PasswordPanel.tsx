import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { passwordChangeFault } from '../../../contract/people/registration.ts';
import { api } from '../../kit/calls/api.ts';
import { keepDeviceToken } from '../../kit/calls/deviceTokens.ts';
import { fieldErrorText } from '../../kit/calls/failure.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useSealed } from '../../kit/calls/useSealed.ts';
import { ContractForm, Field, useContractForm } from '../../kit/dialogs/FormModal.tsx';

const passwordFields = ['old_password', 'new_password', 'repeat_password'] as const;
const empty = { old_password: '', new_password: '', repeat_password: '' };
const initial = { ...empty, revoke_api_tokens: false };

/** Changes the own password; the rules are looked at here in their order before anything is sent. */
export function PasswordPanel() {
  const { t } = useTranslation();
  const { user } = useSession();
  const tokens = useCall(api.update_password.api_tokens, {}).data?.number ?? 0;
  const form = useContractForm(useSealed(api.update_password.update, passwordFields), {
    initial,
    success: 'update_password.changed',
    onDone({ device_token }) {
      if (user) keepDeviceToken(user.account, device_token);
      form.reset(initial);
    },
  });

  async function submit() {
    const typed: Partial<typeof empty> = form.form.getFieldsValue(true);
    const fault = passwordChangeFault({ ...empty, ...typed, account: user?.account ?? '' });
    if (!fault) return form.submit();
    form.form.setFields(passwordFields.map((name) => ({ name, errors: name === fault.field ? [fieldErrorText(fault.key)] : [] })));
    form.form.scrollToField(fault.field, { focus: true, block: 'center' });
    return undefined;
  }

  return (
    <ContractForm form={{ ...form, submit }}>
      <Field kind="password" name="old_password" label="update_password.old_password" required autoComplete="current-password" />
      <Field
        kind="password"
        name="new_password"
        label="update_password.new_password"
        help="update_password.new_password_help"
        required
        autoComplete="new-password"
      />
      <Field kind="password" name="repeat_password" label="update_password.repeat_password" required autoComplete="new-password" />
      {tokens > 0 && (
        <Field
          kind="checkbox"
          name="revoke_api_tokens"
          label="update_password.revoke_api_tokens"
          help={t('update_password.revoke_api_tokens_help', { number: tokens })}
        />
      )}
      <Button type="primary" htmlType="submit" loading={form.isRunning}>
        {t('update_password.submit')}
      </Button>
    </ContractForm>
  );
}
