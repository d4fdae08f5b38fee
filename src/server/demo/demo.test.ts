import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomes } from '../../contract/enums.ts';
import { canonicalIp } from '../kit/network/ip.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../kit/testing/database.ts';
import { readBatch } from '../kit/visits/journal/reader.ts';
import type { VisitRecord } from '../kit/visits/journal/record.ts';
import { isWriterAlive, journalFolder, listSegments, maxSegmentLength } from '../kit/visits/journal/segment.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { createAgentCache } from '../visits/facts/agent.ts';
import { openPlaces } from '../visits/facts/place.ts';
import { demoCodes } from './codes.ts';
import { seedDemo } from './demo.ts';
import { visitsOf } from './visits.ts';

// A Saturday, half past three in the afternoon in China.
const now = new Date('2026-03-14T07:30:00Z');

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let dataDir: string;
let visits: VisitRecord[];
let damaged = 0;

async function readJournal(): Promise<VisitRecord[]> {
  const records: VisitRecord[] = [];
  for (const { path } of listSegments(journalFolder(dataDir))) {
    for (let offset = 0, length = 1; offset < length; ) {
      const batch = await readBatch(path, offset, { isFinal: true });
      records.push(...batch.records.map(({ record }) => record));
      damaged += batch.damaged_bytes;
      offset = batch.next;
      length = batch.length;
    }
  }
  return records;
}

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  db = openDatabase(pool);
  dataDir = await mkdtemp(join(tmpdir(), 'livecode-demo-'));
  await seedDemo(db, { password_hash: 'x', dataDir, visitPort: 3001, simulatorPort: 0, now });
  visits = await readJournal();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const rows = async <T>(query: ReturnType<typeof sql>): Promise<T[]> => (await db.execute(query)).rows as T[];
const passed = () => visits.filter(({ outcome }) => outcomes[outcome] === 'passed');
const agentsOf = createAgentCache(10_000);
const isProgram = ({ user_agent }: VisitRecord) => agentsOf.describe(user_agent).source === 'bot';
const byPeople = () => passed().filter((visit) => !isProgram(visit));
const chinaDay = ({ at }: VisitRecord) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10);
const chinaHour = ({ at }: VisitRecord) => new Date(at + 8 * 3_600_000).getUTCHours();

function countBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

test('money came in and was spent through the ledger, which adds up', async () => {
  expect((await findFaults(db)).faults).toEqual([]);
  const orders = await rows<{ account: string; state: string; coupon: string }>(
    sql`SELECT account, state, coupon FROM combo_order JOIN user_account ON user_account.id = user_id ORDER BY combo_order.id`,
  );
  expect(orders).toEqual([
    { account: 'chenjie', state: 'expired', coupon: '' },
    { account: 'zhangwei', state: 'paid', coupon: '' },
    { account: 'lina', state: 'paid', coupon: 'WELCOME20' },
  ]);
  expect(await rows(sql`SELECT balance::int AS balance FROM ledger_account WHERE kind = 'user_available' ORDER BY id`)).toEqual([
    { balance: 70_100_000 },
    { balance: 12_080_000 },
  ]);
});

