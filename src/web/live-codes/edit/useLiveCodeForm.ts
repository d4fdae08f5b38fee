import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { codePage } from '../../kit/CodeLink.tsx';
import { api, type Endpoint } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { type CodeValues, codeValues, copiedValues, newCodeValues, toCodeInput } from './values.ts';

type Codes = { code?: LiveCodeDetails; original?: LiveCodeDetails };

/** The editor's form: which code and version it changes, what the server says of it now, and what saving does. */
export function useLiveCodeForm({ code, original }: Codes) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [saved, setSaved] = useState(code);
  const [isOutdated, setIsOutdated] = useState(false);
  const [initial] = useState<CodeValues>(() =>
    code ? codeValues(code) : original ? copiedValues(original, t('common.copy_of', { name: original.name })) : newCodeValues(),
  );
  // Visits are counted while one edits; what is typed stays, only the figures follow.
  const fresh = useCall(api.qr_code_list.details, { id: saved?.id ?? 0 }, { enabled: saved !== undefined, refetchInterval: 15_000 });
  const current = saved && fresh.data?.id === saved.id ? fresh.data : saved;

  const design = original?.qr_design;
  // One of two calls with the same output; their inputs differ only in what `toCodeInput` adds.
  const endpoint = (saved ? api.qr_code_list.update : api.qr_code_list.add) as Endpoint<object, LiveCodeDetails>;
  const contract = useContractForm(endpoint, {
    initial,
    toInput: (values) => ({ ...toCodeInput(values, saved), ...(design && !saved ? { qr_design: design } : {}) }),
    // The page of a new code says itself that it was made.
    success: saved ? 'set_qr_code.saved' : false,
    onDone: keep,
    onFailure(failure) {
      if (failure.code !== 'live_code.changed_meanwhile') return false;
      setIsOutdated(true);
      return true;
    },
  });

  function keep(output: LiveCodeDetails) {
    client.setQueryData(['qr_code_list', 'details', { id: output.id }], output);
    if (!saved) void navigate(codePage(output.id), { replace: true, state: { created: true } });
    else show(output);
  }

  /** Takes the server's code as the untouched state; rows keep their keys, so that what is open stays open. */
  function show(output: LiveCodeDetails) {
    const present = contract.form.getFieldValue('targets') as CodeValues['targets'];
    const values = codeValues(output);
    const targets = values.targets.map((target, index) => ({ ...target, key: present[index]?.key ?? target.key }));
    contract.reset({ ...values, targets });
    setSaved(output);
    setIsOutdated(false);
  }

  async function reload() {
    if (!saved) return;
    const answer = await fresh.refetch();
    if (answer.data) show(answer.data);
  }

  /** A change made beside the form (a refill): its version is ours as long as nobody else's change lies between. */
  function follow(output: LiveCodeDetails) {
    client.setQueryData(['qr_code_list', 'details', { id: output.id }], output);
    setSaved((present) => (present && output.version <= present.version + 1 ? output : present));
  }

  return { contract, saved, current, isOutdated, reload, follow };
}
