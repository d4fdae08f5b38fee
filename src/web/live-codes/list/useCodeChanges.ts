import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { doneWords } from '../../kit/feedback/doneWords.ts';
import { useUndo } from '../../kit/undo/useUndo.tsx';
import type { SelectedCode } from './useDialogs.ts';

type Codes = readonly SelectedCode[];

const idsOf = (codes: Codes) => codes.map((code) => code.id);

/** The changes that need a question at most, no form. Each resolves to true when it was done. */
export function useCodeChanges() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const undo = useUndo();
  const update = useAction(api.qr_code_list.update_open, {
    success: false,
    onSuccess: (output, input) => undo.offer(doneWords(api.qr_code_list.update_open, input, output), output.change_id),
  });
  const remove = useAction(api.qr_code_list.update_remove, {
    success: false,
    invalidates: ['group'],
    onSuccess: (output, input) => undo.offer(doneWords(api.qr_code_list.update_remove, input, output), output.change_id),
  });
  const clear = useAction(api.qr_code_access.clear, { invalidates: ['qr_code_list', 'recover'] });
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
    clear: (codes: Codes) => ask('clear', codes, () => clear.run({ ids: idsOf(codes) })),
    remove: (codes: Codes) => ask('remove', codes, () => remove.run({ ids: idsOf(codes), removed: true })),
  };
}
