import { Field } from '../../kit/dialogs/FormModal.tsx';

/** A code of the present authenticator, or a recovery code. */
export function CodeField() {
  return (
    <Field
      kind="text"
      name="totp"
      label="update_password.code"
      placeholder="update_password.code_placeholder"
      required
      autoComplete="one-time-code"
      code
    />
  );
}
