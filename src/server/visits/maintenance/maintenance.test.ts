import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { loadVisits } from '../testing/loading.ts';
import { compactRollups, dropOldVisits, purgeExpired, refillDueTargets } from './maintenance.ts';
import { ensurePartitions } from './partitions.ts';

let database: TestDatabase;
let pool: pg.Pool;
let code: number;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => {});
  const { rows } = await pool.query(`
    WITH someone AS (
      INSERT INTO user_account (account, password_hash, role_id, invitation_code) SELECT 'a', '', role.id, 'a' FROM role LIMIT 1 RETURNING id)
    INSERT INTO live_code (file_name, owner_id, name) SELECT 'code', id, 'Code' FROM someone RETURNING id`);
  code = Number(rows[0]?.id);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const all = async (query: string) => (await pool.query(query)).rows;
const consistent = async () => {
  const client = await pool.connect();
  expect(await inconsistencies(client)).toEqual([]);
  client.release();
};

describe('compaction', () => {
  const now = new Date('2026-03-11T04:30:00Z');
  const deltas = () =>
    all(
      'SELECT count(*)::int AS rows, count(DISTINCT (live_code_id, hour, outcome))::int AS keys, sum(visits)::int AS visits FROM visit_hour',
    );

  test('leaves one row a key and every sum as it was', async () => {
    const { rows } = await pool.query(
      `INSERT INTO live_code_target (live_code_id, kind, content, sort) VALUES ($1, 'url', 'https://example.com', 0) RETURNING id`,
      [code],
    );
    const target_id = Number(rows[0]?.id);
    for (let batch = 0; batch < 4; batch += 1) {
      await loadVisits(
        database.url,
        Array.from({ length: 60 }, (_, index) =>
          visitOf({
            live_code_id: index % 6 === 5 ? 0 : code,
            target_id,
            at: now.getTime() - index * 600_000,
            ip: `9.9.${batch}.${index % 5}`,
            outcome: index % 6 === 5 ? 3 : 0,
          }),
        ),
      );
    }
    const [before] = await deltas();
    expect(before.rows).toBeGreaterThan(before.keys * 3);
    expect(await compactRollups(pool, { now, hours: 48 })).toBeGreaterThan(0);
    expect(await deltas()).toEqual([{ rows: before.keys, keys: before.keys, visits: before.visits }]);
    for (const [table, key] of [
      ['visit_hour_origin', 'live_code_id, hour, place_id, device_id'],
      ['visit_site_hour', 'hour, outcome'],
      ['visit_site_place', 'hour, place_id'],
      ['visit_site_device', 'hour, device_id'],
      ['visit_day_place', 'day, place_id'],
      ['visit_day_device', 'day, device_id'],
      ['visit_hour_target', 'target_id, hour'],
      ['visit_hour_key', 'live_code_id, key_id, hour'],
    ]) {
      expect(await all(`SELECT ${key} FROM ${table} GROUP BY ${key} HAVING count(*) > 1`)).toEqual([]);
    }
    await consistent();
    expect(await compactRollups(pool, { now, hours: 48 })).toBe(0);
  });

  test('goes on beside loaders, readers and another compaction without a wrong sum', async () => {
    const at = now.getTime() + 3_600_000;
    const hour = `'${new Date(at).toISOString().slice(0, 13)}:00:00Z'`;
    let [isOver, loaded] = [false, 0];
    const compact = async () => {
      while (!isOver) await compactRollups(pool, { now: new Date(at), hours: 3 });
    };
    const read = async () => {
      let last = 0;
      while (!isOver) {
        const least = loaded;
        const sum = Number((await all(`SELECT coalesce(sum(visits), 0)::int AS sum FROM visit_hour WHERE hour = ${hour}`))[0].sum);
        expect(sum).toBeGreaterThanOrEqual(Math.max(least, last));
        expect(sum % 10).toBe(0);
        last = sum;
      }
    };
    const load = async () => {
      for (let batch = 0; batch < 12; batch += 1) {
        await loadVisits(
          database.url,
          Array.from({ length: 10 }, () => visitOf({ live_code_id: code, at })),
        );
        loaded += 10;
      }
      isOver = true;
    };
    await Promise.all([compact(), compact(), read(), load()]);
    await compactRollups(pool, { now: new Date(at), hours: 3 });
    expect(await all(`SELECT visits FROM visit_hour WHERE hour = ${hour}`)).toEqual([{ visits: 120 }]);
    await consistent();
  });
});

