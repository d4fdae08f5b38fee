import type { ReactNode } from 'react';
import type { CursorPage, Page } from '../../../contract/kit/page.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Endpoint } from '../calls/api.ts';
import type { EmptyProps } from '../feedback/Empty.tsx';
import type { Option, RemoteOptions } from '../options.ts';

/** All texts (`title`, `label`, `placeholder`) are message keys or finished text. */
export type Column<Row> = {
  /** The row's field shown, exported and sorted by, unless `render` and `exportValue` say otherwise. */
  key: string;
  title: string;
  render?: (row: Row) => ReactNode;
  width?: number;
  /** The message key of all that a cell says, where it says one of a few words: its column is as wide as those of the rows shown. */
  words?: (row: Row) => string;
  /** Figures stand right. */
  align?: 'left' | 'center' | 'right';
  /** The call can sort by this key. */
  sortable?: boolean;
  /** The first and the last columns may stay in sight while the others scroll. */
  fixed?: 'start' | 'end';
  hiddenByDefault?: boolean;
  /** What a CSV cell holds (a message key is translated); false leaves the column out of exports. */
  exportValue?: ((row: Row) => string | number | boolean | null) | false;
  /** Where the field stands on a phone's card; without any, the first column is the title and three more follow. */
  card?: 'title' | 'aside' | 'field';
  node?: NodeKey;
};

type FilterKind<K extends string> =
  | { kind: 'text'; key: K; placeholder?: string }
  | { kind: 'select'; key: K; options: readonly Option[] }
  | { kind: 'boolean'; key: K; yes?: string; no?: string }
  | { kind: 'remote'; key: K; source: RemoteOptions }
  /** A range of days in the site's time zone, both included. */
  | { kind: 'date_range'; key: K; to: K /** The days of an end, which lies ahead. */; ahead?: boolean };

export type Filter<K extends string = string> = FilterKind<K> & {
  label: string;
  /** Stands behind "more". */
  more?: boolean;
  node?: NodeKey;
};

export type RowAction<Row> = {
  key: string;
  label: string | ((row: Row) => string);
  onClick: (row: Row) => void;
  icon?: ReactNode;
  node?: NodeKey;
  danger?: boolean;
  /** The menu's title (message key or text) under which the act stands; acts without one stand beside the menu. */
  group?: string;
  visible?: (row: Row) => boolean;
  disabled?: (row: Row) => boolean;
};

/** A call that starts an export; its input is the list's filters and the format. */
export type ExportCall = Endpoint<never, { operation_id: number }>;

/** A row that was selected beyond the pages one has seen is known by its id only. */
export type SelectedRow<Row> = Pick<Row, 'id' & keyof Row> & Partial<Row>;

/** What is done to the selected rows; resolving to true clears the selection. With `byId` it takes rows of which only the id is known. */
export type BatchAction<Row> = { key: string; label: string; icon?: ReactNode; node?: NodeKey; danger?: boolean } & (
  | { byId?: false; onClick: (rows: Row[]) => Promise<boolean | undefined> | undefined }
  | { byId: true; onClick: (rows: SelectedRow<Row>[]) => Promise<boolean | undefined> | undefined }
);

export type Sort = { sort: string; order: 'asc' | 'desc' };
export type Density = 'small' | 'medium' | 'large';
export type FilterValues = Record<string, string | number | boolean>;

export type ListProps<I extends object, Row extends object> = {
  /** A list call of the contract, by page numbers (`listInput`) or going on from row to row (`cursorInput`). */
  list: Endpoint<I, Page<Row>> | Endpoint<I, CursorPage<Row>>;
  columns: readonly Column<Row>[];
  filters?: readonly Filter<keyof I & string>[];
  rowActions?: readonly RowAction<Row>[];
  batchActions?: readonly BatchAction<Row>[];
  /** The ids of all rows that fit the filters, so that more can be selected than a page shows. */
  allIds?: Endpoint<Omit<I, 'page' | 'page_size'>, { ids: number[]; is_cut: boolean }>;
  /** The row's field that names it; default `id`. */
  rowKey?: keyof Row & string;
  /** First part of the CSV file's name (message key or text); without it there is no export. */
  exportName?: string;
  exportNode?: NodeKey;
  /** Exports as an operation instead of page by page, for lists without end; it takes the list's filters. */
  exportCall?: ExportCall;
  /** What `exportCall` takes besides the filters, where it serves wider lists than this one. */
  exportInput?: object | undefined;
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
