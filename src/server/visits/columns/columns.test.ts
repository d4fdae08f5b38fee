import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { packCounts } from '../maintenance/packing.ts';
import { endRetention } from '../maintenance/retention.ts';
import { columnsForTest } from '../testing/columns.ts';
import { loadVisits } from '../testing/loading.ts';
import { headerLength } from './day-file.ts';
import { visitorLock } from './versions.ts';

const now = new Date();
const day = 86_400_000;
const dayOf = (daysAgo: number) => new Date(now.getTime() - daysAgo * day + 8 * 3_600_000).toISOString().slice(0, 10);
let app: TestApp;
let files: Awaited<ReturnType<typeof columnsForTest>>;
let owner: TestUser;
let code: number;
let admin: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.makeUser('super');
});
afterAll(() => app.close());
beforeEach(async () => {
  files = await columnsForTest(app.url);
  owner = await app.makeUser('customer');
  code = (await app.call(owner, 'qr_code_list', 'add', { name: 'code', targets: [{ kind: 'text', content: 'x' }] })).body.id;
  await load([2, 3, 3, 4, 5, 5]);
});
afterEach(() => files.end());

const load = (daysAgo: readonly number[]) =>
  loadVisits(
    app.url,
    daysAgo.map((age) => visitOf({ live_code_id: code, at: now.getTime() - age * day, language: 'zh-CN' })),
  );

/** What only rows know: visits by their language, by day; the last answer is one of files. */
async function ask(): Promise<number[]> {
  const range = { from: dayOf(6), to: dayOf(0), filters: { language: ['zh-CN'] } };
  const asked = async () => {
    const { status, body } = await app.call(owner, 'historical_statistics', 'inquire', { ...range, step: 'day' });
    expect(status).toBe(200);
    return body.series.map(({ visits }) => visits);
  };
  const first = await asked();
  await files.built();
  const before = files.scans();
  expect(await asked()).toEqual(first);
  expect(files.scans()).toBeGreaterThan(before);
  return first;
}

function storedFiles(): string[] {
  const folder = join(files.dataDir, 'visit-columns');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a day that got visits after it was over is told with them, and has one file', async () => {
  expect(await ask()).toEqual([0, 2, 1, 2, 1, 0, 0]);
  const count = storedFiles().length;
  await load([4, 4]);
  expect(await ask()).toEqual([0, 2, 3, 2, 1, 0, 0]);
  expect(storedFiles()).toHaveLength(count);
  expect(files.faults).toEqual([]);
});

test('a batch that is still under way when a day is put in columns is in them', async () => {
  const client = new pg.Client({ connectionString: app.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock_shared($1)', [visitorLock]);
    await client.query(`UPDATE visit SET language_id = NULL WHERE live_code_id = $1 AND at > now() - interval '84 hours'`, [code]);
    await app.call(owner, 'historical_statistics', 'inquire', { from: dayOf(6), to: dayOf(0), filters: { language: ['zh-CN'] } });
    await eventually(async () => {
      const { rows } = await app.db.execute(
        sql`SELECT FROM pg_stat_activity WHERE application_name = 'livecode columns' AND query LIKE '%pg_locks%' AND datname = current_database()`,
      );
      expect(rows).toHaveLength(1);
    });
    // Nobody waits behind who waits for the batch.
    expect((await client.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).rows).toEqual([]);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  expect(await ask()).toEqual([0, 2, 1, 0, 0, 0, 0]);
});

test('what a range has of a month whose counts are packed is told without them, also where it has nothing', async () => {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 20, 12));
  const dayOfMonth = (number: string) => `${month.toISOString().slice(0, 8)}${number}`;
  await loadVisits(app.url, [visitOf({ live_code_id: code, at: month.getTime() })]);
  const partsOf = async (from: string, to: string) => {
    const range = { from: dayOfMonth(from), to: dayOfMonth(to) };
    const { status, body } = await app.call(owner, 'historical_statistics', 'breakdown', { ...range, dimensions: ['city'] });
    expect(status).toBe(200);
    return body.breakdowns.city?.total;
  };
  const told = async () => [await partsOf('10', '19'), await partsOf('19', '21')];
  expect(await told()).toEqual([0, 1]);
  await files.built();
  await packCounts(app.pool, { now });
  // A count of the twelfth, which nobody may read.
  await app.db.execute(
    sql`UPDATE visit_hour_origin_packed SET quarter = '{1056}', visits = '{1000000}' WHERE live_code_id = ${code} AND ends_at < now() - interval '7 days'`,
  );
  expect(await told()).toEqual([0, 1]);
  expect(files.faults).toEqual([]);
});

