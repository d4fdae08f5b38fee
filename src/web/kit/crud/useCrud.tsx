import { type ReactNode, useState } from 'react';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Endpoint } from '../calls/api.ts';
import { type GroupName, useAction } from '../calls/query.ts';
import { FormDrawer, FormModal } from '../dialogs/FormModal.tsx';
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

type CrudOptions<Row> = {
  /** The form's fields; of a new row there is none. */
  fields: (row: Row | undefined) => readonly CrudField[];
  initialOf: (row: Row | undefined) => Values;
  /** What a row is called in questions. */
  name: (row: Row) => string;
  /** Further groups whose answers name these rows. */
  invalidates?: readonly GroupName[];
};

type Crud<Row> = {
  /** What the list takes: the button to add, what is done to rows, and what stands in its place while it is empty. */
  list: { actions: ReactNode; empty: EmptyProps; rowActions: RowAction<Row>[]; batchActions: BatchAction<Row>[] };
  /** The open form, to be drawn beside the list. */
  dialogs: ReactNode;
  /** Saves a rank typed into a `rank` column. */
  saveRank: (row: Row, sort: number) => Promise<unknown>;
};

/** More fields than fit a dialog without scrolling stand in a drawer. */
const maxDialogFields = 6;

// The two calls are absent where the screen has none; their actions are then never offered.
const absent = (calls: CrudCalls): Endpoint<never, unknown> => calls.update;

/** Everything a screen of rows does besides listing them: add, change, rank, switch, remove, each for holders of its button. */
export function useCrud<Row extends { id: number }>(
  calls: CrudCalls,
  { fields, initialOf, name, invalidates = [] }: CrudOptions<Row>,
): Crud<Row> {
  const screen = calls.add.group;
  const [edited, setEdited] = useState<Row | 'new' | null>(null);
  const rank = useAction(calls.update_sort ?? (absent(calls) as NonNullable<CrudCalls['update_sort']>), { invalidates });
  const enable = useAction(calls.update_enabled ?? (absent(calls) as NonNullable<CrudCalls['update_enabled']>), { invalidates });
  const mayUpdate = `${screen}.update` as NodeKey;
  const removal = useRemoval<Row, unknown>(calls.remove, {
    node: `${screen}.remove` as NodeKey,
    title: crudText(screen, 'remove_title'),
    many: crudText(screen, 'remove_many_title'),
    content: crudText(screen, 'remove_content'),
    name: (row) => ({ name: name(row) }),
    invalidates,
  });
  const setEnabled = async (rows: readonly Row[], enabled: boolean) =>
    (await enable.run({ ids: rows.map(({ id }) => id), enabled })) !== undefined;
  const isEnabled = (row: Row) => 'enabled' in row && row.enabled === true;

  const rowActions: RowAction<Row>[] = [{ key: 'update', label: 'common.edit', node: mayUpdate, onClick: setEdited }];
  const batchActions: BatchAction<Row>[] = [];
  if (calls.update_enabled) {
    const label = (row: Row) => (isEnabled(row) ? 'common.disable' : 'common.enable');
    rowActions.push({ key: 'enabled', label, node: mayUpdate, onClick: (row) => void setEnabled([row], !isEnabled(row)) });
    batchActions.push(
      { key: 'enable', label: 'common.enable', node: mayUpdate, onClick: (rows) => setEnabled(rows, true) },
      { key: 'disable', label: 'common.disable', node: mayUpdate, onClick: (rows) => setEnabled(rows, false) },
    );
  }
  if (calls.update_sort) {
    const toTop = (row: Row) => void rank.run({ id: row.id, sort: null });
    rowActions.push({ key: 'top', label: crudText(screen, 'to_top'), node: mayUpdate, onClick: toTop });
  }

  const actions = <AddButton node={`${screen}.add` as NodeKey} label={crudText(screen, 'add')} onClick={() => setEdited('new')} />;
  const help = translate(`${screen}.empty_help`);
  return {
    list: {
      actions,
      empty: { title: crudText(screen, 'empty'), ...(help === `${screen}.empty_help` ? {} : { help }), action: actions },
      rowActions: [...rowActions, removal.row],
      batchActions: [...batchActions, removal.batch],
    },
    dialogs: edited && (
      <CrudForm
        calls={calls}
        row={edited === 'new' ? undefined : edited}
        options={{ fields, initialOf, name, invalidates }}
        onClose={() => setEdited(null)}
      />
    ),
    saveRank: (row, sort) => rank.run({ id: row.id, sort }),
  };
}

type CrudFormProps<Row> = { calls: CrudCalls; row: Row | undefined; options: CrudOptions<Row>; onClose: () => void };

function CrudForm<Row extends { id: number }>({ calls, row, options: { fields, initialOf, invalidates }, onClose }: CrudFormProps<Row>) {
  const screen = calls.add.group;
  const labelled = fields(row).map((field) => ({ ...field, label: field.label ?? `${screen}.${field.name}` }) as FieldData);
  const Form = labelled.length > maxDialogFields ? FormDrawer : FormModal;
  const act = crudText(screen, row ? 'edit' : 'add');
  return (
    <Form
      action={(row ? calls.update : calls.add) as Endpoint<object, unknown>}
      title={act}
      submit={row ? 'common.save' : act}
      initial={initialOf(row)}
      {...(row ? { toInput: (values: Values) => ({ ...values, id: row.id }) } : {})}
      invalidates={invalidates ?? []}
      fields={labelled}
      onClose={onClose}
    />
  );
}
