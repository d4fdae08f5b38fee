import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Endpoint } from '../calls/api.ts';
import { type GroupName, useAction } from '../calls/query.ts';
import { Allowed } from '../calls/session.tsx';
import type { BatchAction, RowAction } from '../list/types.ts';
import { useConfirm } from './confirm.tsx';

type RemovalOptions<Row> = {
  node: NodeKey;
  /** The question about one row, as a message key with what `name` gives. */
  title: string;
  /** The question about `number` rows. */
  many: string;
  /** What will happen, in words. */
  content: string;
  name: (row: Row) => Record<string, string>;
  visible?: (row: Row) => boolean;
  invalidates?: readonly GroupName[];
};

/** "Remove" of a list's row and of its selected rows: asks in words, then calls `remove` with the `ids`. */
export function useRemoval<Row extends { id: number }, O>(
  endpoint: Endpoint<{ ids: number[] }, O>,
  { node, title, many, content, name, visible, invalidates = [] }: RemovalOptions<Row>,
): { row: RowAction<Row>; batch: BatchAction<Row>; ask: (rows: readonly Row[]) => Promise<boolean> } {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const remove = useAction(endpoint, { invalidates });

  async function ask(rows: readonly Row[]): Promise<boolean> {
    const [first] = rows;
    if (!first) return false;
    const question = rows.length === 1 ? t(title, name(first)) : t(many, { number: rows.length });
    const agreed = await confirm({ title: question, content, confirm: 'common.remove', danger: true });
    return agreed && (await remove.run({ ids: rows.map((row) => row.id) })) !== undefined;
  }

  const shown = { key: 'remove', label: 'common.remove', node, danger: true };
  return { row: { ...shown, ...(visible ? { visible } : {}), onClick: (row) => void ask([row]) }, batch: { ...shown, onClick: ask }, ask };
}

/** The button that opens a list's form for a new row, for holders of its node. */
export function AddButton({ node, label, onClick }: { node: NodeKey; label: string; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Allowed node={node}>
      <Button type="primary" icon={<PlusOutlined />} onClick={onClick}>
        {t(label)}
      </Button>
    </Allowed>
  );
}
