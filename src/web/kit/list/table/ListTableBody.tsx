import { Table, type TableColumnType } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../../texts/text.ts';
import { cell } from '../Cards.tsx';
import { labelOf, RowActions, splitActions } from '../RowActions.tsx';
import type { Column, Density, RowAction } from '../types.ts';
import type { ListState } from '../useListState.ts';
import type { useSelection } from '../useSelection.ts';
import { Later } from './Later.tsx';
import { useRoom } from './useRoom.ts';
import { isLongPage, useSliced } from './useSliced.ts';

type BodyProps<Row extends object> = {
  /** Undefined while the first answer is awaited. */
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  density: Density;
  /** In a drawer or a tab: as high as its rows, up to a part of the window. */
  isEmbedded: boolean;
  keyOf: (row: Row) => string | number;
  actions: readonly RowAction<Row>[];
  state: ListState;
  selection?: ReturnType<typeof useSelection<Row>>;
  expandable?: { render: (row: Row) => ReactNode; visible?: (row: Row) => boolean };
  onRowClick?: (row: Row) => void;
};

const order = { asc: 'ascend', desc: 'descend' } as const;
const usualWidth = 160;
/** A column grows with its contents to so many times its width; a longer text is cut. */
const mostGrowth = 1.6;
const embeddedShare = 0.6;
const skeletonRows = Array.from({ length: 10 }, (_, at) => at);

/** Room for the widest row's acts: a Chinese character takes the width of two Latin letters. */
function actionsWidth<Row>(rows: readonly Row[], actions: readonly RowAction<Row>[], text: (key: string) => string): number {
  const widthOf = (words: string) => [...words].reduce((sum, character) => sum + (character > '\u2E7F' ? 13.5 : 7.5), 14);
  const needed = rows.map((row) => {
    const { direct, rest } = splitActions(row, actions);
    const labels = direct.map((action) => widthOf(text(labelOf(action, row))));
    return labels.reduce((sum, width) => sum + width, rest.length > 0 ? 28 : 0);
  });
  return Math.ceil(Math.max(64, ...needed)) + 24;
}

/** The table of a wide screen: it fills the height, its head and its outer columns stay in sight. */
export const ListTableBody = <Row extends object>(props: BodyProps<Row>): ReactNode => useSliced(props, TableBodyOf);
const TableBodyOf = <Row extends object>(props: BodyProps<Row>): ReactNode => <TableBody {...props} />;

function TableBody<Row extends object>(props: BodyProps<Row>) {
  const { rows, columns, density, actions, state, selection, expandable, onRowClick } = props;
  const { t } = useTranslation();
  const text = useText();
  const isLoading = rows === undefined;
  const isLong = isLongPage(state);
  const { frame, room } = useRoom(isLong && !props.isEmbedded);
  // Skeleton rows are row numbers under the same heads, so that nothing jumps when the rows come.
  const data = (rows ?? skeletonRows) as readonly Row[];

  const body = columns.map(
    (column, at): TableColumnType<Row> => ({
      key: column.key,
      title: text(column.title),
      width: column.width ?? (isLong ? usualWidth : undefined),
      align: column.align,
      fixed: column.fixed ?? (at === 0 ? 'start' : undefined),
      className: column.align === 'right' ? 'lc-num' : undefined,
      // A text that may be cut is read in full by pointing at it; what is rendered otherwise brings its own words.
      ellipsis: { showTitle: !column.render },
      onCell: () => ({ style: { maxWidth: (column.width ?? usualWidth) * mostGrowth } }),
      sorter: column.sortable ?? false,
      sortOrder: state.sort?.sort === column.key ? order[state.sort.order] : null,
      render: (_, row) => {
        if (isLoading) return <span className="lc-skeleton" />;
        // Fixed columns tell the rows apart and give them their height.
        return isLong && column.fixed === undefined && at > 0 ? <Later draw={() => cell(column, row)} /> : cell(column, row);
      },
    }),
  );
  // The place of the checkboxes is kept, so that the columns don't move aside when the rows come.
  if (selection && isLoading) body.unshift({ key: ' selection', width: 44, fixed: 'start', render: () => null });
  if (actions.length > 0) {
    body.push({
      key: ' actions',
      title: t('common.actions'),
      fixed: 'end',
      width: actionsWidth(rows ?? [], actions, text),
      render: (_, row) => {
        if (isLoading) return null;
        return isLong ? <Later draw={() => <RowActions row={row} actions={actions} />} /> : <RowActions row={row} actions={actions} />;
      },
    });
  }

  // Before the room is known, and without any, all rows would be built.
  const height = room > 0 ? room : Math.round(window.innerHeight * embeddedShare);
  const scroll = isLong
    ? { x: body.reduce((sum, { width }) => sum + Number(width ?? usualWidth), 0), y: height }
    : { x: 'max-content', y: props.isEmbedded ? height : '100%' };
  const table = (
    <Table<Row>
      className="lc-table"
      virtual={isLong}
      size={density}
      dataSource={data}
      rowKey={(row) => (isLoading ? String(row) : props.keyOf(row))}
      columns={body}
      pagination={false}
      showSorterTooltip={false}
      sortDirections={['descend', 'ascend']}
      scroll={scroll}
      onChange={(_pagination, _filters, sorter) => {
        const chosen = Array.isArray(sorter) ? sorter[0] : sorter;
        const key = chosen?.columnKey;
        state.setSort(chosen?.order && key ? { sort: String(key), order: chosen.order === 'ascend' ? 'asc' : 'desc' } : undefined);
      }}
      rowSelection={
        selection && !isLoading
          ? {
              fixed: 'start',
              columnWidth: 44,
              selectedRowKeys: selection.keys,
              preserveSelectedRowKeys: true,
              onChange: (keys, chosen) => selection.set(keys as (string | number)[], chosen),
              getTitleCheckboxProps: () => ({ 'aria-label': t('common.select_page') }),
              getCheckboxProps: () => ({ 'aria-label': t('common.select_row') }),
            }
          : undefined
      }
      expandable={
        expandable && !isLoading ? { expandedRowRender: expandable.render, rowExpandable: expandable.visible, columnWidth: 40 } : undefined
      }
      onRow={onRowClick && !isLoading ? (row) => ({ onClick: () => onRowClick(row), className: 'lc-row-link' }) : undefined}
    />
  );
  return (
    <div className="lc-table-frame" ref={frame}>
      {table}
    </div>
  );
}