describe('what a newcomer finds', () => {
  test('groups of each user and of the administrators, earlier versions of a code, and one code in the recycle bin', async () => {
    const groups = await rows<{ owner: string | null; codes: string }>(sql`
      SELECT account AS owner, count(*) AS codes FROM code_group LEFT JOIN user_account ON user_account.id = owner_id
      JOIN live_code ON code_group.id IN (group_id, internal_group_id) GROUP BY 1 ORDER BY 1`);
    expect(groups).toEqual([
      { owner: 'chenjie', codes: 2 },
      { owner: 'lina', codes: 3 },
      { owner: 'zhangwei', codes: 4 },
      { owner: null, codes: 3 },
    ]);
    const versions = await rows(sql`SELECT action FROM live_code_version JOIN live_code ON live_code.id = live_code_id
      WHERE file_name = 'tea-spring' ORDER BY live_code_version.version`);
    expect(versions).toEqual([{ action: 'created' }, { action: 'changed' }, { action: 'changed' }, { action: 'grouped' }]);
    expect(await rows(sql`SELECT file_name FROM live_code WHERE removed`)).toEqual([{ file_name: 'cafe-winter' }]);
  });

  test('three users, of whom one is a customer of the agent, and twelve codes with their targets', async () => {
    const users = await rows<{ account: string; superior: string | null }>(sql`
      SELECT u.account, superior.account AS superior FROM user_account u LEFT JOIN user_account superior ON superior.id = u.superior_id
      WHERE u.account <> 'admin' ORDER BY u.account`);
    expect(users).toEqual([
      { account: 'chenjie', superior: 'lina' },
      { account: 'lina', superior: null },
      { account: 'zhangwei', superior: null },
    ]);
    const codes = await rows<{ file_name: string; targets: string }>(sql`
      SELECT file_name, count(*) AS targets FROM live_code JOIN live_code_target ON live_code_id = live_code.id WHERE NOT removed GROUP BY file_name`);
    expect(Object.fromEntries(codes.map(({ file_name, targets }) => [file_name, Number(targets)]))).toEqual(
      Object.fromEntries(demoCodes.map(({ file_name, targets }) => [file_name, targets.length])),
    );
    expect(codes).toHaveLength(12);
  });

  test('every picture target has its file on the disk', async () => {
    const files = await rows<{ name: string; size: number }>(sql`
      SELECT file.name, file.size FROM live_code_target JOIN file ON file.id = file_id WHERE kind = 'picture'`);
    expect(files.length).toBeGreaterThan(3);
    for (const { name, size } of files) expect((await stat(join(dataDir, 'uploads', name))).size).toBe(size);
  });

  test('a dozen products stand in a tree of categories, each with a picture and something to buy', async () => {
    const found = await rows<{ name: string; size: number; variants: number }>(sql`
      SELECT file.name, file.size, (SELECT count(*) FROM mall_variant WHERE mall_variant.product_id = product.id)::int AS variants
      FROM mall_product AS product JOIN mall_product_cover AS cover ON cover.product_id = product.id JOIN file ON file.id = cover.file_id
      JOIN mall_category ON mall_category.id = product.category_id`);
    expect(found).toHaveLength(12);
    for (const { name, size, variants } of found) {
      expect(variants).toBeGreaterThan(0);
      expect((await stat(join(dataDir, 'uploads', name))).size).toBe(size);
    }
  });

  test('nothing half-written lies in the journal, and nobody seems to write there', async () => {
    const folder = journalFolder(dataDir);
    const segments = listSegments(folder);
    expect((await readdir(folder)).sort()).toEqual(segments.map(({ name }) => name).sort());
    for (const { path, source } of segments) {
      expect((await stat(path)).size).toBeLessThanOrEqual(maxSegmentLength);
      expect(isWriterAlive(source, folder)).toBe(false);
    }
    expect(damaged).toBe(0);
  });
});

