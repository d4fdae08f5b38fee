import { Form } from 'antd';
import { type ReactNode, useId } from 'react';
import type { NodeKey } from '../../../contract/permissions.ts';
import { useSession } from '../calls/session.tsx';
import { useText } from '../texts/text.ts';
import { useFormContext } from './ContractForm.tsx';
import { isRequiredField, type NamePath, type Values } from './contract.ts';
import { Control, type ControlData } from './controls.tsx';

type FieldCommon = {
  /** The value's key, or its path inside lists and objects. */
  name: string | NamePath;
  /** The contract's path where it differs from the name (inside a Form.List): `targets.0.content`. */
  path?: string;
  /** Message keys or text. */
  label: string;
  help?: string;
  /** Whether it takes a line of a dialog to itself; by its kind where nothing is said. */
  wide?: boolean;
  /** Overrides what the contract says about the mark for required fields. */
  required?: boolean;
};

/** Follows the form's other values. */
type Following = (values: Values) => boolean;

/** One field as data. Fields with a `node` are shown to its holders only. */
export type FieldData = FieldCommon & ControlData & { node?: NodeKey; visible?: Following; requiredIf?: Following };

type FieldProps = (FieldCommon & ControlData) | (FieldCommon & { kind?: undefined; children: ReactNode });

// Fields that hold a choice always hold one; a mark on them would say nothing.
const isTyped = (kind: string | undefined) => kind === 'text' || kind === 'textarea' || kind === 'number';
const pathOf = (name: string | NamePath) => (typeof name === 'string' ? name : name.join('.'));

/** Long texts, pictures, parts of a screen's own and choices with words of help take a line of a dialog to themselves. */
function isWide(field: FieldProps): boolean {
  if (field.wide !== undefined) return field.wide;
  switch (field.kind) {
    case 'textarea':
    case 'picture':
      return true;
    case 'select':
      return field.multiple === true;
    case 'radio':
      return field.options.some(({ help }) => help);
    default:
      return false;
  }
}

/** One labelled field of a contract form, checked by the contract when it is left and again when the form is sent. */
export function Field(props: FieldProps) {
  const text = useText();
  const form = useFormContext();
  const helpId = useId();
  const name = typeof props.name === 'string' ? props.name : [...props.name];
  const path = props.path ?? pathOf(props.name);
  const isChecked = props.kind === 'switch' || props.kind === 'checkbox';
  return (
    <Form.Item
      className={isWide(props) ? 'lc-field-wide' : undefined}
      name={name}
      label={props.kind === 'checkbox' ? undefined : text(props.label)}
      extra={props.help ? <span id={helpId}>{text(props.help)}</span> : undefined}
      required={props.required ?? isRequiredField(form.call, path, isTyped(props.kind) ? form.initial[path] : undefined)}
      valuePropName={isChecked ? 'checked' : 'value'}
      validateTrigger={['onChange', 'onBlur']}
      validateFirst
      rules={[
        {
          // What is chosen is looked at again at once: a fault that goes only on leaving the field would move what one is about to click.
          validateTrigger: props.kind === undefined || isTyped(props.kind) ? 'onBlur' : ['onChange', 'onBlur'],
          validator: async () => {
            // Passing through an untouched field is no fault yet; sending the form checks everything.
            const fault = form.faultAt(path, form.form.isFieldTouched(name));
            if (fault) throw new Error(fault);
          },
        },
        {
          // For the same reason a fault goes with the typing that mends it.
          validateTrigger: 'onChange',
          validator: async () => {
            const fault = form.faultAt(path, false);
            if (fault) throw new Error(fault);
          },
        },
      ]}
    >
      {props.kind === undefined ? (
        props.children
      ) : (
        <Control data={props} label={text(props.label)} describedBy={props.help ? helpId : undefined} />
      )}
    </Form.Item>
  );
}

/** Fields as data: in a dialog side by side, elsewhere one below the other. */
export function Fields({ fields }: { fields: readonly FieldData[] }) {
  const { allows } = useSession();
  return fields
    .filter((field) => !field.node || allows(field.node))
    .map((field) => {
      const key = pathOf(field.name);
      return field.visible || field.requiredIf ? <FollowingField key={key} field={field} /> : <Field key={key} {...field} />;
    });
}

function FollowingField({ field: { visible, requiredIf, ...field } }: { field: FieldData }) {
  const { form } = useFormContext();
  const follow = (following: Following | undefined, values: Values) => following?.({ ...form.getFieldsValue(true), ...values });
  // Watching begins after the first drawing, which is to be the right one already.
  const isVisible = Form.useWatch((values: Values) => follow(visible, values), form) ?? follow(visible, {}) ?? true;
  const isRequired = Form.useWatch((values: Values) => follow(requiredIf, values), form) ?? follow(requiredIf, {}) ?? field.required;
  return isVisible ? <Field {...field} {...(isRequired === undefined ? {} : { required: isRequired })} /> : null;
}
