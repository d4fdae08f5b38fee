import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../postgres/database.ts';

/** Any constant, as long as nothing else in the product locks it. */
const rankLock = 7_301_190_261;

type Ranked = PgTable & { sort: PgColumn };

/**
 * The rank a row gets: the one asked for, or for null the first free one before all others that `among` names. A caller that asks for that
 * waits until others who did have finished, so that two rows moved to the top at once don't share a rank.
 */
export async function rankFor(db: Database, table: Ranked, sort: number | null, among?: SQL): Promise<number> {
  if (sort !== null) return sort;
  await db.execute(sql`SELECT pg_advisory_xact_lock(${rankLock})`);
  const { rows } = await db.execute<{ next: number }>(
    sql`SELECT least(coalesce(max(${table.sort})::float8, 0) + 1, 2147483647) AS next FROM ${table} WHERE ${among ?? sql`true`}`,
  );
  return rows[0]?.next ?? 1;
}
