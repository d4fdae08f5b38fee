import { Alert, Form } from 'antd';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContractForm as ContractFormState } from './useContractForm.ts';

const FormContext = createContext<ContractFormState | null>(null);

/** The contract form around a field. */
export function useFormContext(): ContractFormState {
  const form = useContext(FormContext);
  if (!form) throw new Error('A field needs a ContractForm around it.');
  return form;
}

/** The form element: faults that belong to no field stand above, Ctrl-Enter (⌘-Enter) sends. */
// biome-ignore lint/suspicious/noExplicitAny: a form's output type doesn't matter to its fields.
export function ContractForm({ form, children }: { form: ContractFormState<any>; children: ReactNode }) {
  const { t } = useTranslation();
  // A name of its own keeps the ids of two forms on one screen apart.
  const name = useId();
  return (
    <FormContext value={form}>
      <Form
        form={form.form}
        name={name}
        layout="vertical"
        initialValues={form.initial}
        onValuesChange={form.onValuesChange}
        onFinish={() => void form.submit()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void form.submit();
        }}
        autoComplete="off"
      >
        {form.apart.length > 0 && (
          <Alert className="lc-form-apart" type="error" showIcon title={t('errors.form')} description={form.apart.join(' ')} />
        )}
        {children}
      </Form>
    </FormContext>
  );
}
