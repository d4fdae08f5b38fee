import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldIssues } from '../../../contract/kit/issues.ts';
import type { SettingKey } from '../../../contract/settings.ts';
import type { ApiFailure, Endpoint } from '../../kit/calls/api.ts';
import { fieldErrorText } from '../../kit/calls/failure.ts';
import { useAction } from '../../kit/calls/query.ts';
import { sameValues } from '../../kit/form/contract.ts';
import { useDirtySource } from '../../kit/form/dirty.tsx';
import { schemaOf } from './settingKinds.ts';

export type SettingValues = Partial<Record<SettingKey, unknown>>;
type Faults = Partial<Record<SettingKey, string>>;

export type SettingsForm = {
  valueOf: (key: SettingKey) => unknown;
  faultOf: (key: SettingKey) => string | undefined;
  isEdited: (key: SettingKey) => boolean;
  set: (key: SettingKey, value: unknown) => void;
  /** Checks one value when its control is left. */
  check: (key: SettingKey) => void;
  edited: SettingKey[];
  discard: () => void;
  /** Shows the stored value of one setting again, once it is read anew. */
  reread: (key: SettingKey) => Promise<void>;
  /** Checks what was changed and sends it. */
  save: () => Promise<void>;
  isRunning: boolean;
};

function faultIn(key: SettingKey, value: unknown): string | undefined {
  const parsed = schemaOf(key).safeParse(value);
  if (parsed.success) return undefined;
  const [issue] = fieldIssues(parsed.error);
  if (value === null || value === undefined || value === '' || !issue) return fieldErrorText('required');
  return fieldErrorText(issue.code, issue.params);
}

/** The server's faults by setting: their paths end with the key, or go on below it (an entry of a list). */
function faultsOf(failure: ApiFailure, keys: readonly SettingKey[]): Faults {
  const faults: Faults = {};
  for (const [path, code] of Object.entries(failure.fields)) {
    const key = keys.find((candidate) => path.split('.').includes(candidate));
    if (key) faults[key] = fieldErrorText(code);
  }
  return faults;
}

/** Changes to settings that are not saved yet, over the stored values. */
export function useSettingsForm<I extends object, O>(
  stored: SettingValues,
  endpoint: Endpoint<I, O>,
  options: { toInput: (values: SettingValues) => I; success: string; mayChange: (values: SettingValues) => Promise<boolean> },
): SettingsForm {
  const [edits, setEdits] = useState<SettingValues>({});
  const [faults, setFaults] = useState<Faults>({});
  const client = useQueryClient();
  const setDirtySource = useDirtySource();
  const edited = (Object.keys(edits) as SettingKey[]).filter((key) => !sameValues(edits[key], stored[key]));
  const action = useAction(endpoint, {
    success: options.success,
    invalidates: ['website', 'configuration', 'subscriber_config_default'],
    onFailure(failure) {
      const found = faultsOf(failure, edited);
      setFaults(found);
      return Object.keys(found).length > 0;
    },
  });

  function change(next: SettingValues) {
    setEdits(next);
    setDirtySource((Object.keys(next) as SettingKey[]).some((key) => !sameValues(next[key], stored[key])));
  }

  const present = (key: SettingKey) => (key in edits ? edits[key] : stored[key]);
  // What was saved stays on the screen until the stored values are there, so that nothing jumps back for a moment.
  const refresh = () => client.refetchQueries({ queryKey: [endpoint.group] });

  return {
    valueOf: present,
    faultOf: (key) => faults[key],
    isEdited: (key) => edited.includes(key),
    set(key, value) {
      setFaults({ ...faults, [key]: undefined });
      change({ ...edits, [key]: value });
    },
    check(key) {
      if (edited.includes(key)) setFaults((present) => ({ ...present, [key]: faultIn(key, edits[key]) }));
    },
    edited,
    discard() {
      setFaults({});
      change({});
    },
    async reread(key) {
      await refresh();
      setFaults({ ...faults, [key]: undefined });
      change(Object.fromEntries(Object.entries(edits).filter(([edited]) => edited !== key)));
    },
    async save() {
      if (edited.length === 0) return;
      const values: SettingValues = Object.fromEntries(edited.map((key) => [key, edits[key]]));
      const found: Faults = Object.fromEntries(edited.map((key) => [key, faultIn(key, edits[key])]));
      setFaults(found);
      const first = edited.find((key) => found[key]);
      if (first) {
        document.getElementById(`setting-${first}`)?.scrollIntoView({ behavior: 'smooth', block: 'center' });
        return;
      }
      if (!(await options.mayChange(values))) return;
      if ((await action.run(options.toInput(values))) === undefined) return;
      await refresh();
      change({});
    },
    isRunning: action.isRunning,
  };
}
