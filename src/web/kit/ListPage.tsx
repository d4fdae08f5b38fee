import type { ReactNode } from 'react';
import type { Page as PageOf } from '../../contract/kit/page.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import type { Endpoint } from './api.ts';
import type { EmptyProps } from './feedback/Empty.tsx';
import { Page } from './feedback/Page.tsx';
import { ListView, type ListViewProps } from './list/ListView.tsx';
import type { BatchAction, Column, Filter, RowAction, Sort } from './list/types.ts';
import { useLocalListState, useUrlListState } from './list/useListState.ts';

export type { BatchAction, Column, Filter, RowAction } from './list/types.ts';

export type ListProps<I extends object, Row extends object> = {
  /** A list call of the contract. */
  list: Endpoint<I, PageOf<Row>>;
  columns: readonly Column<Row>[];
  filters?: readonly Filter<keyof I & string>[];
  rowActions?: readonly RowAction<Row>[];
  batchActions?: readonly BatchAction<Row>[];
  /** The row's field that names it; default `id`. */
  rowKey?: keyof Row & string;
  /** First part of the CSV file's name (message key or text); without it there is no export. */
  exportName?: string;
  exportNode?: NodeKey;
  defaultSort?: Sort;
  expandable?: { render: (row: Row) => ReactNode; visible?: (row: Row) => boolean };
  /** Asks again every so many seconds while the page is in sight. */
  pollSeconds?: number;
  /** Replaces the content of a phone's card. */
  card?: (row: Row) => ReactNode;
  /** What the list is for and its first action, while it has no rows at all. */
  empty?: EmptyProps;
  onRowClick?: (row: Row) => void;
  /** Input that isn't a filter, such as the code whose visits are listed. */
  fixedInput?: Partial<I>;
  /** Names the arrangement kept per user, where a call serves several lists; default the call's group. */
  name?: string;
};

const sortableKeys = (columns: readonly Column<never>[]) => columns.filter((column) => column.sortable).map((column) => column.key);

/** A list screen: filters, columns, sort and page in the address, everything else of a list around them. */
export function ListPage<I extends object, Row extends object>({
  title,
  help,
  actions,
  ...list
}: ListProps<I, Row> & { title: string; help?: ReactNode; actions?: ReactNode }) {
  const state = useUrlListState(list.filters ?? [], sortableKeys(list.columns), list.defaultSort);
  return (
    <Page title={title} help={help} actions={actions} fills>
      <ListView {...(list as ListViewProps<I, Row>)} state={state} />
    </Page>
  );
}

/** The same list inside a drawer, a tab or a page, with its state kept to itself. */
export function ListTable<I extends object, Row extends object>(list: ListProps<I, Row>) {
  const state = useLocalListState(list.filters ?? [], sortableKeys(list.columns), list.defaultSort);
  return <ListView {...(list as ListViewProps<I, Row>)} state={state} isEmbedded />;
}
