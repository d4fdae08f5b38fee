import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isOneOf } from '../../kit/rows/list.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { recentOfRows } from '../statistics/recent-visits.ts';
import { anyHidden } from '../statistics/visible.ts';
import { columnsForTest } from '../testing/columns.ts';
import { loadVisits } from '../testing/loading.ts';
import { headerLength } from './day-file.ts';
import { isTail } from './tails.ts';

const [minute, hour] = [60_000, 3_600_000];
// Half past an hour that is over, about noon or just after midnight of the site.
const halfPast = Math.floor(Date.now() / hour) * hour - hour / 2;
const hourOfUtc = new Date(halfPast).getUTCHours();
const noonIs = 12 - hourOfUtc;
const midnightIs = hourOfUtc <= 12 ? -hourOfUtc : 24 - hourOfUtc;
let today: string;
let now = halfPast;
let app: TestApp;
let files: Awaited<ReturnType<typeof columnsForTest>>;
let owner: TestUser;
let code: number;

beforeAll(async () => {
  app = await createTestApp({ now: () => new Date(now) });
});
afterAll(() => app.close());
/** Lets the site's clock be so many hours ahead. */
async function setZone(hours: number): Promise<void> {
  const zone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
  today = new Date(halfPast + hours * hour).toISOString().slice(0, 10);
  await app.db.execute(
    sql`INSERT INTO setting (key, value) VALUES ('time_zone', ${JSON.stringify(zone)}::jsonb) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
}
beforeEach(async () => {
  now = halfPast;
  await setZone(noonIs);
  files = await columnsForTest(app.url, { now: () => now });
  owner = await app.makeUser('customer');
  code = (await app.call(owner, 'qr_code_list', 'add', { name: 'code', targets: [{ kind: 'text', content: 'x' }] })).body.id;
});
afterEach(() => files.end());

const load = (...visits: readonly [ago: number, ip: string][]) =>
  loadVisits(
    app.url,
    visits.map(([ago, ip]) => visitOf({ live_code_id: code, at: now - ago, ip, language: 'fr' })),
  );
const figures = async () => {
  const { body } = await app.call(owner, 'historical_statistics', 'inquire', { from: today, to: today, filters: { language: ['fr'] } });
  return [body.totals.visits, body.totals.ips];
};
/** Versions of files there are of today: of its first hours, and of what came since. */
const stored = () => {
  const names = readdirSync(join(files.dataDir, 'visit-columns'), { recursive: true, encoding: 'utf8' });
  const versions = names.filter((name) => name.includes(today)).map((name) => name.slice(name.indexOf('.') + 1));
  return { parts: versions.filter((version) => !isTail(version)).length, tails: versions.filter(isTail).length };
};
/** What files answer, once there are all that are wanted; rows answered the same. */
async function ask() {
  const [first, before] = [await figures(), files.scans()];
  await files.built();
  await figures();
  // A tail follows the file of the hours that are over.
  await files.built();
  const [visits, ips] = await figures();
  expect([visits, ips]).toEqual(first);
  expect(files.scans()).toBeGreaterThan(before);
  expect(files.faults).toEqual([]);
  return { visits, ips, ...stored() };
}

describe('hours that are over', () => {
  test('have a file; who comes again after them is one address', async () => {
    await load([3 * hour, '8.8.8.8'], [2 * hour, '8.8.8.8'], [2 * hour, '9.9.9.9']);
    await load([3_000, '8.8.8.8'], [2_000, '2400:3200::1'], [1_000, '2400:3200::1']);
    expect(await ask()).toEqual({ visits: 6, ips: 3, parts: 1, tails: 0 });
    // It stays while nothing comes of its hours.
    await load([500, '9.9.9.9']);
    expect(await ask()).toEqual({ visits: 7, ips: 3, parts: 1, tails: 0 });
  });

  test('have another file where a visit of them comes late', { tags: 'full' }, async () => {
    await load([2 * hour, '8.8.8.8']);
    expect(await ask()).toEqual({ visits: 1, ips: 1, parts: 1, tails: 0 });
    await load([2 * hour, '9.9.9.9'], [1_000, '9.9.9.9']);
    // The one before may be about to be read.
    expect(await ask()).toEqual({ visits: 3, ips: 2, parts: 2, tails: 0 });
    await load([3 * hour, '9.9.9.9']);
    expect(await ask()).toEqual({ visits: 4, ips: 2, parts: 2, tails: 0 });
  });

  test('have no other file for a while, where visits of them keep coming: rows tell them', { tags: 'full' }, async () => {
    await files.end();
    files = await columnsForTest(app.url, { now: () => now, rests: { part: 1_000_000, tail: 1_000_000 } });
    await load([2 * hour, '8.8.8.8']);
    expect(await ask()).toEqual({ visits: 1, ips: 1, parts: 1, tails: 0 });
    await load([2 * hour, '9.9.9.9']);
    expect(await figures()).toEqual([2, 2]);
    await files.built();
    expect(stored()).toEqual({ parts: 1, tails: 0 });
  });
});

describe('the hour that goes on', () => {
  beforeEach(() =>
    load([2 * hour, '8.8.8.8'], [20 * minute, '9.9.9.9'], [5 * minute, '8.8.8.8'], [5 * minute, '1.1.1.1'], [1_000, '2400:3200::1']),
  );
  const changeRows = (from: number, to: number) =>
    app.db.execute(
      sql`UPDATE visit SET language_id = NULL WHERE live_code_id = ${code} AND at BETWEEN ${new Date(now - from).toISOString()} AND ${new Date(now - to).toISOString()}`,
    );

  test('has a file up to its last seconds, whose rows are not read; who was here before, or comes again, is one address', async () => {
    expect(await ask()).toEqual({ visits: 5, ips: 4, parts: 1, tails: 1 });
    await changeRows(25 * minute, 4 * minute);
    await load([500, '1.1.1.1'], [500, '8.8.8.8'], [400, '2.2.2.2']);
    expect(await ask()).toEqual({ visits: 8, ips: 5, parts: 1, tails: 1 });
  });

  test('has another file where a visit of it comes late, and rows tell it until then', async () => {
    expect(await ask()).toMatchObject({ visits: 5, ips: 4 });
    await load([10 * minute, '1.1.1.1'], [10 * minute, '2.2.2.2']);
    expect(await ask()).toEqual({ visits: 7, ips: 5, parts: 1, tails: 2 });
    await load([25 * minute, '2.2.2.2']);
    expect(await ask()).toEqual({ visits: 8, ips: 5, parts: 1, tails: 2 });
  });

  test('has one that ends earlier where visits keep coming late', { tags: 'full' }, async () => {
    await ask();
    await load([20_000, '1.1.1.1']);
    expect(await ask()).toMatchObject({ visits: 6, ips: 4, tails: 2 });
    await load([20_000, '2.2.2.2']);
    await changeRows(25 * minute, 4 * minute);
    expect(await figures()).toEqual([7, 5]);
  });

  test('is waited for where its rows are more than anybody waits for, until its first file is there', { tags: 'full' }, async () => {
    await files.end();
    files = await columnsForTest(app.url, { now: () => now, tooLongMilliseconds: 0 });
    const asked = async () => {
      const { status, body } = await app.send(owner, 'historical_statistics/inquire', {
        ...{ from: today, to: today, filters: { language: ['fr'] } },
      });
      return status === 200 ? body : { status, message: body.message };
    };
    const preparing = { status: 503, message: expect.stringContaining('1 天中已完成 0 天') };
    expect(await asked()).toEqual(preparing);
    await files.built();
    expect([stored(), await asked()]).toEqual([{ parts: 1, tails: 0 }, preparing]);
    await files.built();
    expect(await asked()).toMatchObject({ totals: { visits: 5, ips: 4 } });
    // A file that does not hold is no reason to wait once more.
    await load([10 * minute, '2.2.2.2']);
    expect(await asked()).toMatchObject({ totals: { visits: 6, ips: 5 } });
  });

  test('has a longer file as it goes on', async () => {
    expect(await ask()).toEqual({ visits: 5, ips: 4, parts: 1, tails: 1 });
    now += 5 * minute;
    await load([20_000, '2.2.2.2'], [20_000, '1.1.1.1'], [0, '8.8.8.8']);
    expect(await ask()).toEqual({ visits: 8, ips: 5, parts: 1, tails: 2 });
    await changeRows(30 * minute, 15_000);
    expect(await ask()).toMatchObject({ visits: 8, ips: 5 });
  });

  test('has one also where no hour of the day is over', async () => {
    await setZone(midnightIs);
    expect(await ask()).toEqual({ visits: 4, ips: 4, parts: 0, tails: 1 });
    await changeRows(25 * minute, 4 * minute);
    await load([500, '9.9.9.9']);
    expect(await ask()).toEqual({ visits: 5, ips: 4, parts: 0, tails: 1 });
  });

  /** Changes a bit of what each tail holds. */
  function spoilTail(): void {
    const folder = join(files.dataDir, 'visit-columns');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.tail-'));
    for (const name of names) {
      const bytes = readFileSync(join(folder, name));
      bytes[headerLength] = (bytes[headerLength] ?? 0) ^ 1;
      writeFileSync(join(folder, name), bytes);
    }
  }

  test('has its rows read where its file is damaged, which is removed', {
    tags: 'full',
  }, async () => {
    expect(await ask()).toMatchObject({ visits: 5, ips: 4 });
    spoilTail();
    expect(await figures()).toEqual([5, 4]);
    expect([files.faults.length, stored()]).toEqual([1, { parts: 1, tails: 0 }]);
  });

  describe('beside counts by code', () => {
    /** Visits of a code by country, under a filter that counts know. */
    const counted = async (of: number) => {
      const { status, body } = await app.call(owner, 'historical_statistics', 'breakdown', {
        ...{ from: today, to: today, live_code_ids: [of] },
        ...{ filters: { system: ['iOS'] }, dimensions: ['country'] },
      });
      expect(status).toBe(200);
      return body.breakdowns.country?.total;
    };
    // So many that few rows after them are sooner read than all counts.
    beforeEach(() => load(...Array.from({ length: 200 }, (): [number, string] => [10 * minute, '9.9.9.9'])));
    // Who is asked tells more than there is.
    const falsifyCounts = () =>
      app.db.execute(
        sql`UPDATE visit_hour_origin SET visits = visits + 1000 WHERE live_code_id = ${code} AND hour = ${new Date(halfPast - hour / 2).toISOString()}`,
      );

    test('tells what these do, also of visits that came after it', async () => {
      await ask();
      await load([500, '1.1.1.1']);
      await falsifyCounts();
      expect(await counted(code)).toBe(206);
    });

    test('leaves to these what codes without log have, and what an earlier release counted', async () => {
      const other = (await app.call(owner, 'qr_code_list', 'add', { name: 'other', targets: [{ kind: 'text', content: 'x' }] })).body.id;
      await ask();
      const unlogged = (live_code_id: number) => visitOf({ live_code_id, at: now - 500, ip: '1.1.1.1', open_log: false });
      await loadVisits(app.url, [unlogged(other), visitOf({ live_code_id: other, at: now - 400, ip: '1.1.1.1' })]);
      await falsifyCounts();
      expect([await counted(code), await counted(other)]).toEqual([205, 2]);
      const slice = sql`starts_at = ${new Date(now - 10 * minute).toISOString()}`;
      await app.db.execute(sql`UPDATE visit_site_slice SET unlogged = NULL WHERE ${slice}`);
      expect(await counted(code)).toBeGreaterThan(1_000);
      await app.db.execute(sql`UPDATE visit_site_slice SET unlogged = 0 WHERE ${slice}`);
      expect(await counted(code)).toBe(205);
      await loadVisits(app.url, [unlogged(code)]);
      expect(await counted(code)).toBeGreaterThan(1_000);
    });
  });

  test('tells the last half hour as rows do, of one code, of several and of all, also where a history was cleared', async () => {
    const other = (await app.call(owner, 'qr_code_list', 'add', { name: 'other', targets: [{ kind: 'text', content: 'x' }] })).body.id;
    const visit = fc.record({
      at: fc.integer({ min: now - 45 * minute, max: now - 1 }),
      live_code_id: fc.constantFrom(code, other, 0),
      outcome: fc.constantFrom(0, 0, 0, 4, 8),
      ip: fc.constantFrom('8.8.8.8', '9.9.9.9', '114.114.114.114', '120.196.165.24', '2400:3200::1'),
    });
    const visits = fc.sample(visit, { numRuns: 150, seed: 5 });
    await loadVisits(
      app.url,
      visits.map((one) => visitOf(one)),
    );
    await app.db.execute(sql`UPDATE live_code SET visible_from = ${new Date(now - 12 * minute).toISOString()} WHERE id = ${other}`);
    await ask();
    const administrator = await app.makeUser('administrator');
    const span = { first: now - 29 * minute, to: now + 1, minutes: 30, present: now - 5 * minute };
    for (const [caller, ids] of [
      [owner, [code]],
      [owner, [other]],
      [owner, [code, other]],
      [administrator, []],
    ] as const) {
      const before = files.scans();
      const { status, body } = await app.call(
        caller,
        'access_real_time_statistics',
        'inquire',
        ids.length > 0 ? { live_code_ids: [...ids] } : {},
      );
      expect([status, files.scans()]).toEqual([200, before + 1]);
      const { visits, refused, places, ...people } = await recentOfRows(
        app.db,
        { codes: ids.length > 0 ? isOneOf(live_code.id, ids) : undefined, hidden: anyHidden },
        span,
      );
      const { rows } = await app.db.execute(
        sql`SELECT country, region, sum(visits)::float8 AS visits FROM ${places} AS counted JOIN visit_place USING (id) GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
      );
      expect(body).toMatchObject({
        ...people,
        regions: rows,
        minutes: Array.from(visits, (count, at) => ({ visits: count, refused: refused[at] })),
      });
      expect(body.visits).toBeGreaterThan(0);
    }
  });

  test('has none where a loader that knows of none wrote some of its visits', async () => {
    // No test comes after it: what counts by hour have more stays.
    await app.db.execute(sql`DELETE FROM visit_site_slice WHERE starts_at < ${new Date(now - 10 * minute).toISOString()}`);
    expect(await ask()).toEqual({ visits: 5, ips: 4, parts: 1, tails: 0 });
  });
});
