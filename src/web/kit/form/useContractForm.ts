import { Form, type FormInstance } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Call } from '../../../contract/kit/call.ts';
import type { ApiFailure, Endpoint } from '../calls/api.ts';
import { fieldErrorText } from '../calls/failure.ts';
import { type ActionOptions, useAction } from '../calls/query.ts';
import { issuesOf, placeErrors, sameValues, toNamePath, type Values, valueAt, wireValues } from './contract.ts';
import { useDirtySource } from './dirty.tsx';

export type ContractFormOptions<I, O> = Pick<ActionOptions<I, O>, 'success' | 'invalidates'> & {
  /** What the row is called that the form is about, for the words of success; of what was answered, where the form may rename it. */
  name?: string | ((output: O) => string) | undefined;
  /** What the fields hold at first. */
  initial?: Values;
  /** Adds what no field shows (`id`) or converts values; the result is what the contract checks and the server gets. */
  toInput?: (values: Values) => Values;
  /** Fields that stand for others of the input, by these others' paths: what is wrong with those is said beside them. */
  fieldOf?: Readonly<Record<string, string>>;
  onDone?: (output: O) => void;
  /** Called on failures that name no field; true says that they are shown already. */
  onFailure?: (failure: ApiFailure) => boolean;
  /** The form asks and changes nothing: leaving it loses nothing and needs no question. */
  isQuery?: boolean;
};

export type ContractForm<O = unknown> = {
  form: FormInstance<Values>;
  call: Call;
  initial: Values;
  /** Faults that belong to no field on the screen. */
  apart: readonly string[];
  isDirty: boolean;
  isRunning: boolean;
  /** A question in it is not answered yet: until it is, nothing is sent. */
  isHeld: boolean;
  hold: (isHeld: boolean) => void;
  /** Checks, sends and shows what is wrong beside the fields; resolves to the output on success. */
  submit: () => Promise<O | undefined>;
  /**
   * The words for what is wrong at one path of the present values, if anything. Of a field that nobody touched the contract says nothing
   * before it was sent; what the server refused stays refused as long as the value is the same.
   */
  faultAt: (path: string, isTouched: boolean) => string | undefined;
  /** Puts words for faults beside the fields they belong to, by their paths, in place of those that were shown. */
  showFaults: (messages: ReadonlyMap<string, string>) => void;
  onValuesChange: () => void;
  /** Takes other values as the untouched state, for example a saved row. */
  reset: (values: Values) => void;
};

/** More items with the same fault are hinted at. */
const maxNumbers = 5;

/** A form whose fields are checked by a call's contract and sent to it. */
export function useContractForm<I extends object, O>(endpoint: Endpoint<I, O>, options: ContractFormOptions<I, O> = {}): ContractForm<O> {
  const { t } = useTranslation();
  const [form] = Form.useForm<Values>();
  const [initial, setInitial] = useState<Values>(() => options.initial ?? {});
  const [apart, setApart] = useState<readonly string[]>([]);
  /** What stands beside fields since they were sent; `refused` is the value that the server, not the contract, found wrong. */
  const shown = useRef(new Map<string, { words: string; refused: unknown }>());
  const [isDirty, setIsDirty] = useState(false);
  const [isHeld, hold] = useState(false);
  const setDirtySource = useDirtySource();

  const fieldOf = (path: string) => options.fieldOf?.[path] ?? path;

  const action = useAction(endpoint, {
    success: options.success,
    invalidates: options.invalidates,
    onFailure(failure) {
      const messages = new Map(Object.entries(failure.fields).map(([path, code]) => [fieldOf(path), fieldErrorText(code)]));
      if (messages.size === 0) return options.onFailure?.(failure) ?? false;
      showFaults(messages);
      return true;
    },
  });

  function markDirty(value: boolean) {
    setDirtySource(value && !options.isQuery);
    setIsDirty(value);
  }

  function inputOf(values: Values): Values {
    const input = wireValues(endpoint.call, values, initial);
    return options.toInput ? options.toInput(input) : input;
  }

  /** An item of a list is named by its number, where there are several. */
  function wordsOfItems(words: string, numbers: readonly number[], list: string): string {
    const items = valueAt(inputOf(form.getFieldsValue(true)), list);
    if (Array.isArray(items) && items.length < 2) return words;
    const shown = numbers.slice(0, maxNumbers).join(t('common.comma'));
    return t('errors.of_items', { numbers: numbers.length > maxNumbers ? `${shown}…` : shown, fault: words });
  }

  function showFaults(messages: ReadonlyMap<string, string>) {
    const fields = form.getFieldsError();
    const paths = fields.map(({ name }) => name.join('.'));
    const { placed, apart: rest } = placeErrors(messages, paths, wordsOfItems);
    form.setFields([...fields.map(({ name }) => ({ name, errors: [] })), ...placed]);
    shown.current = new Map(
      placed.map(({ name, errors }) => {
        const path = name.join('.');
        return [path, { words: errors.join(' '), refused: contractFault(path) ? undefined : form.getFieldValue(name) }];
      }),
    );
    setApart(rest);
    const first = placed[0];
    if (first) form.scrollToField(first.name, { focus: true, block: 'center' });
  }

  const faults = () =>
    new Map(
      issuesOf(endpoint.call, inputOf(form.getFieldsValue(true))).map(({ path, code, params }) => [
        fieldOf(path),
        fieldErrorText(code, params),
      ]),
    );

  const contractFault = (path: string) => placeErrors(faults(), [path], wordsOfItems).placed[0]?.errors[0];

  async function submit(): Promise<O | undefined> {
    if (isHeld) return undefined;
    const found = faults();
    showFaults(found);
    if (found.size > 0) return undefined;
    // The contract has just accepted this very object as its input.
    const output = await action.run(inputOf(form.getFieldsValue(true)) as I, { name: options.name });
    if (output === undefined) return undefined;
    markDirty(false);
    options.onDone?.(output);
    return output;
  }

  return {
    form,
    call: endpoint.call,
    initial,
    apart,
    isDirty,
    isRunning: action.isRunning,
    isHeld,
    hold,
    submit,
    faultAt(path, isTouched) {
      const said = shown.current.get(path);
      const fault = isTouched || said ? contractFault(path) : undefined;
      if (fault || !said || said.refused === undefined) return fault;
      return sameValues(said.refused, form.getFieldValue(toNamePath(path))) ? said.words : undefined;
    },
    showFaults,
    onValuesChange: () => markDirty(!sameValues(inputOf(form.getFieldsValue(true)), inputOf(initial))),
    reset(values) {
      setInitial(values);
      setApart([]);
      form.setFieldsValue(values);
      markDirty(false);
    },
  };
}
