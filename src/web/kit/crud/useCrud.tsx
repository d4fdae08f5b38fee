import { type ReactNode, useState } from 'react';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Endpoint } from '../calls/api.ts';
import { type GroupName, useAction } from '../calls/query.ts';
import { type FormDialogProps, FormModal } from '../dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../dialogs/removal.tsx';
import type { EmptyProps } from '../feedback.ts';
import type { Values } from '../form/contract.ts';
import type { FieldData } from '../form/Fields.tsx';
import type { BatchAction, RowAction } from '../list/types.ts';
import { crudText, translate } from '../texts/i18n.ts';

type Ids = { ids: number[] };
type Write = Endpoint<never, unknown>;

/** The calls that `crud` of the contract declares, as `api.<screen>` has them. */
type CrudCalls = {
  add: Write;
  update: Write;
  remove: Endpoint<Ids, unknown>;
  update_sort?: Endpoint<{ id: number; sort: number | null }, unknown>;
  update_enabled?: Endpoint<Ids & { enabled: boolean }, unknown>;
};

// Each kind of field keeps its own options: a plain Omit would leave what all kinds have in common.
type Unlabelled<F> = F extends FieldData ? Omit<F, 'label' | 'name'> & { name: string; label?: string } : never;
/** A field of the form; its label is the message `screen.name`, or the one that all screens share. */
export type CrudField = Unlabelled<FieldData>;

type ListOptions<Row> = {
  /** What a row is called in questions. */
  name: (row: Row) => string;
  /** Further groups whose answers name these rows. */
  invalidates?: readonly GroupName[];
};

type CrudOptions<Row> = ListOptions<Row> & {
  /** The form's fields; of a new row there is none. */
  fields?: (row: Row | undefined) => readonly CrudField[];
  initialOf: (row: Row | undefined) => Values;
  /** What else the form takes, such as what stands below its fields or a conversion of what was typed. */
  form?: (row: Row | undefined) => Partial<Pick<FormDialogProps<object, unknown>, 'children' | 'intro' | 'toInput'>>;
};

type CrudList<Row> = {
  /** What the list takes: its title, the button to add, what is done to rows, and what stands in its place while it is empty. */
  list: {
    title: string;
    exportName: string;
    actions: ReactNode;
    empty: EmptyProps;
    rowActions: RowAction<Row>[];
    batchActions: BatchAction<Row>[];
  };
  /** The same row actions one by one, for lists that have further ones; `enabled` and `top` where the screen has their calls. */
  acts: Record<'update' | 'enabled' | 'top' | 'remove', RowAction<Row>>;
  /** What the open form is about. */
  edited: Row | 'new' | null;
  close: () => void;
  /** Saves a rank typed into a `rank` column. */
  saveRank: (row: Row, sort: number) => Promise<unknown>;
};

// The two calls are absent where the screen has none; their actions are then never offered.
const absent = (calls: CrudCalls): Endpoint<never, unknown> => calls.update;