describe('the visits', () => {
  test('cover ninety days without a gap, and today up to now', () => {
    const days = countBy(visits, chinaDay);
    const all = [...days.keys()].sort();
    expect(all).toHaveLength(91);
    expect([all[0], all.at(-1)]).toEqual(['2025-12-14', '2026-03-14']);
    const [today = 0, yesterday = 0] = [days.get('2026-03-14'), days.get('2026-03-13')];
    expect(today).toBeGreaterThan(yesterday * 0.25);
    expect(today).toBeLessThan(yesterday * 1.2);
    expect(visits.length).toBeGreaterThan(50_000);
  });

  test('are in order, none in the future and none before its code was made', async () => {
    const made = new Map(
      (await rows<{ id: string; created_at: string }>(sql`SELECT id, created_at FROM live_code`)).map((row) => [
        Number(row.id),
        Date.parse(row.created_at),
      ]),
    );
    for (const [index, { at, live_code_id }] of visits.entries()) {
      if (at < (visits[index - 1]?.at ?? 0)) expect.fail(`visit ${index} is older than the one before`);
      if (at >= now.getTime()) expect.fail(`visit ${index} lies in the future`);
      if (live_code_id > 0 && at < (made.get(live_code_id) ?? Number.POSITIVE_INFINITY))
        expect.fail(`visit ${index} is older than its code`);
    }
  });

  test('end at the moment of the start, just after midnight too', () => {
    const visited = demoCodes.map((code, index) => {
      const targets = code.targets.map((_, target) => ({ id: index * 10 + target + 1, weight: 1, remaining: null }));
      return { code, live_code_id: index + 1, town: 'hangzhou' as const, created_at: 0, targets };
    });
    // Half past midnight in China.
    const midnight = Date.parse('2026-03-13T16:30:00Z');
    const before = [...visitsOf(visited, midnight, 'localhost:3001')];
    expect(before.every(({ at }) => at < midnight)).toBe(true);
    expect(before.filter((visit) => chinaDay(visit) === '2026-03-14').length).toBeLessThan(30);
    expect(before.filter((visit) => chinaDay(visit) === '2026-03-13').length).toBeGreaterThan(500);
  });

  test('have addresses in the one spelling, of both families and of a known place', () => {
    const places = openPlaces();
    const ips = new Set(visits.map(({ ip }) => ip));
    const regions = new Set<string>();
    for (const ip of ips) {
      if (canonicalIp(ip) === null) expect.fail(`${ip} is no address`);
      const { country, region } = places.lookup(ip);
      if (country === '') expect.fail(`${ip} is nowhere`);
      if (country === '中国') regions.add(region);
    }
    expect([...ips].some((ip) => ip.includes(':'))).toBe(true);
    expect(regions.size).toBeGreaterThanOrEqual(30);
  });

  test('come mostly through the three carriers, from the town of the business, in the messenger', () => {
    const places = openPlaces();
    const carriers = countBy(byPeople(), ({ ip }) => places.lookup(ip).carrier);
    for (const carrier of ['mobile', 'unicom', 'telecom'] as const) {
      expect((carriers.get(carrier) ?? 0) / byPeople().length, carrier).toBeGreaterThan(0.12);
    }
    const cafe = byPeople().filter(({ path }) => path === '/cafe-menu');
    expect(cafe.filter(({ ip }) => places.lookup(ip).region === '广东').length / cafe.length).toBeGreaterThan(0.9);
    const sources = countBy(byPeople(), ({ user_agent }) => agentsOf.describe(user_agent).source);
    expect((sources.get('messenger') ?? 0) / byPeople().length).toBeGreaterThan(0.7);
    expect([...sources.keys()].sort()).toEqual(['app', 'browser', 'messenger', 'messenger_enterprise']);
    const brands = countBy(byPeople(), ({ user_agent }) => agentsOf.describe(user_agent).brand);
    expect(brands.size).toBeGreaterThan(8);
    expect((brands.get('') ?? 0) / byPeople().length).toBeLessThan(0.12);
  });

  test('are of programs too, on codes that anybody can open', () => {
    const programs = passed().filter(isProgram);
    expect(programs.length / passed().length).toBeLessThan(0.1);
    expect(new Set(programs.map(({ path }) => path)).size).toBeGreaterThan(3);
    for (const closed of ['/edu-old', '/edu-material', '/tea-coupon']) expect(programs.some(({ path }) => path === closed)).toBe(false);
  });

  test('follow the hours: a café has none at night, and fewer at nine than at noon', () => {
    const cafe = byPeople().filter(({ path }) => path.startsWith('/cafe-'));
    const hours = countBy(cafe, chinaHour);
    for (const hour of [0, 3, 6, 22, 23]) expect(hours.get(hour) ?? 0, `${hour} o'clock`).toBe(0);
    expect(hours.get(21) ?? 0).toBeLessThan(hours.get(12) ?? 0);
  });

  test('are refused in the ways that the codes ask for, each of which occurs', async () => {
    const allowed: Record<string, string[]> = {
      'edu-old': ['closed'],
      'edu-material': ['passed', 'not_scanned'],
      'tea-coupon': ['passed', 'not_messenger'],
    };
    for (const { file_name } of demoCodes) {
      const found = new Set(visits.filter(({ path }) => path === `/${file_name}`).map(({ outcome }) => outcomes[outcome] ?? ''));
      expect([...found].sort(), file_name).toEqual((allowed[file_name] ?? ['passed']).sort());
    }
    const stray = visits.filter(({ live_code_id }) => live_code_id === 0);
    expect(new Set(stray.map(({ outcome }) => outcomes[outcome]))).toEqual(new Set(['not_found']));
  });
});

describe('the targets', () => {
  test('have left what their threshold leaves after the visits they served', async () => {
    const served = countBy(passed(), ({ target_id }) => target_id);
    const targets = await rows<{ id: string; threshold: number; remaining: number }>(sql`
      SELECT id, threshold, remaining FROM live_code_target LEFT JOIN target_quota ON target_id = id WHERE threshold IS NOT NULL`);
    for (const { id, threshold, remaining } of targets) expect(remaining, `target ${id}`).toBe(threshold - (served.get(Number(id)) ?? 0));
    const states = new Set(
      targets.map(({ threshold, remaining }) => (remaining === 0 ? 'used up' : remaining < threshold ? 'in use' : 'unused')),
    );
    expect(states).toEqual(new Set(['used up', 'in use', 'unused']));
  });

  test('serve by their rotation: in order, by weight, in turn', async () => {
    const served = countBy(passed(), ({ target_id }) => target_id);
    const of = async (file_name: string) =>
      (
        await rows<{ id: string }>(sql`
          SELECT t.id FROM live_code_target t JOIN live_code c ON c.id = live_code_id WHERE file_name = ${file_name} ORDER BY sort DESC`)
      ).map(({ id }) => served.get(Number(id)) ?? 0);
    const [a = 0, b = 1] = await of('edu-open');
    expect(a / (a + b)).toBeCloseTo(0.7, 1);
    const turns = await of('tea-service');
    expect(Math.max(...turns) - Math.min(...turns)).toBeLessThanOrEqual(1);
    const groups = await of('tea-group');
    expect(groups.slice(0, 3)).toEqual([200, 200, 200]);
  });

  test('and no visit that was not passed has one', () => {
    const isVisit = ({ outcome }: VisitRecord) => outcomes[outcome] !== 'pressed';
    expect(visits.filter(isVisit).filter(({ outcome, target_id }) => (outcomes[outcome] === 'passed') !== target_id > 0)).toEqual([]);
  });
});
