import { type AnyColumn, and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, SelectedFieldsFlat } from 'drizzle-orm/pg-core';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Page } from '../../../contract/kit/page.ts';
import type { Context } from '../calls/context.ts';
import { invalidField, notFound, violatedConstraint } from '../calls/errors.ts';
import { changesBetween } from './changes.ts';
import { isOneOf, list } from './list.ts';
import { rankFor } from './ranks.ts';

type RowTable = PgTable & { id: PgColumn };
type Fields = SelectedFieldsFlat & Record<string, AnyColumn | SQL>;
type Stored<T extends RowTable> = T['$inferSelect'];
type Written<T extends RowTable> = Partial<T['$inferInsert']>;
type ListInput<F> = { page?: number; page_size?: number; sort?: keyof F & string; order?: 'asc' | 'desc' };
type Joins = readonly (readonly [PgTable, SQL])[];

type RowsOptions<T extends RowTable, F extends Fields> = {
  /** What is shown of a row, and what it can be sorted by. A field of a joined table is null where nothing was joined. */
  fields: F;
  /** Left-joined with their conditions. */
  joins?: Joins;
  /** The column of the owner's user id. Rows without an owner belong to the site: all that may make the call reach them. */
  scope?: PgColumn;
  /** The field at fault where a unique constraint is violated, by the constraint's name. */
  unique?: Readonly<Record<string, string>>;
  /**
   * Refuses what must not be written, and may return further values to write.
   * @param before the stored row that is changed; undefined for a new one
   */
  check?: (values: Written<T>, context: Context, before: Stored<T> | undefined) => Promise<Written<T> | undefined>;
};

/**
 * Reading and writing the rows of one table for the calls that `crud` declares. Each function serves a call as it is, or is a piece of a
 * service's own; changes lock their rows in the order of ids, so that two never wait for each other, and tell the audit row what changed.
 */
export function rowsOf<T extends RowTable, F extends Fields>(
  table: T,
  { fields, joins = [], scope, unique = {}, check }: RowsOptions<T, F>,
) {
  type Row = SelectResultFields<F>;
  const columns: Record<string, unknown> = getTableColumns(table);
  const touched = 'updated_at' in columns ? { updated_at: sql`now()` } : {};
  // Drizzle's types cannot follow a table that is a parameter: what its columns hold is said by `Stored` and `Written` here.
  const stored = (rows: unknown): Stored<T>[] => rows as Stored<T>[];
  const values = (written: Written<T>) => written as never;

  const seen = ({ scope: caller }: Context): SQL | undefined => scope && caller.sees(scope);
  const changeable = ({ scope: caller }: Context): SQL | undefined => scope && caller.changes(scope);

  const withFieldNamed = <R>(change: Promise<R>): Promise<R> =>
    change.catch((error: unknown) => {
      const field = unique[violatedConstraint(error) ?? ''];
      throw field ? invalidField(field, 'taken') : error;
    });

  const page = (input: ListInput<F>, context: Context, where?: SQL): Promise<Page<Row>> =>
    list(context.db, input, { fields, from: table, joins, where: and(seen(context), where), sorts: fields, key: table.id });

  /** @throws 404 also where the row is another user's */
  async function read(id: number, context: Context): Promise<Row> {
    const query = context.db
      .select(fields)
      .from(table as PgTable)
      .$dynamic();
    for (const [joined, on] of joins) query.leftJoin(joined, on);
    const found = (await query.where(and(eq(table.id, id), seen(context)))) as Row[];
    if (!found[0]) throw notFound();
    return found[0];
  }

  /** The rows of these ids that the caller may change, locked until the transaction ends; the others are left out. */
  async function lock(ids: readonly number[], context: Context): Promise<Stored<T>[]> {
    const query = context.db.select().from(table as PgTable);
    return stored(
      await query
        .where(and(isOneOf(table.id, ids), changeable(context)))
        .orderBy(asc(table.id))
        .for('update'),
    );
  }

  const idsOf = (rows: readonly Stored<T>[]): number[] => rows.map((row) => Number(row.id));

  async function add(input: T['$inferInsert'], context: Context): Promise<Row> {
    const further = await check?.(input, context, undefined);
    const insert = context.db
      .insert(table)
      .values(values({ ...input, ...further }))
      .returning({ id: table.id });
    const [added] = (await withFieldNamed(Promise.resolve(insert))) as { id: number }[];
    if (!added) throw new Error('the new row was not returned');
    return read(added.id, context);
  }

  async function change({ id, ...rest }: { id: number } & Written<T>, context: Context): Promise<Row> {
    const input = rest as unknown as Written<T>;
    const [before] = await lock([id], context);
    if (!before) throw notFound();
    const written = { ...input, ...(await check?.(input, context, before)) };
    const update = context.db
      .update(table)
      .set(values({ ...written, ...touched }))
      .where(eq(table.id, id));
    await withFieldNamed(Promise.resolve(update));
    context.audit(changesBetween(before, { ...before, ...written }));
    return read(id, context);
  }

  async function remove({ ids }: { ids: readonly number[] }, context: Context): Promise<{ affected: number }> {
    const rows = await lock(ids, context);
    await context.db.delete(table).where(isOneOf(table.id, idsOf(rows)));
    context.audit({ before: rows });
    return { affected: rows.length };
  }

  /** Of tables with the column `enabled`. */
  async function setEnabled(
    { ids, enabled }: { ids: readonly number[]; enabled: boolean },
    context: Context,
  ): Promise<{ affected: number }> {
    const rows = await lock(ids, context);
    const changed = idsOf(rows.filter((row) => row.enabled !== enabled));
    const update = context.db.update(table).set({ enabled, ...touched } as never);
    await update.where(isOneOf(table.id, changed));
    context.audit({ before: { ids: changed, enabled: !enabled }, after: { enabled } });
    return { affected: rows.length };
  }

  /** Of tables with the column `sort`: for null the first rank of all, or of those that `among` names. */
  async function setSort({ id, sort }: { id: number; sort: number | null }, context: Context, among?: SQL): Promise<Row> {
    const ranked = { sort: await rankFor(context.db, table as unknown as Parameters<typeof rankFor>[1], sort, among) };
    return change({ id, ...ranked } as unknown as { id: number } & Written<T>, context);
  }

  return { page, read, lock, add, change, remove, setEnabled, setSort };
}
