import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Endpoint } from '../calls/api.ts';
import { type ActionOptions, useAction } from '../calls/query.ts';
import { Allowed, useSession } from '../calls/session.tsx';
import type { BatchAction, RowAction } from '../list/types.ts';
import { useAskedAct } from '../useAskedAct.ts';
import { type RowsQuestion, useRowsQuestion } from './confirm.tsx';

type RowsActionOptions<Row> = Omit<RowsQuestion<Row>, 'confirm'> &
  Pick<ActionOptions<unknown, unknown>, 'success' | 'invalidates'> & {
    key: string;
    /** Names the act in the list and on the button of the question. */
    label: string;
    node: NodeKey;
    visible?: (row: Row) => boolean;
  };

type RowsAction<Row> = { row: RowAction<Row>; batch: BatchAction<Row>; ask: (rows: readonly Row[]) => Promise<boolean> };

/** What the first row is called in the question; where it is the only one, also in what is said afterwards. */
function nameOf<Row>([row]: readonly Row[], { name }: Pick<RowsQuestion<Row>, 'name'>): string | undefined {
  const [called] = row === undefined ? [] : Object.values(name(row));
  return called === undefined ? undefined : String(called);
}

/** An act on a list's row and on its selected rows: asks in words, then makes the call with the `ids`. */
export function useRowsAction<Row extends { id: number }, O>(
  endpoint: Endpoint<{ ids: number[] }, O>,
  { key, label, node, visible, success, invalidates, ...question }: RowsActionOptions<Row>,
): RowsAction<Row> {
  const askAbout = useRowsQuestion();
  const action = useAction(endpoint, { success, invalidates });
  const ask = (rows: readonly Row[]) =>
    askAbout(rows, { ...question, confirm: label }, () => action.run({ ids: rows.map(({ id }) => id) }, { name: nameOf(rows, question) }));
  const shown = { key, label, node, danger: question.danger ?? false };
  return { row: { ...shown, ...(visible ? { visible } : {}), onClick: (row) => void ask([row]) }, batch: { ...shown, onClick: ask }, ask };
}

/** "Remove" of a list's row and of its selected rows. */
export const useRemoval = <Row extends { id: number }, O>(
  endpoint: Endpoint<{ ids: number[] }, O>,
  options: Omit<RowsActionOptions<Row>, 'key' | 'label' | 'danger'>,
): RowsAction<Row> => useRowsAction(endpoint, { ...options, key: 'remove', label: 'common.remove', danger: true });

type EnablingOptions<Row> = Pick<RowsActionOptions<Row>, 'title' | 'many' | 'content' | 'name' | 'node' | 'visible'>;

/** Switches a list's row and its selected rows on and, when the question was agreed to, off. */
export function useEnabling<Row extends { id: number; enabled: boolean }>(
  endpoint: Endpoint<{ ids: number[]; enabled: boolean }, unknown>,
  { node, visible, ...question }: EnablingOptions<Row>,
): { row: RowAction<Row>; batch: BatchAction<Row>[] } {
  const askAbout = useRowsQuestion();
  const action = useAction(endpoint);
  const set = (rows: readonly Row[], enabled: boolean) => {
    const changed = rows.filter((row) => row.enabled !== enabled).map(({ id }) => id);
    const undo = changed.length > 0 ? { ids: changed, enabled: !enabled } : undefined;
    return action.run({ ids: rows.map(({ id }) => id), enabled }, { name: nameOf(rows, question), undo });
  };
  const enable = async (rows: readonly Row[]) => (await set(rows, true)) !== undefined;
  const disable = (rows: readonly Row[]) =>
    askAbout(rows, { ...question, confirm: 'common.disable', danger: true }, () => set(rows, false));
  return {
    row: {
      key: 'enabled',
      label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
      node,
      ...(visible ? { visible } : {}),
      onClick: (row) => void (row.enabled ? disable([row]) : enable([row])),
    },
    batch: [
      { key: 'enable', label: 'common.enable', node, onClick: enable },
      { key: 'disable', label: 'common.disable', node, onClick: disable },
    ],
  };
}

/** The button that opens a list's form for a new row, for holders of its node; the address can ask for the same. */
export function AddButton({ node, label, onClick }: { node: NodeKey; label: string; onClick: () => void }) {
  const { t } = useTranslation();
  useAskedAct('add', onClick, useSession().allows(node));
  return (
    <Allowed node={node}>
      <Button type="primary" icon={<PlusOutlined />} onClick={onClick}>
        {t(label)}
      </Button>
    </Allowed>
  );
}
