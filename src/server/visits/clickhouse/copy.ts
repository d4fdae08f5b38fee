import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type pg from 'pg';
import { lockFacts } from '../facts/versions.ts';

/** What of the copy is to be removed: all before a moment, of these codes or of all; of one day (UTC) only where that is named. */
export type Removal = { codes: number[] | null; from: string | null; before: string };

type Queries = Pick<pg.ClientBase, 'query'>;

const compress = promisify(zstdCompress);
const quick = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Notes rows of a batch to be sent, within its transaction. */
export async function noteLines(client: Queries, lines: string): Promise<void> {
  if (lines === '') return;
  await client.query({
    name: 'note_lines',
    text: 'INSERT INTO visit_copy_entry (lines) VALUES ($1)',
    values: [await compress(lines, quick)],
  });
}

/** Notes what was removed from `visit`, or is about to be, where there is a copy. */
export async function noteRemoval(client: Queries, removal: Removal): Promise<void> {
  await client.query('INSERT INTO visit_copy_entry (removal) SELECT $1 FROM visit_copy WHERE began_at IS NOT NULL', [
    JSON.stringify(removal),
  ]);
}

export type Copy = { tag: string; database: string; schema_version: number; pieces: number };

export async function readCopy(client: Queries): Promise<Copy | undefined> {
  const { rows } = await client.query<Copy>(
    'SELECT tag, database, schema_version, pieces::float8 FROM visit_copy WHERE began_at IS NOT NULL',
  );
  return rows[0];
}

/**
 * From here on, every batch notes what it adds; all that was loaded before is to be moved. It waits for the batches under way, so that each
 * row belongs to one side.
 */
export async function beginCopy(client: pg.ClientBase, database: string, schema_version: number): Promise<void> {
  await inTransaction(client, async () => {
    // On the disk with all that it divides: a crash of the server must not take back a batch that counts as one from before.
    await client.query('SET LOCAL synchronous_commit = on');
    await client.query(lockFacts);
    await client.query('TRUNCATE visit_copy_entry, visit_copy_day');
    await client.query('UPDATE journal_segment SET copied_from = loaded_offset');
    await client.query(
      'UPDATE visit_copy SET tag = $1, database = $2, schema_version = $3, pieces = 0, began_at = clock_timestamp(), whole_at = NULL',
      [randomBytes(6).toString('hex'), database, schema_version],
    );
  });
}

/** Forgets the copy: nothing more is noted for it, and PostgreSQL answers alone. */
export async function endCopy(client: pg.ClientBase): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(lockFacts);
    await client.query('UPDATE visit_copy SET tag = NULL, database = NULL, schema_version = 0, began_at = NULL, whole_at = NULL');
    await client.query('TRUNCATE visit_copy_entry, visit_copy_day');
  });
}

export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  try {
    await client.query('BEGIN');
    const answer = await work();
    await client.query('COMMIT');
    return answer;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Any constant, as long as nothing else in the product locks it. */
const copyLock = 7_301_190_260;

/** Runs the work while nobody else writes to the copy; answers undefined where somebody does. */
export async function whileAlone<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T | undefined> {
  const { rows } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_lock($1) AS is_ours', [copyLock]);
  if (!rows[0]?.is_ours) return undefined;
  try {
    return await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [copyLock]);
  }
}
