import { useTranslation } from 'react-i18next';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useSealed } from '../kit/calls/useSealed.ts';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';

const newPassword: FieldData = {
  kind: 'password',
  name: 'password',
  label: 'user_list.new_password',
  help: 'user_list.password_help',
  required: true,
};

type PasswordResetDialogProps = { group: 'user_list' | 'administrators'; user: User; onClose: () => void };

/** Gives somebody a new password, which has to reach him by another way. Unless it is said otherwise, his API tokens end. */
export function PasswordResetDialog({ group, user, onClose }: PasswordResetDialogProps) {
  const { t } = useTranslation();
  const revokeTokens: FieldData = {
    kind: 'checkbox',
    name: 'revoke_api_tokens',
    label: 'user_list.revoke_api_tokens',
    help: t('user_list.revoke_api_tokens_help', { number: user.api_token_number }),
  };
  const reset = useSealed(api[group].update_password, ['password']);
  return (
    <FormModal
      action={reset}
      title={t('user_list.reset_password_title', { account: user.account })}
      submit="user_list.reset_password"
      intro={t('user_list.reset_password_intro')}
      success="user_list.reset_password_done"
      toInput={(values) => ({ ...values, id: user.id })}
      initial={{ revoke_api_tokens: true }}
      fields={user.api_token_number > 0 ? [newPassword, revokeTokens] : [newPassword]}
      onClose={onClose}
    />
  );
}