/** What a screen of rows offers: to add, change, rank, switch and remove, each for holders of its button. Its form it draws itself. */
export function useCrudList<Row extends { id: number }>(calls: CrudCalls, { name, invalidates = [] }: ListOptions<Row>): CrudList<Row> {
  const screen = calls.add.group;
  const [edited, setEdited] = useState<Row | 'new' | null>(null);
  const rank = useAction(calls.update_sort ?? (absent(calls) as NonNullable<CrudCalls['update_sort']>), { invalidates });
  const enable = useAction(calls.update_enabled ?? (absent(calls) as NonNullable<CrudCalls['update_enabled']>), { invalidates });
  const node = `${screen}.update` as NodeKey;
  const removal = useRemoval<Row, unknown>(calls.remove, {
    node: `${screen}.remove` as NodeKey,
    title: crudText(screen, 'remove_title'),
    many: crudText(screen, 'remove_many_title'),
    content: crudText(screen, 'remove_content'),
    name: (row) => ({ name: name(row) }),
    invalidates,
  });
  const isEnabled = (row: Row) => 'enabled' in row && row.enabled === true;
  async function setEnabled(rows: readonly Row[], enabled: boolean): Promise<boolean> {
    const changed = rows.filter((row) => isEnabled(row) !== enabled).map(({ id }) => id);
    const [first] = rows;
    const subject = { name: first && name(first), undo: changed.length > 0 ? { ids: changed, enabled: !enabled } : undefined };
    return (await enable.run({ ids: rows.map(({ id }) => id), enabled }, subject)) !== undefined;
  }
  const setRank = (row: Row, sort: number | null) =>
    rank.run({ id: row.id, sort }, { name: name(row), undo: 'sort' in row ? { id: row.id, sort: Number(row.sort) } : undefined });
  const [enableText, disableText] = [crudText(screen, 'enable'), crudText(screen, 'disable')];

  const acts: CrudList<Row>['acts'] = {
    update: { key: 'update', label: 'common.edit', node, onClick: setEdited },
    enabled: {
      key: 'enabled',
      label: (row) => (isEnabled(row) ? disableText : enableText),
      node,
      onClick: (row) => void setEnabled([row], !isEnabled(row)),
    },
    top: { key: 'top', label: crudText(screen, 'to_top'), node, onClick: (row) => void setRank(row, null) },
    remove: removal.row,
  };
  const switches: BatchAction<Row>[] = [
    { key: 'enable', label: enableText, node, onClick: (rows) => setEnabled(rows, true) },
    { key: 'disable', label: disableText, node, onClick: (rows) => setEnabled(rows, false) },
  ];
  const actions = <AddButton node={`${screen}.add` as NodeKey} label={crudText(screen, 'add')} onClick={() => setEdited('new')} />;
  const help = translate(`${screen}.empty_help`);
  return {
    list: {
      title: `menu.${screen}`,
      exportName: `menu.${screen}`,
      actions,
      empty: { title: crudText(screen, 'empty'), ...(help === `${screen}.empty_help` ? {} : { help }), action: actions },
      rowActions: [acts.update, ...(calls.update_enabled ? [acts.enabled] : []), ...(calls.update_sort ? [acts.top] : []), acts.remove],
      batchActions: [...(calls.update_enabled ? switches : []), removal.batch],
    },
    acts,
    edited,
    close: () => setEdited(null),
    saveRank: setRank,
  };
}

/** The same with the form for new and changed rows: `dialogs` is drawn beside the list. */
export function useCrud<Row extends { id: number }>(
  calls: CrudCalls,
  options: CrudOptions<Row>,
): Pick<CrudList<Row>, 'list' | 'acts' | 'saveRank'> & { dialogs: ReactNode } {
  const { edited, close, ...crud } = useCrudList(calls, options);
  const row = edited === 'new' || edited === null ? undefined : edited;
  return { ...crud, dialogs: edited && <CrudForm calls={calls} row={row} options={options} onClose={close} /> };
}

type CrudFormProps<Row> = { calls: CrudCalls; row: Row | undefined; options: CrudOptions<Row>; onClose: () => void };

function CrudForm<Row extends { id: number }>({ calls, row, options, onClose }: CrudFormProps<Row>) {
  const { fields = () => [], initialOf, name, form, invalidates = [] } = options;
  const screen = calls.add.group;
  const labelled = fields(row).map((field) => ({ ...field, label: field.label ?? `${screen}.${field.name}` }) as FieldData);
  const { toInput = (values: Values) => values, ...further } = form?.(row) ?? {};
  const act = crudText(screen, row ? 'edit' : 'add');
  return (
    <FormModal
      action={(row ? calls.update : calls.add) as Endpoint<object, unknown>}
      title={row ? translate(act, { name: name(row) }) : act}
      submit={row ? 'common.save' : act}
      initial={initialOf(row)}
      toInput={row ? (values) => ({ ...toInput(values), id: row.id }) : toInput}
      invalidates={invalidates}
      {...(row ? { name: (saved: unknown) => name({ ...row, ...(saved as object) }) } : {})}
      fields={labelled}
      {...further}
      onClose={onClose}
    />
  );
}
