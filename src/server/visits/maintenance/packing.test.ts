import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { mayHaveHours, momentText, packedSpan, unpacked } from '../statistics/hour-counts.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { loadVisits } from '../testing/loading.ts';
import { compactRollups } from './maintenance.ts';
import { packCounts } from './packing.ts';

let database: TestDatabase;
let pool: pg.Pool;
let codes: number[];
let target_id: number;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => {});
  const { rows } = await pool.query(`
    WITH someone AS (
      INSERT INTO user_account (account, password_hash, role_id, invitation_code) SELECT 'a', '', role.id, 'a' FROM role LIMIT 1 RETURNING id)
    INSERT INTO live_code (file_name, owner_id, name) SELECT 'code' || n, id, 'Code' FROM someone, generate_series(1, 3) AS n RETURNING id`);
  codes = rows.map(({ id }) => Number(id));
  const targets = await pool.query(
    `INSERT INTO live_code_target (live_code_id, kind, content, sort) VALUES ($1, 'url', 'https://example.com', 0) RETURNING id`,
    [codes[0]],
  );
  target_id = Number(targets.rows[0]?.id);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const tables = ['visit_hour', 'visit_hour_origin', 'visit_hour_target'] as const;
const all = async (query: string) => (await pool.query(query)).rows;
const count = async (from: string): Promise<number> => (await all(`SELECT count(*)::int AS count FROM ${from}`))[0].count;
const consistent = async () => {
  const client = await pool.connect();
  expect(await inconsistencies(client)).toEqual([]);
  client.release();
};
const moment = (text: string): number => Date.parse(`2026-${text}Z`);
const someVisits = (at: (index: number) => number, number = 60) =>
  loadVisits(
    database.url,
    Array.from({ length: number }, (_, index) =>
      visitOf({
        ...(index % 6 === 5 ? { live_code_id: 0, outcome: 3 } : { live_code_id: codes[index % 3] ?? 0, outcome: index % 4 === 3 ? 4 : 0 }),
        target_id: index % 3 === 0 ? target_id : 0,
        at: at(index),
        ip: `9.9.9.${index % 5}`,
      }),
    ),
  );

test('counts of days that are over become one row a code and day, those of months one a code and month', async () => {
  // Three days, of which the last is not two days old.
  const now = new Date('2026-03-11T04:30:00Z');
  for (let batch = 0; batch < 3; batch += 1) await someVisits((index) => moment('03-09T23:50:00') - index * 4_000_000);
  const single = await Promise.all(tables.map(count));
  expect(await packCounts(pool, { now })).toBeGreaterThan(0);
  await consistent();
  for (const [index, table] of tables.entries()) {
    expect(await count(table)).toBeLessThan(single[index] ?? 0);
    expect(await count(`${table} WHERE hour < '2026-03-09' ${table === 'visit_hour' ? 'AND live_code_id > 0' : ''}`)).toBe(0);
    expect(
      await all(
        `SELECT DISTINCT starts_at::date::text AS day, ends_at - starts_at = interval '1 day' AS is_day FROM ${table}_packed ORDER BY 1`,
      ),
    ).toEqual([
      { day: '2026-03-07', is_day: true },
      { day: '2026-03-08', is_day: true },
    ]);
  }
  // What reached no code stays as it is.
  expect(await count('visit_hour WHERE live_code_id = 0')).toBeGreaterThan(0);
  expect(await packCounts(pool, { now })).toBe(0);

  expect(await packCounts(pool, { now: new Date('2026-04-02T23:00:00Z') })).toBeGreaterThan(0);
  expect(await count(`visit_hour_packed WHERE ends_at - starts_at > interval '1 day'`)).toBe(0);
  await packCounts(pool, { now: new Date('2026-04-03T00:00:00Z') });
  for (const table of tables)
    expect(
      await all(`SELECT live_code_id::int, starts_at::date::text AS starts, ends_at::date::text AS ends FROM ${table}_packed ORDER BY 1`),
    ).toEqual(
      (table === 'visit_hour_target' ? codes.slice(0, 1) : codes).map((live_code_id) => ({
        live_code_id,
        starts: '2026-03-01',
        ends: '2026-04-01',
      })),
    );
  await consistent();
});

