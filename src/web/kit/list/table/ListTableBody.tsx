import { Table, type TableColumnType, type TableProps } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../../texts/text.ts';
import { cell } from '../Cards.tsx';
import { labelOf, RowActions, splitActions } from '../RowActions.tsx';
import type { Column, Density, RowAction } from '../types.ts';
import type { ListState } from '../useListState.ts';
import type { useSelection } from '../useSelection.ts';
import { fitColumns, usualWidth, withRoomForHead, withRoomForWords } from './fitColumns.ts';
import { Later } from './Later.tsx';
import { useRoom } from './useRoom.ts';
import { isLongPage, useSliced } from './useSliced.ts';
import { wordsWidth } from './wordsWidth.ts';

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
const embeddedShare = 0.6;
const menuWidth = 260;
const [selectionWidth, expanderWidth] = [44, 40];
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

/** The columns as antd takes them, with a place for the checkboxes and the acts of a row. */
function useTableColumns<Row extends object>({ rows, columns, actions, state, selection }: BodyProps<Row>, isLong: boolean) {
  const { t } = useTranslation();
  const text = useText();
  const isLoading = rows === undefined;
  const body = columns.map(
    (column, at): TableColumnType<Row> => ({
      key: column.key,
      title: text(column.title),
      width: column.width ?? usualWidth,
      align: column.align,
      fixed: column.fixed ?? (at === 0 ? 'start' : undefined),
      className: column.align === 'right' ? 'lc-num' : undefined,
      // A text that may be cut is read in full by pointing at it; what is rendered otherwise brings its own words.
      ellipsis: { showTitle: !column.render },
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
  if (selection && isLoading) body.unshift({ key: ' selection', width: selectionWidth, fixed: 'start', render: () => null });
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
  return body;
}

/** The columns for which the frame has room, and those whose fields stand below a row that is opened. */
function useFitted<Row extends object>({ rows, actions, selection, expandable, ...given }: BodyProps<Row>, width: number) {
  const text = useText();
  const columns = given.columns.map((column) => {
    const words = new Set((column.words && rows?.map(column.words)) ?? []);
    const widest = Math.max(0, ...[...words].map((key) => wordsWidth(text(key))));
    return withRoomForWords(withRoomForHead(column, text(column.title)), widest);
  });
  const others =
    (selection ? selectionWidth : 0) +
    (actions.length > 0 ? actionsWidth(rows ?? [], actions, text) : 0) +
    (expandable ? expanderWidth : 0);
  // Before the frame was measured: the window without the menu.
  const room = (width > 0 ? width : window.innerWidth - menuWidth) - others;
  const all = fitColumns(columns, room);
  return all.rest.length === 0 || expandable ? all : fitColumns(columns, room - expanderWidth);
}

/** What has no room beside the row's other fields. */
function RowRest<Row extends object>({ row, columns, more }: { row: Row; columns: readonly Column<Row>[]; more: ReactNode }) {
  const text = useText();
  return (
    <>
      {columns.length > 0 && (
        <dl className="lc-row-rest">
          {columns.map((column) => (
            <div key={column.key}>
              <dt>{text(column.title)}</dt>
              <dd>{cell(column, row)}</dd>
            </div>
          ))}
        </dl>
      )}
      {more}
    </>
  );
}

/** Checkboxes before the rows; none while they are loading. */
function useRowSelection<Row extends object>(selection: BodyProps<Row>['selection'], isLoading: boolean): TableProps<Row>['rowSelection'] {
  const { t } = useTranslation();
  if (!selection || isLoading) return undefined;
  return {
    fixed: 'start',
    columnWidth: selectionWidth,
    selectedRowKeys: selection.keys,
    preserveSelectedRowKeys: true,
    onChange: (keys, chosen) => selection.set(keys as (string | number)[], chosen),
    getTitleCheckboxProps: () => ({ 'aria-label': t('common.select_page') }),
    getCheckboxProps: () => ({ 'aria-label': t('common.select_row') }),
  };
}

function TableBody<Row extends object>(props: BodyProps<Row>) {
  const { rows, density, state, expandable, onRowClick } = props;
  const isLoading = rows === undefined;
  const isLong = isLongPage(state);
  const { frame, room } = useRoom();
  const { shown, rest } = useFitted(props, room.width);
  // Skeleton rows are row numbers under the same heads, so that nothing jumps when the rows come.
  const data = (rows ?? skeletonRows) as readonly Row[];

  const body = useTableColumns({ ...props, columns: shown }, isLong);
  const rowSelection = useRowSelection(props.selection, isLoading);
  // Before the room is known, and without any, all rows would be built.
  const height = room.height > 0 && !props.isEmbedded ? room.height : Math.round(window.innerHeight * embeddedShare);
  const widths = body.reduce((sum, { width }) => sum + Number(width ?? usualWidth), 0);
  const scroll = { x: isLong ? widths : undefined, y: isLong || props.isEmbedded ? height : '100%' };
  const table = (
    <Table<Row>
      className="lc-table"
      virtual={isLong}
      size={density}
      tableLayout="fixed"
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
      rowSelection={rowSelection}
      expandable={
        isLoading || (!expandable && rest.length === 0)
          ? undefined
          : {
              columnWidth: expanderWidth,
              expandedRowRender: (row) => <RowRest row={row} columns={rest} more={expandable?.render(row)} />,
              rowExpandable: (row) => rest.length > 0 || (expandable?.visible?.(row) ?? true),
            }
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
