import { type AnyColumn, and, asc, Column, desc, eq, getTableColumns, ilike, or, type SQL, type Subquery, sql } from 'drizzle-orm';
import type { PgTable, SelectedFieldsFlat } from 'drizzle-orm/pg-core';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Page } from '../../../contract/kit/page.ts';
import type { Database } from '../postgres/database.ts';

export const defaultPageSize = 20;

type ListInput<S extends string> = { page?: number; page_size?: number; sort?: S; order?: 'asc' | 'desc' };

type ListQuery<F extends SelectedFieldsFlat, S extends string> = {
  fields: F;
  from: PgTable;
  /** Tables, subqueries and plain SQL such as `(SELECT …) name`, left-joined to `from` with their conditions. */
  joins?: readonly (readonly [PgTable | Subquery | SQL, SQL])[];
  where?: SQL | undefined;
  /** What each sort of the contract sorts by; a table's own columns can be spread into it. */
  sorts: Readonly<Record<S, AnyColumn | SQL>>;
  /** The unique column that makes every order a stable one, and newest first where no sort is asked for. */
  key: AnyColumn;
};

/**
 * One page of a list, with the number of rows on all pages. A field of a joined table must be declared nullable by its query:
 * the rows are typed by `fields` alone.
 */
export async function list<F extends SelectedFieldsFlat, S extends string>(
  db: Database,
  input: ListInput<S>,
  { fields, from, joins = [], where, sorts, key }: ListQuery<F, S>,
): Promise<Page<SelectResultFields<F>>> {
  const { page = 1, page_size = defaultPageSize } = input;
  const offset = (page - 1) * page_size;
  const query = db
    .select({ row: fields, total: sql<number>`count(*) OVER ()`.mapWith(Number) })
    .from(from)
    .$dynamic();
  for (const [table, on] of joins) query.leftJoin(table, on);
  const rows = await query
    .where(where)
    .orderBy(...orderOf(input, sorts, key))
    .limit(page_size)
    .offset(offset);
  // A page beyond the last has no row that could tell the total.
  const total = rows[0]?.total ?? (offset === 0 ? 0 : await countRows(db, { from, joins, where }));
  // The query selects exactly `fields` below `row`; drizzle's type for a generic selection can't say so.
  return { content: rows.map((found) => found.row) as SelectResultFields<F>[], total, page, page_size };
}

export type CountedRows = Pick<ListQuery<SelectedFieldsFlat, never>, 'joins' | 'where'> & { from: PgTable | SQL };

export async function countRows(db: Database, { from, joins = [], where }: CountedRows): Promise<number> {
  const query = db
    .select({ total: sql<number>`count(*)`.mapWith(Number) })
    .from(from)
    .$dynamic();
  for (const [table, on] of joins) query.leftJoin(table, on);
  const [counted] = await query.where(where);
  return counted?.total ?? 0;
}

/** The columns to order by; the key makes every order a stable one. */
export function orderOf<S extends string>(
  { sort, order }: ListInput<S>,
  sorts: Readonly<Record<S, AnyColumn | SQL>>,
  key: AnyColumn,
): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  const last = direction(key);
  const column = sort && sorts[sort];
  if (!column || column === key) return [last];
  // Rows without a value stand last in both orders; a column that always has one keeps the form an index can serve.
  const canBeNull = !(column instanceof Column) || !column.notNull;
  return [canBeNull ? sql`${direction(column)} NULLS LAST` : direction(column), last];
}

/** The columns hold the text somewhere, whatever its case; no condition without a text. `%`, `_` and `\` stand for themselves. */
export function contains(columns: AnyColumn | readonly AnyColumn[], text: string | undefined): SQL | undefined {
  const wanted = text?.trim();
  if (!wanted) return undefined;
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  return or(...[columns].flat().map((column) => ilike(column as Column, pattern)));
}

/** The column has this value; no condition where the filter isn't set. */
export const equals = (column: AnyColumn, value: unknown): SQL | undefined =>
  value === undefined ? undefined : eq(column as Column, value);

/** The columns of these names have these values; no condition where a filter isn't set. */
export const matches = <T extends PgTable>(
  table: T,
  filters: Partial<Record<keyof T['$inferSelect'] & string, unknown>>,
): SQL | undefined => and(...Object.entries(filters).map(([name, value]) => equals(getTableColumns(table)[name] as AnyColumn, value)));

/** The column holds one of the ids, sent as one parameter however many they are. */
export const isOneOf = (column: AnyColumn, ids: readonly number[]): SQL => sql`${column} = ANY(${sql.param([...ids])}::bigint[])`;

/** The moment falls on one of these days of the time zone, both included; an end left open is not limited. */
export function betweenDays(column: AnyColumn | SQL, { from, to }: { from?: string; to?: string }, timeZone: string): SQL | undefined {
  return and(
    from === undefined ? undefined : sql`${column} >= ${from}::date::timestamp AT TIME ZONE ${timeZone}`,
    to === undefined ? undefined : sql`${column} < (${to}::date + 1)::timestamp AT TIME ZONE ${timeZone}`,
  );
}
