import { Button, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { Field } from '../../kit/dialogs/FormModal.tsx';
import { Status } from '../../kit/feedback.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';

/** The share page's password: a new one is typed, the present one is kept or taken off, and never shown. */
export function PasswordFields({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  const isRemoved = Form.useWatch('removes_password', { form, preserve: true }) === true;

  function setRemoved(removed: boolean) {
    form.setFieldValue('removes_password', removed);
    if (removed) form.setFieldValue('password', '');
    onValuesChange();
  }

  return (
    <div>
      {hasPassword && (
        <p className="code-password-state">
          <Status
            kind={isRemoved ? 'warning' : 'success'}
            label={isRemoved ? 'set_qr_code.password.will_be_removed' : 'set_qr_code.password.is_set'}
          />
          <Button type="link" size="small" onClick={() => setRemoved(!isRemoved)}>
            {t(isRemoved ? 'set_qr_code.password.keep' : 'set_qr_code.password.remove')}
          </Button>
        </p>
      )}
      {!isRemoved && (
        <Field
          name="password"
          label={hasPassword ? 'set_qr_code.password.replace' : 'set_qr_code.password.set'}
          help="set_qr_code.password.help"
          kind="password"
        />
      )}
    </div>
  );
}
