import type { ReactNode } from 'react';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Option, RemoteOptions } from '../options.ts';

/** All texts (`title`, `label`, `placeholder`) are message keys or finished text. */
export type Column<Row> = {
  /** The row's field shown, exported and sorted by, unless `render` and `exportValue` say otherwise. */
  key: string;
  title: string;
  render?: (row: Row) => ReactNode;
  width?: number;
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
  | { kind: 'date_range'; key: K; to: K };

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
  visible?: (row: Row) => boolean;
  disabled?: (row: Row) => boolean;
};

export type BatchAction<Row> = {
  key: string;
  label: string;
  /** Resolving to true clears the selection. */
  onClick: (rows: Row[]) => Promise<boolean | undefined> | undefined;
  icon?: ReactNode;
  node?: NodeKey;
  danger?: boolean;
};

export type Sort = { sort: string; order: 'asc' | 'desc' };
export type Density = 'small' | 'medium' | 'large';
export type FilterValues = Record<string, string | number | boolean>;
