import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../postgres/database.ts';

/** Asks for rows of a table that nobody else is working on. */
export type LeaseRequest = {
  table: string;
  /** The column that names a row; `id` unless said. */
  key?: string;
  /** A SELECT of the key, and of what is to be answered from other tables, in the order of need and with a LIMIT. Names the table without an alias. */
  due: SQL;
  /** What marks a row as taken: a lease, or that it is done with. */
  set: SQL;
  /** Columns of the table after the change, and of `due`. */
  returning: SQL;
};

/**
 * Takes due rows in one statement: of any number of workers that ask at once each gets others, and none waits. The rows come in no
 * particular order.
 */
export async function claim<Row extends Record<string, unknown>>(
  db: Database,
  { table, key = 'id', due, set, returning }: LeaseRequest,
): Promise<Row[]> {
  const [own, name] = [sql.identifier(table), sql.identifier(key)];
  const { rows } = await db.execute<Row>(sql`
    WITH due AS (${due} FOR UPDATE OF ${own} SKIP LOCKED)
    UPDATE ${own} SET ${set} FROM due WHERE ${own}.${name} = due.${name} RETURNING ${returning}`);
  return rows as Row[];
}
