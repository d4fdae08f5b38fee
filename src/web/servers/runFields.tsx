import { Form } from 'antd';
import { useEffect, useRef } from 'react';
import { type Script, type ScriptParameter, secretMask } from '../../contract/system/script.ts';
import { maxParallel, type Server } from '../../contract/system/server-list.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { Field, type FieldData } from '../kit/form/Fields.tsx';

export const all = { page_size: 200, sort: 'name', order: 'asc' } as const;
export const useServers = (): readonly Server[] => useCall(api.server_list.inquire, all).data?.content ?? [];

export function whereFields(servers: readonly Server[]): FieldData[] {
  return [
    {
      kind: 'select',
      name: 'server_ids',
      label: 'menu.server_list',
      multiple: true,
      searchable: true,
      options: servers.map(({ id, name, host }) => ({ value: id, label: `${name} · ${host}` })),
    },
    { kind: 'number', name: 'parallel', label: 'script.parallel', help: 'script.parallel_help', minimum: 1, maximum: maxParallel },
    { kind: 'switch', name: 'stop_on_failure', label: 'script.stop_on_failure', help: 'script.stop_on_failure_help' },
  ];
}

/** A parameter as a field, by its type; its value is a text, as the script finds it. */
function parameterField({ name, label, type, required, choices }: ScriptParameter, isKept: boolean): FieldData {
  const common = {
    name: ['values', name] as const,
    path: `values.${name}`,
    label: label || name,
    required,
    ...(label ? { help: name } : {}),
  };
  const options = (type === 'boolean' ? ['true', 'false'] : choices).map((value) => ({
    value,
    label: type === 'boolean' ? `common.${value === 'true' ? 'yes' : 'no'}` : value,
  }));
  if (type === 'choice' || type === 'boolean') return { ...common, kind: 'select', options, clearable: !required };
  if (type === 'secret')
    return { ...common, kind: 'password', required: required && !isKept, ...(isKept ? { placeholder: 'script.secret_kept' } : {}) };
  if (type === 'number') return { ...common, kind: 'text', code: true };
  return { ...common, kind: 'textarea', rows: 1, code: true, wide: false };
}

type ParametersProps = {
  /** The field that holds the chosen script's id. */
  field: string;
  scripts: readonly Script[];
  /** The script whose values the form begins with. */
  begins?: number | undefined;
  /** Its secret values that are known already, and stay where nothing is typed. */
  kept?: readonly string[];
};

/** The fields of the chosen script. One that is chosen here brings its own first values. */
export function Parameters({ field, scripts, begins, kept = [] }: ParametersProps) {
  const { form } = useFormContext();
  const id = Form.useWatch(field, { form, preserve: true }) as number | undefined;
  const script = scripts.find((one) => one.id === id);
  const held = useRef(begins);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another script does, not the same one that was asked for anew.
  useEffect(() => {
    if (!script || script.id === held.current) return;
    held.current = script.id;
    form.setFieldsValue({ values: firstValues(script) });
  }, [script?.id]);
  return script?.parameters.map((parameter) => (
    <Field key={`${script.id} ${parameter.name}`} {...parameterField(parameter, script.id === begins && kept.includes(parameter.name))} />
  ));
}

/** Exactly the values of the script's own parameters, as texts. */
export function valuesOf(script: Script | undefined, given: unknown): Record<string, string> {
  const values = (given ?? {}) as Record<string, unknown>;
  return Object.fromEntries((script?.parameters ?? []).map(({ name }) => [name, values[name] == null ? '' : String(values[name])]));
}

/** The names of values that are secret, and the others. */
export function keptSecrets(values: Readonly<Record<string, string>>) {
  const entries = Object.entries(values);
  return {
    kept: entries.filter(([, value]) => value === secretMask).map(([name]) => name),
    others: Object.fromEntries(entries.map(([name, value]) => [name, value === secretMask ? '' : value])),
  };
}

export const firstValues = (script: Script | undefined): Record<string, string> =>
  Object.fromEntries((script?.parameters ?? []).map(({ name, initial }) => [name, initial]));

export const chooseScript = (name: string, scripts: readonly Script[]): FieldData => ({
  kind: 'select',
  name,
  label: 'menu.script',
  searchable: true,
  options: scripts.map(({ id, name: label }) => ({ value: id, label })),
});
