import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Freezable } from '../../../contract/enums.ts';
import { api } from '../calls/api.ts';
import { type GroupName, useAction } from '../calls/query.ts';
import { useConfirm } from '../dialogs/confirm.tsx';
import type { BatchAction, RowAction, SelectedRow } from '../list/types.ts';
import { useDialog } from '../useDialog.ts';

// Lists that offer freezing are looked at often, frozen in seldom.
const FreezeForm = lazy(async () => ({ default: (await import('./FreezeForm.tsx')).FreezeForm }));

type Named = { id: number; name: string };

/** The lists that show what is frozen. */
const shownBy: readonly GroupName[] = ['qr_code_list', 'domain_list', 'hold_domain', 'user_list', 'report_list'];

/** Freezes things after asking why, and frees them after asking. `freeze` and `free` resolve to true when it was done. */
export function useFreezingActs(): {
  freeze: (what: Freezable, things: readonly Named[]) => Promise<boolean>;
  free: (what: Freezable, things: readonly Named[]) => Promise<boolean>;
  dialog: ReactNode;
} {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const dialogs = useDialog<{ what: Freezable; things: readonly Named[] }>();
  const freeing = useAction(api.report_list.unfreeze, { invalidates: shownBy });
  const idsOf = (things: readonly Named[]) => things.map(({ id }) => id);
  const titleOf = (act: 'freeze' | 'free', what: Freezable, things: readonly Named[]) =>
    things.length === 1
      ? t(`report_list.${act}_title.${what}`, { name: things[0]?.name ?? '' })
      : t(`report_list.${act}_many.${what}`, { number: things.length });

  async function free(what: Freezable, things: readonly Named[]): Promise<boolean> {
    const question = { title: titleOf('free', what, things), content: 'report_list.free_content', confirm: 'report_list.free' };
    return (await confirm(question)) && (await freeing.run({ what, ids: idsOf(things) })) !== undefined;
  }

  const asked = dialogs.present;
  const dialog = asked && (
    <Suspense>
      <FreezeForm
        what={asked.what}
        ids={idsOf(asked.things)}
        title={titleOf('freeze', asked.what, asked.things)}
        invalidates={shownBy}
        onDone={dialogs.done}
        onClose={dialogs.close}
      />
    </Suspense>
  );
  return { freeze: (what, things) => dialogs.open({ what, things }), free, dialog };
}

/** Freezing as a list of such things offers it for a row and for its selected rows. */
export function useFreezing<Row extends { id: number }>(
  what: Freezable,
  { name, isFrozen }: { name: (row: SelectedRow<Row>) => string; isFrozen: (row: Row) => boolean },
): { row: RowAction<Row>[]; batch: BatchAction<Row>[]; dialog: ReactNode } {
  const { freeze, free, dialog } = useFreezingActs();
  const named = (rows: readonly SelectedRow<Row>[]) => rows.map((row) => ({ id: row.id, name: name(row) }));
  const node = 'report_list.freeze' as const;
  return {
    row: [
      {
        key: 'freeze',
        label: 'report_list.freeze',
        node,
        danger: true,
        visible: (row) => !isFrozen(row),
        onClick: (row) => void freeze(what, named([row])),
      },
      { key: 'free', label: 'report_list.free', node, visible: isFrozen, onClick: (row) => void free(what, named([row])) },
    ],
    batch: [
      { key: 'freeze', label: 'report_list.freeze', node, danger: true, byId: true, onClick: (rows) => freeze(what, named(rows)) },
      { key: 'free', label: 'report_list.free', node, byId: true, onClick: (rows) => free(what, named(rows)) },
    ],
    dialog,
  };
}
