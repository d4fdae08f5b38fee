import type pg from 'pg';
import { noteRemoval } from '../clickhouse/copy.ts';

/** Any constants, as long as nothing else in the product locks them. */
const partitionLock = 7_301_190_248;
const dropLock = 7_301_190_249;
const dayLength = 86_400_000;

export const partitionName = (day: string): string => `visit_${day.replaceAll('-', '')}`;

/**
 * Makes the partitions of `visit` for these UTC days where they are missing. They are made apart and then attached, which waits for no
 * query and lets none wait.
 */
export async function ensurePartitions(client: pg.ClientBase, days: Iterable<string>): Promise<void> {
  for (const day of days) {
    const name = partitionName(day);
    const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayLength).toISOString();
    await inLock(client, async () => {
      if (await isAttached(client, name)) return;
      // It may be there without being attached, where dropping it was interrupted.
      await client.query(`CREATE TABLE IF NOT EXISTS ${name} (LIKE visit INCLUDING ALL)`);
      // An index of partitions cannot say so for those to come.
      await client.query(`ALTER INDEX ${name}_at_idx SET (autosummarize = on)`);
      await client.query(`ALTER TABLE visit ATTACH PARTITION ${name} FOR VALUES FROM ('${day}T00:00:00Z') TO ('${next}')`);
    });
  }
}

/**
 * Removes the partitions of days before `day` (UTC), each detached first, so that no query waits. Needs a client of its own outside of a
 * transaction. Answers the names of those that are gone; none where another one is at it.
 */
export async function dropPartitionsBefore(client: pg.ClientBase, day: string): Promise<string[]> {
  const { rows: locked } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_lock($1) AS is_ours', [dropLock]);
  if (!locked[0]?.is_ours) return [];
  try {
    const { rows } = await client.query<{ name: string; is_attached: boolean; is_pending: boolean }>(
      `SELECT relname AS name, inhrelid IS NOT NULL AS is_attached, coalesce(inhdetachpending, false) AS is_pending
        FROM pg_class LEFT JOIN pg_inherits ON inhrelid = pg_class.oid AND inhparent = 'visit'::regclass
        WHERE relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'visit'::regclass)
          AND relkind = 'r' AND relname ~ '^visit_\\d{8}$' AND relname < $1 ORDER BY relname`,
      [partitionName(day)],
    );
    // Before they go: what is noted once too often removes nothing more.
    if (rows.length > 0) await noteRemoval(client, { codes: null, from: null, before: `${day}T00:00:00Z` });
    for (const { name, is_attached, is_pending } of rows) {
      if (is_attached) await client.query(`ALTER TABLE visit DETACH PARTITION ${name} ${is_pending ? 'FINALIZE' : 'CONCURRENTLY'}`);
      await client.query(`DROP TABLE ${name}`);
    }
    return rows.map(({ name }) => name);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [dropLock]);
  }
}

async function isAttached(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_inherits WHERE inhparent = 'visit'::regclass AND inhrelid = to_regclass($1) AND NOT inhdetachpending`,
    [name],
  );
  return rowCount === 1;
}

async function inLock(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [partitionLock]);
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
