import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../kit/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { loadVisits } from '../testing/loading.ts';
import { codeAddresses, codeStatistics, codeTotals, sharedFigures, siteClock, todayByCode } from '../visits.public.ts';

const now = new Date('2026-03-11T04:30:00Z');
const time = { now, time_zone: 'Asia/Shanghai' };
const clock = siteClock(time.time_zone);
const hour = 3_600_000;

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let code: number;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => {});
  db = openDatabase(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const newCode = async (): Promise<number> => {
  const { rows } = await db.execute<{ id: number }>(sql`
    WITH someone AS (
      INSERT INTO user_account (account, password_hash, role_id, invitation_code)
      SELECT 'someone' || random(), '', role.id, random()::text FROM role LIMIT 1 RETURNING id)
    INSERT INTO live_code (file_name, owner_id, name) SELECT 'code' || floor(random() * 1e9), id, 'Code' FROM someone RETURNING id`);
  return Number(rows[0]?.id);
};
beforeEach(async () => {
  code = await newCode();
});

const clearAt = (id: number, at: number | null) =>
  db.execute(sql`UPDATE live_code SET visible_from = ${at === null ? null : new Date(at).toISOString()} WHERE id = ${id}`);

/** What the figures must be: visits, and addresses once a day. */
function counted(visits: readonly VisitRecord[], from: number, to: number) {
  const visible = visits.filter(({ at, outcome }) => outcome === 0 && at >= from && at < to);
  return { visits: visible.length, ips: new Set(visible.map(({ at, ip }) => `${clock.dayOf(at)} ${ip}`)).size };
}

describe('a code whose history was cleared', () => {
  const history = fc
    .array(
      fc.record({
        at: fc.integer({ min: now.getTime() - 50 * hour, max: now.getTime() - 1 }),
        ip: fc.constantFrom('1.1.1.1', '2.2.2.2', '3.3.3.3', '2400:3200::1'),
        outcome: fc.constantFrom(0, 0, 0, 0, 8, 9),
        target_id: fc.constant(0),
      }),
      { minLength: 150, maxLength: 150 },
    )
    .map((visits) => visits.sort((a, b) => a.at - b.at));
  const sample = <T>(values: fc.Arbitrary<T>, seed: number, numRuns = 1): T[] => fc.sample(values, { seed, numRuns });

  test('shows exactly what came since, by total, day, hour and address, and everything again when it is restored', async () => {
    const visits = sample(history, 7)[0]?.map((visit) => visitOf({ ...visit, live_code_id: code })) ?? [];
    await loadVisits(database.url, visits);
    const today = clock.startOf('2026-03-11');
    const moments = [
      ...sample(fc.integer({ min: now.getTime() - 50 * hour, max: now.getTime() }), 8, 12),
      today,
      today + 5 * hour,
      today + 5 * hour + 1,
      today - 1,
      Number(visits[70]?.at),
    ];
    for (const cleared of [...moments, null]) {
      await clearAt(code, cleared);
      const from = cleared ?? 0;
      const all = counted(visits, from, Number.POSITIVE_INFINITY);
      const since = counted(visits, Math.max(from, today), Number.POSITIVE_INFINITY);
      const nothing = { visits: 0, ips: 0 };
      expect((await codeTotals(db, [code], time)).get(code) ?? nothing).toEqual(all);
      expect((await todayByCode(db, [code], time)).get(code) ?? nothing).toEqual(since);
      expect(await sharedFigures(db, code, time)).toMatchObject({
        view_number: all.visits,
        ip_view_number: all.ips,
        today_view_number: since.visits,
        today_ip_view_number: since.ips,
      });

      const days = await codeStatistics(db, { id: code, from: '2026-03-08', to: '2026-03-11' }, time);
      expect(days.totals).toMatchObject(all);
      for (const { at, ...figures } of days.series) {
        const start = Date.parse(at);
        expect(figures).toMatchObject(counted(visits, Math.max(from, start), start + 24 * hour));
      }
      const hours = await codeStatistics(db, { id: code, from: '2026-03-10', to: '2026-03-11' }, time);
      expect(hours.series).toHaveLength(37);
      for (const point of hours.series) {
        const start = Date.parse(point.at);
        expect(point.visits).toBe(counted(visits, Math.max(from, start), start + hour).visits);
      }
      expect(days.breakdowns.country.reduce((sum, part) => sum + part.visits, 0)).toBe(all.visits);
      expect(days.breakdowns.system.reduce((sum, part) => sum + part.visits, 0)).toBe(all.visits);

      const addresses = await codeAddresses(db, { id: code, page_size: 200 });
      expect(addresses.content.reduce((sum, address) => sum + address.visits, 0)).toBe(all.visits);
      expect(addresses.total).toBe(new Set(visits.filter(({ at, outcome }) => outcome === 0 && at >= from).map(({ ip }) => ip)).size);
    }
  });
});

describe("one code's statistics", () => {
  test('cover the last seven days where no range is asked for', async () => {
    const statistics = await codeStatistics(db, { id: code }, time);
    expect(statistics).toMatchObject({
      from: '2026-03-05',
      to: '2026-03-11',
      step: 'day',
      totals: { visits: 0, ips: 0, new_ips: 0, refused: 0, programs: 0, own: 0 },
    });
    expect(statistics.series.map(({ at }) => at)).toEqual(
      ['04', '05', '06', '07', '08', '09', '10'].map((day) => `2026-03-${day}T16:00:00.000Z`),
    );
    expect(statistics.breakdowns.city).toEqual([]);
  });

  test('leave out what lies ahead, and refuse ranges that are none or too long', async () => {
    expect((await codeStatistics(db, { id: code, from: '2026-03-11', to: '2026-03-12' }, time)).series).toHaveLength(13);
    expect((await codeStatistics(db, { id: code, from: '2026-04-01' }, time)).series).toEqual([]);
    await expect(codeStatistics(db, { id: code, from: '2026-03-11', to: '2026-03-10' }, time)).rejects.toMatchObject({ status: 400 });
    await expect(codeStatistics(db, { id: code, from: '0001-01-01', to: '9999-12-31' }, time)).rejects.toMatchObject({ status: 400 });
  });

  test('count visits by target, also of targets without any', async () => {
    const { rows } = await db.execute<{ id: number }>(sql`
      INSERT INTO live_code_target (live_code_id, kind, content, name, sort)
      SELECT ${code}, 'url', 'https://example.com', 'target ' || sort, 2 - sort FROM generate_series(0, 2) AS sort RETURNING id`);
    const [a = 0, b = 0, c = 0] = rows.map(({ id }) => Number(id));
    const at = now.getTime() - hour;
    await loadVisits(
      database.url,
      [a, a, b].map((target_id) => visitOf({ live_code_id: code, target_id, at })),
    );
    expect((await codeStatistics(db, { id: code }, time)).targets).toEqual([
      { target_id: a, name: 'target 0', visits: 2, presses: 0 },
      { target_id: b, name: 'target 1', visits: 1, presses: 0 },
      { target_id: c, name: 'target 2', visits: 0, presses: 0 },
    ]);
    await clearAt(code, at + 1);
    expect((await codeStatistics(db, { id: code }, time)).targets.map(({ visits }) => visits)).toEqual([0, 0, 0]);
    await clearAt(code, at);
    expect((await codeStatistics(db, { id: code }, time)).targets.map(({ visits }) => visits)).toEqual([2, 1, 0]);
  });
});

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

describe("a code's addresses", () => {
  test('are told with their visits over the days asked for and their latest place and phone', async () => {
    const day = 24 * hour;
    const at = now.getTime() - hour;
    await loadVisits(database.url, [
      visitOf({ live_code_id: code, ip: '8.8.8.8', at: at - 2 * day, user_agent: windows }),
      visitOf({ live_code_id: code, ip: '8.8.8.8', at: at - 2 * day, user_agent: 'curl/8' }),
      visitOf({ live_code_id: code, ip: '8.8.8.8', at: at - day }),
      visitOf({ live_code_id: code, ip: '8.8.8.8', at }),
      visitOf({ live_code_id: code, ip: '120.196.165.24', at: at - day }),
      visitOf({ live_code_id: code, ip: '5.5.5.5', at, outcome: 8 }),
    ]);
    const { content, total } = await codeAddresses(db, { id: code });
    expect(total).toBe(2);
    expect(content[0]).toMatchObject({
      ip: '8.8.8.8',
      visits: 3,
      first_at: new Date(at - 2 * day).toISOString(),
      last_at: new Date(at).toISOString(),
      country: '美国',
      source: 'messenger',
    });
    expect(content[1]).toMatchObject({ ip: '120.196.165.24', visits: 1, city: '深圳', carrier: 'mobile' });
    const ips = async (input: object) => (await codeAddresses(db, { id: code, ...input })).content.map(({ ip, visits }) => [ip, visits]);
    expect(await ips({ from: '2026-03-11' })).toEqual([['8.8.8.8', 1]]);
    expect(await ips({ sort: 'visits', order: 'asc' })).toEqual([
      ['120.196.165.24', 1],
      ['8.8.8.8', 3],
    ]);
    expect(await ips({ sort: 'first_at', order: 'asc', page_size: 1, page: 2 })).toEqual([['120.196.165.24', 1]]);
    expect(await ips({ ip: '120.' })).toEqual([['120.196.165.24', 1]]);
    expect(await ips({ ip: 'nonsense' })).toEqual([]);
  });
});

test('codes without visits are left out, and no codes ask nothing', async () => {
  expect(await codeTotals(db, [], time)).toEqual(new Map());
  expect(await codeTotals(db, [code, 999_999_999], time)).toEqual(new Map());
  expect(await todayByCode(db, [code], time)).toEqual(new Map());
});
