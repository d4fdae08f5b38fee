import { Field } from '../../kit/dialogs/FormModal.tsx';

/** The own password again, before something that a stranger at this desk must not do. */
export function PasswordField() {
  return (
    <Field
      kind="password"
      name="password"
      label="update_password.current_password"
      help="update_password.proof_help"
      required
      autoComplete="current-password"
    />
  );
}
