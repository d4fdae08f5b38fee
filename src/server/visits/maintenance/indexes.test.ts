import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { compactIndexes } from './indexes.ts';
import { ensurePartitions, partitionName } from './partitions.ts';

const [settled, recent] = ['2026-03-08', '2026-03-09'];
const now = new Date('2026-03-11T04:30:00Z');
const indexOf = (day: string): string => `${partitionName(day)}_live_code_id_at_idx`;

let database: TestDatabase;
let pool: pg.Pool;

const all = async (query: string) => (await pool.query(query)).rows;
const pagesOf = async (index: string): Promise<number> =>
  (await all(`SELECT pg_relation_size('${index}') / 8192 AS pages`)).map(({ pages }) => Number(pages))[0] ?? 0;
/** Visits as they come: by time, in no order of codes. */
const visit = (day: string, number: number) =>
  pool.query(
    `INSERT INTO visit (id, at, live_code_id, ip, host_id, path_id, agent_id, place_id, outcome, unique_ip, first_visit)
     SELECT n, $1::timestamptz + n * interval '1 second', n * 7919 % 997, '9.9.9.9', 1, 1, 1, 1, 0, false, false FROM generate_series(1, $2) AS n`,
    [`${day}T00:00:00Z`, number],
  );

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => {});
  const client = await pool.connect();
  await ensurePartitions(client, [settled, recent]);
  client.release();
  for (const day of [settled, recent]) await visit(day, 20_000);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('every index by time asks to be summarized as rows come, on days that were there before and on new ones', async () => {
  const client = await pool.connect();
  await ensurePartitions(client, ['2026-03-10']);
  client.release();
  await pool.query(`ALTER INDEX ${partitionName(settled)}_at_idx RESET (autosummarize)`);
  await pool.query(readFileSync(new URL('../../../../migrations/0061-newest-visits.sql', import.meta.url), 'utf8'));
  const days =
    await all(`SELECT index.reloptions, indrelid::regclass::text AS day FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
    WHERE relam = (SELECT oid FROM pg_am WHERE amname = 'brin') AND relkind = 'i'`);
  expect(days.map(({ day }) => day)).toEqual(expect.arrayContaining([settled, recent, '2026-03-10'].map(partitionName)));
  expect(days.filter(({ reloptions }) => !reloptions?.includes('autosummarize=on'))).toEqual([]);
});

test('the index of a day takes less room once the day is settled, and is written anew only once', async () => {
  const [before, ofRecent] = [await pagesOf(indexOf(settled)), await pagesOf(indexOf(recent))];
  // Two workers at once.
  const compacted = await Promise.all([compactIndexes(pool, { now }), compactIndexes(pool, { now })]);
  expect(compacted.flat()).toEqual([indexOf(settled)]);
  expect(await pagesOf(indexOf(settled))).toBeLessThan(0.8 * before);
  expect(await pagesOf(indexOf(recent))).toBe(ofRecent);
  expect(await compactIndexes(pool, { now })).toEqual([]);

  // It answers, and takes what comes late.
  await visit(settled, 100);
  expect(await all(`SELECT indisvalid FROM pg_index WHERE indexrelid = '${indexOf(settled)}'::regclass`)).toEqual([{ indisvalid: true }]);
  const client = await pool.connect();
  await client.query('BEGIN; SET LOCAL enable_seqscan = off');
  const { rows: found } = await client.query(`
    SELECT (SELECT count(*)::int FROM visit WHERE live_code_id = 7919 % 997 AND at < '2026-03-09T00:00:00Z') AS indexed,
      (SELECT count(*)::int FROM visit WHERE live_code_id + 0 = 7919 % 997 AND at < '2026-03-09T00:00:00Z') AS counted`);
  await client.query('ROLLBACK');
  client.release();
  expect(found[0].indexed).toBe(found[0].counted);
});

test('what a crash left of an index is removed, and the index is written anew after all', async () => {
  const unfinished = `${indexOf(settled)}_ccnew`;
  // Ends half-way, because the address is everywhere the same.
  await expect(pool.query(`CREATE UNIQUE INDEX CONCURRENTLY ${unfinished} ON ${partitionName(settled)} (ip)`)).rejects.toThrow('unique');
  await pool.query(`ALTER INDEX ${indexOf(settled)} SET (fillfactor = 99)`);
  expect(await all(`SELECT to_regclass('${unfinished}')::text AS found`)).toEqual([{ found: unfinished }]);
  expect(await compactIndexes(pool, { now })).toEqual([indexOf(settled)]);
  expect(await all(`SELECT to_regclass('${unfinished}') AS found`)).toEqual([{ found: null }]);
});