test('rows that were removed are gone from the answers', async () => {
  expect(await ask()).toEqual([0, 2, 1, 2, 1, 0, 0]);
  await app.call(admin, 'hold_domain', 'log_days', { ids: [owner.id], log_days: 4 });
  await endRetention(app.pool, { now, settings: { visit_retention_days: 30, membership_grace_days: 7 } });
  expect((await ask()).slice(0, 2)).toEqual([0, 0]);
});

/** Changes the last bit of what a file holds of its first visit. */
function spoil(file: string): void {
  const bytes = readFileSync(file);
  bytes[headerLength] = (bytes[headerLength] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

test.each([
  ['is too short', (file: string) => truncateSync(file, 100)],
  ['has another bit', spoil],
])('where a file %s rows answer, and it is removed', async (_how, damage) => {
  await ask();
  for (const file of storedFiles()) damage(file);
  const { body } = await app.call(owner, 'historical_statistics', 'inquire', {
    ...{ from: dayOf(6), to: dayOf(0), step: 'day' },
    filters: { language: ['zh-CN'] },
  });
  expect(body.totals.visits).toBe(6);
  expect(files.faults).toHaveLength(1);
  // One of a day without visits has no bits to change.
  expect(storedFiles().filter((file) => readFileSync(file).length > headerLength)).toEqual([]);
});

test('of several files that one which is damaged is removed, and made again from the rows', { tags: 'full' }, async () => {
  await ask();
  const stored = storedFiles();
  spoil(stored[1] ?? '');
  const question = { from: dayOf(6), to: dayOf(0), filters: { language: ['zh-CN'] } };
  const { body } = await app.call(owner, 'historical_statistics', 'inquire', question);
  expect(body.totals.visits).toBe(6);
  expect(storedFiles()).toEqual(stored.filter((_, place) => place !== 1));
});

test('a day that nobody visited needs no file, and one whose rows are gone leaves what was counted', { tags: 'full' }, async () => {
  await ask();
  // The rows of each day of the site are in one or two days of UTC.
  expect(storedFiles().length).toBeLessThanOrEqual(5);
  const device = { from: dayOf(6), to: dayOf(0), filters: { system: ['iOS'] } };
  const visits = async () => (await app.call(owner, 'historical_statistics', 'inquire', device)).body.totals.visits;
  expect(await visits()).toBe(6);
  const partition = new Date(now.getTime() - 2 * day).toISOString().slice(0, 10).replaceAll('-', '');
  await app.pool.query(`DROP TABLE visit_${partition}`);
  await files.built();
  const scans = files.scans();
  expect(await visits()).toBe(6);
  // Files were asked first; what they lack, counts have.
  expect(files.scans()).toBeGreaterThan(scans);
});

test('a file that is replaced while it is asked for is no fault: rows answer, and other days keep theirs', async () => {
  await files.end();
  let removeOne = () => {};
  files = await columnsForTest(app.url, { beforeScan: () => removeOne() });
  expect(await ask()).toEqual([0, 2, 1, 2, 1, 0, 0]);
  const stored = storedFiles();
  removeOne = () => {
    rmSync(stored[0] ?? '');
    removeOne = () => {};
  };
  const question = { from: dayOf(6), to: dayOf(0), filters: { language: ['zh-CN'] } };
  const { body } = await app.call(owner, 'historical_statistics', 'inquire', question);
  expect([body.totals.visits, files.faults]).toEqual([6, []]);
  expect(storedFiles()).toEqual(stored.slice(1));
});

test('one call looks at the visits of a period once, whatever it wants to know of them', { tags: 'full' }, async () => {
  const range = { from: dayOf(6), to: dayOf(0), filters: { system: ['iOS'] } };
  const looks = async (call: 'breakdown' | 'targets', more: object) => {
    const before = files.scans();
    expect((await app.send(owner, `historical_statistics/${call}`, { ...range, ...more })).status).toBe(200);
    return files.scans() - before;
  };
  await looks('breakdown', { dimensions: ['target'] });
  await files.built();
  expect(await looks('breakdown', { dimensions: ['target', 'city', 'brand', 'hour', 'outcome', 'language'] })).toBe(1);
  expect([await looks('targets', {}), await looks('targets', { filters: undefined })]).toEqual([1, 1]);
});

test('sums of codes are those of their counts, also of codes that keep no rows and of cleared histories', async () => {
  const other = (await app.call(owner, 'qr_code_list', 'add', { name: 'cleared', targets: [{ kind: 'text', content: 'x' }] })).body.id;
  const visits = [1, 2, 2, 3, 4, 5].flatMap((age) => [
    visitOf({ live_code_id: other, at: now.getTime() - age * day, ip: '8.8.8.8', outcome: age === 4 ? 8 : 0 }),
    visitOf({ live_code_id: code, at: now.getTime() - age * day, ip: '9.9.9.9', open_log: false }),
  ]);
  await loadVisits(app.url, [...visits, visitOf({ live_code_id: other, at: now.getTime() - 1_000, ip: '8.8.8.8' })]);
  const summed = async () => {
    const { status, body } = await app.call(admin, 'visit_summary', 'inquire', {
      by: 'code',
      user_id: owner.id,
      from: dayOf(6),
      to: dayOf(0),
    });
    expect(status).toBe(200);
    return body.content.map(({ id, visits, ips, new_ips, refused }) => ({ id, visits, ips, new_ips, refused }));
  };
  const plain = await summed();
  expect(plain).toMatchObject([
    { id: code, visits: 12 },
    { id: other, visits: 6, refused: 1, new_ips: 1 },
  ]);
  await files.built();
  expect(await summed()).toEqual(plain);
  await app.db.execute(sql`UPDATE live_code SET visible_from = ${new Date(now.getTime() - 2.5 * day).toISOString()} WHERE id = ${other}`);
  const scans = files.scans();
  const cleared = await summed();
  expect(cleared[1]).toMatchObject({ id: other, visits: 4 });
  expect(files.scans()).toBeGreaterThan(scans);
  await files.end();
  expect(await summed()).toEqual(cleared);
  files = await columnsForTest(app.url);
});

test('of codes without log counts are read beside files, which tell what all others have', async () => {
  const other = (await app.call(owner, 'qr_code_list', 'add', { name: 'without log', targets: [{ kind: 'text', content: 'x' }] })).body.id;
  const visits = [2, 3, 5].map((age) => visitOf({ live_code_id: other, at: now.getTime() - age * day, open_log: age === 5 }));
  await loadVisits(app.url, visits);
  const counted = async (caller: TestUser) => {
    const range = { from: dayOf(6), to: dayOf(0), filters: { system: ['iOS'] } };
    const { status, body } = await app.call(caller, 'historical_statistics', 'breakdown', { ...range, dimensions: ['country', 'hour'] });
    expect(status).toBe(200);
    return [body.breakdowns.country?.total, body.breakdowns.hour?.total];
  };
  const plain = [await counted(owner), await counted(admin)];
  expect(plain[0]).toEqual([9, 9]);
  await files.built();
  await app.db.execute(sql`UPDATE visit_hour_origin SET visits = visits + 1000 WHERE live_code_id = ${code}`);
  expect([await counted(owner), await counted(admin)]).toEqual(plain);
  await files.end();
  expect(await counted(owner)).not.toEqual(plain[0]);
  files = await columnsForTest(app.url);
});

test('rows of more visits than anybody waits for are not read: what is being made ready says how far it is', async () => {
  await files.end();
  files = await columnsForTest(app.url, { tooLongMilliseconds: 0 });
  const question = { from: dayOf(6), to: dayOf(0), filters: { language: ['zh-CN'] } };
  const { status, headers, body } = await app.send(owner, 'historical_statistics/inquire', question);
  expect([status, headers['retry-after']]).toEqual([503, '2']);
  expect(body).toMatchObject({ code: 'statistics.preparing', message: expect.stringMatching(/[4-6] 天中/) });
  await files.built();
  expect((await app.call(owner, 'historical_statistics', 'inquire', question)).body.totals.visits).toBe(6);
});

test('targets are compared as by rows, however many that had more visits are gone', async () => {
  const three = ['a', 'b', 'c'].map((name) => ({ kind: 'text' as const, name, content: name }));
  const { body } = await app.call(owner, 'qr_code_list', 'add', { name: 'three', targets: three });
  const { rows } = await app.db.execute<{ id: number }>(
    sql`SELECT id::float8 AS id FROM live_code_target WHERE live_code_id = ${body.id} ORDER BY id`,
  );
  const ids = rows.map(({ id }) => id);
  const visitsTo = (target_id: number, daysAgo: number, ip: string) =>
    visitOf({ live_code_id: body.id, target_id, at: now.getTime() - daysAgo * day, language: 'zh-CN', ip });
  const [first = 0, second = 0] = ids;
  const known = [
    visitsTo(first, 4, '1.1.1.1'),
    visitsTo(first, 2, '1.1.1.1'),
    visitsTo(first, 2, '1.1.1.2'),
    visitsTo(second, 3, '1.1.1.3'),
  ];
  const goneAt = (target_id: number, ages: readonly number[]) => ages.map((age) => visitsTo(target_id, age, '2.2.2.2'));
  const gone = Array.from({ length: 101 }, (_, place) => goneAt(1_000_000 + place, [2, 2, 2, 3, 3, 3, 4, 4, 5]));
  await loadVisits(app.url, [...known, ...gone.flat()]);
  const told = async (filters?: object) => {
    const question = { from: dayOf(6), to: dayOf(0), live_code_ids: [body.id], ...(filters && { filters }) };
    const { body: compared } = await app.call(owner, 'historical_statistics', 'targets', question);
    const { body: parted } = await app.call(owner, 'historical_statistics', 'breakdown', { ...question, dimensions: ['target'] });
    const { body: explained } = await app.call(owner, 'historical_statistics', 'explain', { ...question, compare: 'before' });
    const causes: { dimension: string; value: string }[] = explained.content;
    const { rows: all } = await app.db.execute<{ visits: number }>(
      sql`SELECT count(*)::int AS visits FROM visit WHERE live_code_id = ${body.id}`,
    );
    expect(explained.now).toBe(all[0]?.visits);
    expect([causes.length > 0, causes.filter(({ dimension }) => dimension === 'target')]).toEqual([true, []]);
    const content = compared.content.map(({ target_id, visits, share, returning }) => [target_id, visits, share.of, returning]);
    expect(parted.breakdowns.target).toMatchObject({
      total: content[0]?.[2],
      parts: content.map(([id, visits]) => ({ value: String(id), visits })),
    });
    return content;
  };
  const ofRows = [await told(), await told({ language: ['zh-CN'] })];
  expect(ofRows[1]).toMatchObject([
    [first, 3, 4, { share: 1 / 3, of: 3 }],
    [second, 1, 4, { share: 0, of: 1 }],
  ]);
  expect(ofRows[0]).toEqual(ofRows[1]);
  await files.built();
  const before = files.scans();
  expect([await told(), await told({ language: ['zh-CN'] })]).toEqual(ofRows);
  expect(files.scans()).toBeGreaterThan(before);
  // Who was here on another day comes twice.
  await loadVisits(app.url, [
    ...[visitsTo(second, 0, '1.1.1.3'), visitsTo(second, 0, '1.1.1.3')],
    ...goneAt(2_000_000, [0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ]);
  const last = await told({ language: ['zh-CN'] });
  expect(last[1]).toMatchObject([second, 3, 6, { share: 0.5, of: 2 }]);
  expect(await told()).toEqual(last);
  expect(files.faults).toEqual([]);
});

test('what is counted by what is filtered is told of the devices that fit', async () => {
  const android = 'Mozilla/5.0 (Linux; Android 13; M2102J2SC) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Mobile Safari/537.36';
  await loadVisits(app.url, [visitOf({ live_code_id: code, at: now.getTime() - 3 * day, user_agent: android })]);
  const brandsOf = async (system: string) => {
    const question = { from: dayOf(6), to: dayOf(0), filters: { system: [system] }, dimensions: ['brand' as const, 'country' as const] };
    return (await app.call(admin, 'historical_statistics', 'breakdown', question)).body.breakdowns.brand;
  };
  const ofRows = [await brandsOf('Android'), await brandsOf('iOS')];
  expect(ofRows[0]).toEqual({ total: 1, parts: [{ value: 'Xiaomi', visits: 1 }] });
  await files.built();
  const before = files.scans();
  expect([await brandsOf('Android'), await brandsOf('iOS')]).toEqual(ofRows);
  expect(files.scans()).toBeGreaterThan(before);
});