describe('retention', () => {
  test('drops whole days of rows and addresses, keeps counts, and takes visits that come late', async () => {
    const now = new Date('2025-06-30T12:00:00Z');
    const daysAgo = (days: number) => now.getTime() - days * 86_400_000;
    await loadVisits(
      database.url,
      [3, 4, 5, 6].map((days) => visitOf({ live_code_id: 77, at: daysAgo(days) })),
    );
    const gone = await dropOldVisits(pool, { now, days: 4 });
    expect(gone).toEqual({ partitions: ['visit_20250624', 'visit_20250625'], visitors: 2 });
    const count = async (from: string) => (await all(`SELECT count(*)::int AS count FROM ${from} WHERE live_code_id = 77`))[0].count;
    expect(await count('visit')).toBe(2);
    expect(await count('visitor')).toBe(2);
    expect(await count('visit_hour')).toBe(4);
    await loadVisits(database.url, [visitOf({ live_code_id: 77, at: daysAgo(6) })]);
    expect(await count('visit')).toBe(3);
    await expect(dropOldVisits(pool, { now, days: 0 })).rejects.toThrow('none');
  });

  test('finishes what was interrupted, and attaches again what was only detached', async () => {
    const client = await pool.connect();
    await ensurePartitions(client, ['2024-01-01', '2024-01-02', '2024-01-02']);
    await client.query('ALTER TABLE visit DETACH PARTITION visit_20240101');
    await ensurePartitions(client, ['2024-01-01']);
    await client.query('ALTER TABLE visit DETACH PARTITION visit_20240102');
    client.release();
    const { partitions } = await dropOldVisits(pool, { now: new Date('2024-06-01T00:00:00Z'), days: 30 });
    expect(partitions).toEqual(['visit_20240101', 'visit_20240102']);
    expect(await all(`SELECT to_regclass('visit_20240101') AS a, to_regclass('visit_20240102') AS b`)).toEqual([{ a: null, b: null }]);
  });

  test('two loaders that need a new day at once both get it', async () => {
    const clients = await Promise.all([1, 2, 3, 4].map(() => pool.connect()));
    await Promise.all(clients.map((client) => ensurePartitions(client, ['2024-02-01', '2024-02-02', '2024-02-03'])));
    for (const client of clients) client.release();
    expect(
      await all(
        `SELECT count(*)::int AS count FROM pg_inherits WHERE inhparent = 'visit'::regclass AND inhrelid::regclass::text LIKE 'visit_202402%'`,
      ),
    ).toEqual([{ count: 3 }]);
  });
});

describe('daily refill', () => {
  const time_zone = 'Asia/Shanghai';
  const at = (text: string) => new Date(`${text}+08:00`);
  let target: number;
  const quota = async () => (await all(`SELECT remaining, generation FROM target_quota WHERE target_id = ${target}`))[0];
  const refill = (moment: string) => refillDueTargets(pool, { now: at(moment), time_zone });

  beforeEach(async () => {
    await pool.query('DELETE FROM live_code_target');
    const { rows } = await pool.query(
      `INSERT INTO live_code_target (live_code_id, kind, content, sort, threshold, refill_hour, created_at)
        VALUES ($1, 'url', 'https://example.com', 0, 100, 3, $2) RETURNING id`,
      [code, at('2026-03-10T10:00:00')],
    );
    target = Number(rows[0]?.id);
    await pool.query('INSERT INTO target_quota (target_id, remaining) VALUES ($1, 5)', [target]);
  });

  test("comes once a day at the hour of the site's clock", async () => {
    expect(await refill('2026-03-10T12:00:00')).toBe(0);
    expect(await refill('2026-03-11T02:59:59')).toBe(0);
    expect(await quota()).toEqual({ remaining: 5, generation: 1 });
    expect(await refill('2026-03-11T03:00:00')).toBe(1);
    expect(await quota()).toEqual({ remaining: 100, generation: 2 });
    expect(await refill('2026-03-11T03:00:01')).toBe(0);
    expect(await refill('2026-03-12T02:00:00')).toBe(0);
    expect(await refill('2026-03-14T01:00:00')).toBe(1);
    expect(await refill('2026-03-14T03:00:00')).toBe(1);
    expect(await quota()).toEqual({ remaining: 100, generation: 4 });
    expect(await all(`SELECT count(*)::int > 0 AS told FROM visit_change WHERE kind = 'code' AND key = 'code'`)).toEqual([{ told: true }]);
  });

  test('is done by one of many at once', async () => {
    const done = await Promise.all(Array.from({ length: 8 }, () => refill('2026-03-11T05:00:00')));
    expect(done.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await quota()).toEqual({ remaining: 100, generation: 2 });
  });

  test('leaves targets without threshold or hour alone', async () => {
    await pool.query('UPDATE live_code_target SET refill_hour = NULL');
    expect(await refill('2026-03-20T12:00:00')).toBe(0);
    await pool.query('UPDATE live_code_target SET refill_hour = 3, threshold = NULL');
    expect(await refill('2026-03-20T12:00:00')).toBe(0);
  });
});

test('what has expired goes, and nothing else', async () => {
  await pool.query('DELETE FROM visit_change');
  await pool.query(
    `INSERT INTO visit_change (kind, key, at) VALUES ('domain', 'old', now() - interval '61 minutes'), ('domain', 'new', now() - interval '59 minutes')`,
  );
  await pool.query(`INSERT INTO used_ticket VALUES ('\\x01', now() - interval '6 minutes'), ('\\x02', now() + interval '1 minute')`);
  await pool.query(`INSERT INTO attempt VALUES ('old', 1, now() - interval '1 second'), ('new', 1, now() + interval '1 minute')`);
  await pool.query(`INSERT INTO visit_source (kind, host, visits, first_at, last_at)
    SELECT 'unknown_host', host, 1, at, at FROM (VALUES ('old', now() - interval '31 days'), ('new', now() - interval '29 days')) AS given (host, at)`);
  await pool.query('DELETE FROM visit_site_slice');
  await pool.query(`INSERT INTO visit_site_slice VALUES (now() - interval '181 minutes', 1), (now() - interval '179 minutes', 2)`);
  await pool.query('DELETE FROM visit_unlogged_code');
  await pool.query(`INSERT INTO visit_unlogged_code VALUES (now() - interval '241 minutes', 1), (now() - interval '239 minutes', 1)`);
  expect(await purgeExpired(pool)).toEqual({
    visit_change: 1,
    used_ticket: 1,
    attempt: 1,
    visit_source: 1,
    visit_site_slice: 1,
    visit_unlogged_code: 1,
  });
  expect(await all('SELECT key FROM visit_change UNION SELECT key FROM attempt UNION SELECT host FROM visit_source')).toEqual([
    { key: 'new' },
  ]);
});
