import { Alert, Form } from 'antd';
import { createContext, type KeyboardEvent, type ReactNode, useContext, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContractForm as ContractFormState } from './useContractForm.ts';

const FormContext = createContext<ContractFormState | null>(null);

/** The contract form around a field. */
export function useFormContext(): ContractFormState {
  const form = useContext(FormContext);
  if (!form) throw new Error('A field needs a ContractForm around it.');
  return form;
}

type ContractFormProps = {
  // biome-ignore lint/suspicious/noExplicitAny: a form's output type doesn't matter to its fields.
  form: ContractFormState<any>;
  entersSend?: boolean;
  children: ReactNode;
};

/** Enter in a line of text means "done", but for lists and calendars, where it chooses, and for a word that is still being composed. */
function isDone(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, currentTarget, nativeEvent } = event;
  if (!(target instanceof HTMLInputElement) || event.defaultPrevented || nativeEvent.isComposing || event.shiftKey || event.altKey)
    return false;
  // What opens above the form hands its events on to it as well.
  if (!currentTarget.contains(target) || target.closest('.ant-select, .ant-picker')) return false;
  return ['text', 'password', 'tel', 'number'].includes(target.type);
}

/** The form element: faults that belong to no field stand above, Ctrl-Enter (⌘-Enter) sends; in a dialog Enter alone does. */
export function ContractForm({ form, entersSend = false, children }: ContractFormProps) {
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
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || (entersSend && isDone(event)))) return;
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
