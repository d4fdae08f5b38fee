import { Form } from 'antd';
import { Field } from '../../kit/FormModal.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import type { Option } from '../../kit/options.ts';

type ChoiceFieldProps = { name: string; label: string; choices: readonly Option[]; kind?: 'radio' | 'select' };

/** A choice whose help explains the option that is chosen. */
export function ChoiceField({ name, label, choices, kind = 'radio' }: ChoiceFieldProps) {
  const { form, initial } = useFormContext();
  const value = Form.useWatch(name, { form, preserve: true }) ?? initial[name];
  const help = choices.find((choice) => choice.value === value)?.help;
  return <Field name={name} label={label} kind={kind} options={choices} help={help} required={false} />;
}