test('what is read to find the counts of a span is told: whole months where they are packed, else whole days', () => {
  const now = moment('04-10T00:00:00');
  const span = (from: string, to: string) => packedSpan({ from: moment(from), to: moment(to) }, now);
  expect(span('02-10T03:00:00', '03-20T04:00:00')).toEqual({ from: moment('02-01T00:00:00'), to: moment('04-01T00:00:00') });
  expect(span('04-03T03:00:00', '04-05T00:00:00')).toEqual({ from: moment('04-03T00:00:00'), to: moment('04-05T00:00:00') });
  expect(span('04-03T03:00:00', '04-05T00:00:01')).toMatchObject({ to: moment('04-06T00:00:00') });
});

test('what comes late is packed with the others, and counts that came to nothing are none', async () => {
  const now = new Date('2026-04-10T00:00:00Z');
  await someVisits((index) => moment('03-01T00:00:01') + index * 3_600_000);
  await packCounts(pool, { now });
  await consistent();
  expect(await Promise.all(tables.map((table) => count(`${table}_packed`)))).toEqual([3, 3, 1]);
  expect(await count('visit_hour_origin')).toBe(0);

  // A database of somebody else may be set to a zone that puts its clocks forward within the month.
  const client = await pool.connect();
  await client.query(`SET TIME ZONE 'Europe/Berlin'`);
  const asked = [moment('02-28T22:00:00'), moment('03-01T00:30:00')].map(momentText) as [string, string];
  const { rowCount } = await client.query(`SELECT FROM visit_hour_packed AS packed WHERE ${mayHaveHours(...asked)}`);
  await client.query('RESET TIME ZONE');
  client.release();
  expect(rowCount).toBe(3);

  const ofCode = `visit_hour_origin_packed AS packed WHERE live_code_id = ${codes[2]}`;
  await pool.query(`INSERT INTO visit_hour_origin (live_code_id, hour, place_id, device_id, visits)
    SELECT live_code_id, hour, place_id, device_id, -visits FROM (${unpacked('visit_hour_origin', ofCode)}) AS counts`);
  await packCounts(pool, { now });
  expect(await count(ofCode)).toBe(0);
});

test('goes on beside loaders, readers, compaction and another packing without a wrong sum', async () => {
  await pool.query(
    `TRUNCATE ${
      (
        await all(`SELECT string_agg(relname, ', ') AS names FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
    AND (relname ~ '^visit_(hour|site|day)_?' OR relname ~ '_total$' OR relname IN ('visit', 'visitor'))`)
      )[0].names
    }`,
  );
  const at = moment('05-05T10:00:00');
  const now = new Date('2026-05-09T00:00:00Z');
  let [isOver, loaded] = [false, 0];
  const untilOver = async (work: () => Promise<unknown>) => {
    while (!isOver) await work();
  };
  const sum = `SELECT (SELECT coalesce(sum(visits), 0) FROM visit_hour)::int + (SELECT coalesce(sum(visits), 0) FROM (SELECT unnest(visits) AS visits FROM visit_hour_packed) AS counts)::int AS sum`;
  let last = 0;
  const read = async () => {
    const least = loaded;
    const [found] = await all(sum);
    expect(found.sum).toBeGreaterThanOrEqual(Math.max(least, last));
    expect(found.sum % 10).toBe(0);
    last = found.sum;
  };
  const load = async () => {
    for (let batch = 0; batch < 12; batch += 1) {
      await loadVisits(
        database.url,
        Array.from({ length: 10 }, (_, index) => visitOf({ live_code_id: codes[index % 3] ?? 0, at, target_id })),
      );
      loaded += 10;
    }
    isOver = true;
  };
  const pack = () => untilOver(() => packCounts(pool, { now }));
  await Promise.all([pack(), pack(), untilOver(() => compactRollups(pool, { now: new Date(at), hours: 3 })), untilOver(read), load()]);
  await packCounts(pool, { now });
  expect(await all('SELECT sum(visits[1])::int AS visits, count(*)::int AS rows FROM visit_hour_packed')).toEqual([
    { visits: 120, rows: 3 },
  ]);
  expect(await count('visit_hour')).toBe(0);
  await consistent();
});
