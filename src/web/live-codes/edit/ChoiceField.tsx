import { Form } from 'antd';
import { Field } from '../../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import type { Option } from '../../kit/options.ts';

type ChoiceFieldProps = {
  name: string;
  label: string;
  choices: readonly Option[];
  /** `list`: each choice with its explanation; `buttons` and `select` explain only the one that is chosen. */
  kind?: 'list' | 'buttons' | 'select';
};

/** A choice among explained options. */
export function ChoiceField({ name, label, choices, kind = 'list' }: ChoiceFieldProps) {
  const { form, initial } = useFormContext();
  const value = Form.useWatch(name, { form, preserve: true }) ?? initial[name];
  if (kind === 'list') return <Field name={name} label={label} kind="radio" options={choices} required={false} />;
  const options = choices.map((choice) => ({ value: choice.value, label: choice.label }));
  const help = choices.find((choice) => choice.value === value)?.help;
  return <Field name={name} label={label} kind={kind === 'select' ? 'select' : 'radio'} options={options} help={help} required={false} />;
}
