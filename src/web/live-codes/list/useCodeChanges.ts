import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { doneWords } from '../../kit/feedback/doneWords.ts';
import { useDone } from '../../kit/undo/useDone.tsx';
import { useUndo } from '../../kit/undo/useUndo.tsx';
import type { SelectedCode } from './useDialogs.ts';

type Codes = readonly SelectedCode[];

const idsOf = (codes: Codes) => codes.map((code) => code.id);

/** Moves codes to the recycle bin or back, says so, leads to where they are then, and offers to take it back. */
export function useRemoving() {
  const undo = useUndo();
  const call = api.qr_code_list.update_remove;
  const action = useAction(call, { success: false, invalidates: ['group'] });
  return async (codes: Codes, removed: boolean) => {
    const input = { ids: idsOf(codes), removed };
    const output = await action.run(input);
    if (output) undo.offer(doneWords(call, input, output, codes[0]?.name), output.change_id, { call, input });
    return output;
  };
}

/** Hides the histories of codes, and offers to show them again to those who may. */
function useClearing() {
  const { allows } = useSession();
  const done = useDone();
  const call = api.qr_code_access.clear;
  const action = useAction(call, { success: false, invalidates: ['qr_code_list', 'recover'] });
  const restore = useAction(api.recover.restore, { invalidates: ['qr_code_list', 'qr_code_access', 'today_statistics'] });
  return async (codes: Codes) => {
    const input = { ids: idsOf(codes) };
    const output = await action.run(input);
    if (!output) return undefined;
    const { clearing_ids } = output;
    const takeBack = clearing_ids.length > 0 && allows('recover.restore') ? () => void restore.run({ ids: clearing_ids }) : undefined;
    void done(doneWords(call, input, output), takeBack, { call, input });
    return output;
  };
}

/** The changes that need a question at most, no form. Each resolves to true when it was done. */
export function useCodeChanges() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const undo = useUndo();
  const update = useAction(api.qr_code_list.update_open, {
    success: false,
    onSuccess: (output, input) => undo.offer(doneWords(api.qr_code_list.update_open, input, output), output.change_id),
  });
  const removing = useRemoving();
  const clear = useClearing();
  const refill = useAction(api.qr_code_list.refill);

  /** The act's question, for one code by its name and for several by their number; then the act. */
  async function ask(act: 'remove' | 'refill' | 'close' | 'clear', codes: Codes, run: () => Promise<unknown>): Promise<boolean> {
    const [first] = codes;
    const title =
      codes.length === 1 && first?.name !== undefined
        ? t(`qr_code_list.${act}.title`, { name: first.name })
        : t(`qr_code_list.${act}.title_many`, { count: codes.length });
    let result: unknown;
    const isAgreed = await confirm({
      title,
      content: `qr_code_list.${act}.content`,
      confirm: `qr_code_list.${act}.confirm`,
      danger: act !== 'refill',
      run: async () => {
        result = await run();
      },
    });
    return isAgreed && result !== undefined;
  }
  return {
    open: async (codes: Codes) => (await update.run({ ids: idsOf(codes), open: true })) !== undefined,
    close: (codes: Codes) => ask('close', codes, () => update.run({ ids: idsOf(codes), open: false })),
    refill: (code: SelectedCode) => ask('refill', [code], () => refill.run({ id: code.id })),
    clear: (codes: Codes) => ask('clear', codes, () => clear(codes)),
    remove: (codes: Codes) => ask('remove', codes, () => removing(codes, true)),
  };
}
