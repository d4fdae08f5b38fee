import type { ReactNode } from 'react';
import { Page } from './feedback/Page.tsx';
import { ListView, type ListViewProps } from './list/ListView.tsx';
import type { Column, ListProps } from './list/types.ts';
import { useLocalListState, useUrlListState } from './list/useListState.ts';

export type { BatchAction, Column, Filter, ListProps, RowAction } from './list/types.ts';

const sortableKeys = (columns: readonly Column<never>[]) => columns.filter((column) => column.sortable).map((column) => column.key);

/** A list screen: filters, columns, sort and page in the address, everything else of a list around them. */
export function ListPage<I extends object, Row extends object>({
  title,
  help,
  actions,
  above,
  ...list
}: ListProps<I, Row> & {
  title: string;
  help?: ReactNode;
  actions?: ReactNode /** What is said of all rows before they are listed. */;
  above?: ReactNode;
}) {
  const state = useUrlListState(list.filters ?? [], sortableKeys(list.columns), list.defaultSort);
  return (
    <Page title={title} help={help} actions={actions} fills>
      {above}
      <ListView {...(list as ListViewProps<I, Row>)} state={state} />
    </Page>
  );
}

/** The same list inside a drawer, a tab or a page, with its state kept to itself. */
export function ListTable<I extends object, Row extends object>(list: ListProps<I, Row>) {
  const state = useLocalListState(list.filters ?? [], sortableKeys(list.columns), list.defaultSort);
  return <ListView {...(list as ListViewProps<I, Row>)} state={state} isEmbedded />;
}
