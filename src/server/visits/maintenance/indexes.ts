import type pg from 'pg';
import { addDays } from '../../kit/visits/site-clock.ts';
import { partitionName } from './partitions.ts';

/** So many days after its own a day gets hardly any visits any more: a full page of its index is rarely split. */
const settledDays = 2;
/** Any constant, as long as nothing else in the product locks it. */
const indexLock = 7_301_190_257;

/**
 * Writes the index by code and time of days that are over anew, without the room that visits in no order of codes left in its pages: a
 * third of it. Queries and loaders go on meanwhile. How full its pages are said to be tells that it was done: 99 of 100 until then, so that what
 * is interrupted is done again. Answers the indexes that were written.
 */
export async function compactIndexes(pool: pg.Pool, { now }: { now: Date }): Promise<string[]> {
  const client = await pool.connect();
  try {
    const { rows: locked } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_lock($1) AS is_ours', [indexLock]);
    if (!locked[0]?.is_ours) return [];
    const compacted: string[] = [];
    try {
      await dropUnfinished(client);
      const { rows } = await client.query<{ name: string }>(
        `SELECT index.relname AS name FROM pg_inherits JOIN pg_class AS index ON index.oid = inhrelid JOIN pg_index ON indexrelid = index.oid
          JOIN pg_class AS day ON day.oid = indrelid
        WHERE inhparent = 'visit_live_code_id_at_idx'::regclass AND day.relname < $1 AND NOT coalesce(index.reloptions, '{}') @> '{fillfactor=100}'
        ORDER BY day.relname DESC`,
        [partitionName(addDays(now.toISOString().slice(0, 10), -settledDays))],
      );
      for (const { name } of rows) {
        await client.query(`ALTER INDEX ${name} SET (fillfactor = 99)`);
        await client.query(`REINDEX INDEX CONCURRENTLY ${name}`);
        await client.query(`ALTER INDEX ${name} SET (fillfactor = 100)`);
        compacted.push(name);
      }
      return compacted;
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [indexLock]);
    }
  } finally {
    client.release();
  }
}

/** What a crash leaves of a new index costs every visit that comes late, and answers nobody. */
async function dropUnfinished(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT index.relname AS name FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_inherits ON inhrelid = indrelid
    WHERE inhparent = 'visit'::regclass AND NOT indisvalid AND index.relname ~ '_cc(new|old)\\d*$'`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
