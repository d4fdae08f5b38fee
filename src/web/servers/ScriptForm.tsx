import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parameterTypes, type Script, type ScriptParameter } from '../../contract/system/script.ts';
import { api } from '../kit/calls/api.ts';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import type { Values } from '../kit/form/contract.ts';
import { Field, type FieldData } from '../kit/form/Fields.tsx';
import type { ControlProps } from '../kit/form/pickers.tsx';

const maxParameters = 20;
const newParameter: ScriptParameter = { name: '', label: '', type: 'text', required: false, initial: '', choices: [] };

/** Choices, one on a line. */
function ChoiceLines({ id, value, onChange, onBlur }: ControlProps<string[]>) {
  const [typed, setTyped] = useState(() => (value ?? []).join('\n'));
  return (
    <Input.TextArea
      id={id}
      value={typed}
      autoSize={{ minRows: 2, maxRows: 6 }}
      onChange={(event) => {
        setTyped(event.target.value);
        const lines = event.target.value.split('\n').map((line) => line.trim());
        onChange?.(lines.filter((line) => line !== ''));
      }}
      onBlur={onBlur}
    />
  );
}

function Parameter({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const type = Form.useWatch(['parameters', index, 'type'], form) as ScriptParameter['type'] | undefined;
  const field = (name: keyof ScriptParameter) => ({ name: [index, name], path: `parameters.${index}.${name}` });
  return (
    <fieldset className="lc-script-parameter">
      <legend>{t('script.parameter_number', { number: index + 1 })}</legend>
      <Field kind="text" {...field('name')} label="script.parameter_name" help="script.parameter_name_help" code />
      <Field kind="text" {...field('label')} label="script.parameter_label" />
      <Field
        kind="select"
        {...field('type')}
        label="common.field.type"
        options={parameterTypes.map((value) => ({ value, label: `script.type_${value}` }))}
      />
      {type === 'choice' && (
        <Field
          kind="custom"
          {...field('choices')}
          label="script.choices"
          help="script.choices_help"
          render={(props) => <ChoiceLines {...(props as ControlProps<string[]>)} />}
        />
      )}
      {type === 'secret' ? (
        <p className="lc-soft">{t('script.secret_help')}</p>
      ) : (
        <Field
          kind="text"
          {...field('initial')}
          label="script.initial"
          {...(type === 'boolean' ? { help: 'script.boolean_help' } : {})}
          code
        />
      )}
      <Field kind="checkbox" {...field('required')} label="script.required" />
      <Button size="small" danger icon={<DeleteOutlined />} onClick={onRemove}>
        {t('script.remove_parameter')}
      </Button>
    </fieldset>
  );
}

function Parameters() {
  const { t } = useTranslation();
  return (
    <Form.List name="parameters">
      {(items, { add, remove }) => (
        <section className="lc-script-parameters" aria-label={t('script.parameters')}>
          <h3>{t('script.parameters')}</h3>
          <p className="lc-soft">{t('script.parameters_help')}</p>
          {items.map(({ key, name }) => (
            <Parameter key={key} index={name} onRemove={() => remove(name)} />
          ))}
          {items.length < maxParameters && (
            <Button icon={<PlusOutlined />} onClick={() => add({ ...newParameter })}>
              {t('script.add_parameter')}
            </Button>
          )}
        </section>
      )}
    </Form.List>
  );
}

const fields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'common.field.name' },
  { kind: 'text', name: 'remark', label: 'common.field.remark' },
  { kind: 'number', name: 'timeout_seconds', label: 'script.timeout', suffix: 'script.seconds_unit', minimum: 1, maximum: 21_600 },
  { kind: 'textarea', name: 'body', label: 'script.body', help: 'script.body_help', rows: 10, code: true },
];

/** Empty texts of a parameter are texts; its wire form has all of them. */
const withParameters = ({ parameters, ...values }: Values): Values => ({
  ...values,
  parameters: ((parameters ?? []) as Partial<ScriptParameter>[]).map(({ name, label, type, required, initial, choices }) => ({
    ...{ name: name ?? '', label: label ?? '', type: type ?? 'text', required: required ?? false },
    ...{ initial: type === 'secret' ? '' : (initial ?? ''), choices: type === 'choice' ? (choices ?? []) : [] },
  })),
});

/** A new script, a changed one, or a new version made of an earlier one. */
export function ScriptForm({ script, onClose }: { script: Script | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const shared = { fields, invalidates: ['script'] as const, onClose };
  if (!script)
    return (
      <ProvedModal
        {...shared}
        action={api.script.add}
        title="script.add"
        submit="script.add"
        success="script.added"
        initial={{ timeout_seconds: 300, parameters: [] }}
        toInput={withParameters}
      >
        <Parameters />
      </ProvedModal>
    );
  const { id, name, remark, body, timeout_seconds, parameters } = script;
  return (
    <ProvedModal
      {...shared}
      action={api.script.update}
      title={t('script.edit', { name })}
      submit="common.save"
      success="script.saved"
      initial={{ name, remark, body, timeout_seconds, parameters }}
      toInput={(values) => ({ ...withParameters(values), id })}
    >
      <Parameters />
    </ProvedModal>
  );
}
