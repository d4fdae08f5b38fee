import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isRefusal, outcomes } from '../../../contract/enums.ts';
import type { FilterDimension, VisitFilters } from '../../../contract/visits/historical-statistics.ts';
import { filterDimensions } from '../../../contract/visits/historical-statistics.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { addDays, siteClock } from '../../kit/visits/site-clock.ts';
import { packCounts } from '../maintenance/packing.ts';
import { columnsForTest } from '../testing/columns.ts';
import { loadVisits } from '../testing/loading.ts';

const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.48(0x18003030) NetType/WIFI Language/zh_CN',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; M2012K11AC) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0 Mobile Safari/537.36 AliApp(AP/10.5.96) AlipayClient/10.5.96',
  'curl/8.5.0',
] as const;
const ips = ['8.8.8.8', '120.196.165.24', '114.114.114.114', '202.96.209.5', '2400:3200::1'] as const;
const hour = 3_600_000;

/** A row as the plain count sees it. */
type Seen = { at: number; code: number; ip: string; outcome: string; first_visit: boolean } & Record<FilterDimension, string>;

/** Every visible row with its names, read without any of the code that is tested. */
async function rowsOf(app: TestApp, codes: readonly number[], zone: string): Promise<Seen[]> {
  const { rows } = await app.db.execute<Record<string, string | number | boolean | null>>(sql`
    SELECT extract(epoch FROM visit.at)::float8 * 1000 AS at, visit.live_code_id::float8 AS code, host(ip) AS ip, outcome, first_visit,
      coalesce(target_id, 0)::text AS target, carrier, country, region, city, source, system, brand, model, model_name, browser,
      l.text AS language, r.text AS referer, h.text AS host
    FROM visit JOIN live_code ON live_code.id = visit.live_code_id JOIN visit_place ON visit_place.id = place_id
    JOIN visit_agent ON visit_agent.id = agent_id JOIN visit_device ON visit_device.id = device_id JOIN visit_text h ON h.id = host_id
    LEFT JOIN visit_text l ON l.id = language_id LEFT JOIN visit_text r ON r.id = referer_id
    WHERE live_code.id = ANY (${sql.param([...codes])}::bigint[]) AND (visible_from IS NULL OR visit.at >= visible_from)`);
  const clock = siteClock(zone);
  return rows.map((row) => {
    const at = Math.round(Number(row.at));
    const text = (key: string) => String(row[key] ?? '');
    const names = Object.fromEntries(
      ['target', 'carrier', 'country', 'region', 'city', 'source', 'system', 'brand', 'browser', 'host'].map((key) => [key, text(key)]),
    );
    const date = new Date(`${clock.dayOf(at)}T00:00:00Z`);
    return {
      ...(names as Record<FilterDimension, string>),
      ...{
        at,
        code: Number(row.code),
        ip: text('ip'),
        outcome: outcomes[Number(row.outcome)] ?? '',
        first_visit: row.first_visit === true,
      },
      app: ['browser', 'bot'].includes(text('source')) ? '' : text('browser'),
      model: text('model_name') || text('model'),
      language: text('language').split(/[,;]/)[0] ?? '',
      referer: URL.canParse(text('referer')) ? new URL(text('referer')).hostname : '',
      weekday: String(date.getUTCDay() || 7),
      hour: String(clock.clockHourOf(at)),
    };
  });
}

const fits = (row: Seen, filters: VisitFilters): boolean =>
  filterDimensions.every((dimension) => dimension === 'outcome' || (filters[dimension]?.includes(row[dimension]) ?? true));
const isAsked = (row: Seen, { outcome }: VisitFilters): boolean => (outcome ? outcome.includes(row.outcome) : row.outcome === 'passed');

function plainSums(rows: readonly Seen[], filters: VisitFilters, zone: string) {
  const clock = siteClock(zone);
  const found = rows.filter((row) => fits(row, filters));
  const asked = found.filter((row) => isAsked(row, filters));
  return {
    visits: asked.length,
    ips: new Set(asked.map(({ code, ip, at }) => `${code} ${ip} ${clock.dayOf(at)}`)).size,
    new_ips: asked.filter(({ first_visit }) => first_visit).length,
    refused: found.filter(({ outcome }) => isRefusal(outcome as (typeof outcomes)[number])).length,
    programs: found.filter(({ outcome }) => outcome === 'program').length,
    own: found.filter(({ outcome }) => outcome === 'own').length,
  };
}

function plainParts(rows: readonly Seen[], filters: VisitFilters, dimension: FilterDimension): Record<string, number> {
  const { [dimension]: _, ...others } = filters;
  const counts: Record<string, number> = {};
  for (const row of rows) {
    // Target 13 is gone.
    if (dimension === 'target' && row.target === '13') continue;
    if (!fits(row, others) || !(dimension === 'outcome' || isAsked(row, others))) continue;
    counts[row[dimension]] = (counts[row[dimension]] ?? 0) + 1;
  }
  return counts;
}

describe.each([
  ['Asia/Shanghai', '2026-03-11T04:30:00Z'],
  ['Asia/Kolkata', '2026-03-11T04:50:00Z'],
  // Clocks are put forward on 8 March.
  ['America/New_York', '2026-03-10T16:20:00Z'],
])('in %s', (zone, moment) => {
  const now = new Date(moment);
  const clock = siteClock(zone);
  const today = clock.dayOf(now.getTime());
  let app: TestApp;
  let owner: TestUser;
  /** Sees all codes: what he asks is answered by other counts. */
  let administrator: TestUser;
  let codes: number[];

  beforeAll(async () => {
    app = await createTestApp({ now: () => now });
    owner = await app.makeUser('customer');
    administrator = await app.makeUser('administrator');
    await app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('time_zone', ${JSON.stringify(zone)}::jsonb)`);
    const { rows } = await app.db.execute<{ id: number }>(
      sql`INSERT INTO live_code (file_name, owner_id, name) VALUES ('first', ${owner.id}, 'First'), ('second', ${owner.id}, 'Second') RETURNING id`,
    );
    codes = rows.map(({ id }) => Number(id));
    await app.db.execute(
      sql`INSERT INTO live_code_target (id, live_code_id, kind, content, sort) VALUES (11, ${codes[0]}, 'url', 'https://a.example', 1), (12, ${codes[1]}, 'url', 'https://b.example', 1)`,
    );
    const visit = fc.record({
      at: fc.oneof(
        { arbitrary: fc.integer({ min: now.getTime() - 5 * 24 * hour, max: now.getTime() - 1 }), weight: 5 },
        { arbitrary: fc.integer({ min: now.getTime() - 1.5 * hour, max: now.getTime() - 1 }), weight: 1 },
      ),
      live_code_id: fc.constantFrom(...codes),
      outcome: fc.constantFrom(0, 0, 0, 0, 0, 0, 4, 8, 9),
      ip: fc.constantFrom(...ips),
      user_agent: fc.constantFrom(...agents),
      language: fc.constantFrom('', 'zh-CN,zh;q=0.9', 'zh-CN', 'en-US;q=0.8', 'en'),
      referer: fc.constantFrom('', 'https://weibo.com/a/b', 'http://weibo.com.evil.example/', 'https://news.example:8443/x?y'),
      host: fc.constantFrom('qr.example.com', 'qr.example.com.cn'),
    });
    const visits: Partial<VisitRecord>[] = fc.sample(visit, { numRuns: 600, seed: 20_260_311 });
    await loadVisits(
      app.url,
      visits
        .sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
        .map((change, index) => visitOf({ ...change, target_id: index % 9 === 0 ? 13 : change.live_code_id === codes[0] ? 11 : 12 })),
    );
  });
  afterAll(() => app.close());

  const range = { from: addDays(today, -4), to: today };
  const ask = async (caller: TestUser, filters: VisitFilters) => {
    const { status, body } = await app.call(caller, 'historical_statistics', 'inquire', { ...range, filters, step: 'hour' });
    expect(status).toBe(200);
    return body;
  };
  const within = (rows: readonly Seen[]) => rows.filter(({ at }) => at >= clock.startOf(range.from));

  const someFilters = (rows: readonly Seen[]) =>
    fc
      .uniqueArray(fc.constantFrom(...filterDimensions), { maxLength: 3 })
      .chain((dimensions) =>
        fc
          .tuple(
            ...dimensions.map((dimension) =>
              fc.uniqueArray(
                fc.constantFrom(...new Set(rows.map((row) => row[dimension]).filter((value) => value !== '13' || dimension !== 'target'))),
                { minLength: 1, maxLength: 3 },
              ),
            ),
          )
          .map((values): VisitFilters => Object.fromEntries(dimensions.map((dimension, index) => [dimension, values[index] ?? []]))),
      );

  async function expectPlainCounts(runs: number, seed: number) {
    const rows = within(await rowsOf(app, codes, zone));
    await fc.assert(
      fc.asyncProperty(someFilters(rows), fc.constantFrom(...filterDimensions), fc.boolean(), async (filters, dimension, isOwner) => {
        const caller = isOwner ? owner : administrator;
        const { totals, series } = await ask(caller, filters);
        expect(totals).toEqual(plainSums(rows, filters, zone));
        for (const figure of ['visits', 'ips', 'new_ips', 'refused', 'programs', 'own'] as const) {
          expect(series.reduce((sum, point) => sum + point[figure], 0)).toBe(totals[figure]);
        }
        for (const point of series.slice(0, 30)) {
          const start = Date.parse(point.at);
          expect(point.visits).toBe(
            plainSums(
              rows.filter(({ at }) => at >= start && at < start + hour),
              filters,
              zone,
            ).visits,
          );
        }
        const { body } = await app.call(caller, 'historical_statistics', 'breakdown', {
          ...range,
          filters,
          dimensions: [dimension, 'carrier', 'target'],
        });
        for (const one of [dimension, 'carrier', 'target'] as const) {
          const parts = plainParts(rows, filters, one);
          expect(Object.fromEntries(body.breakdowns[one]?.parts.map(({ value, visits }) => [value, visits]) ?? [])).toEqual(parts);
          expect(body.breakdowns[one]?.total).toBe(Object.values(parts).reduce((sum, visits) => sum + visits, 0));
        }
      }),
      { numRuns: runs, seed },
    );
  }

  test('every figure is a plain count over the rows, under any filters', () => expectPlainCounts(30, 1), 60_000);

  test('so it is where a history was cleared, and again where it was restored', async () => {
    await app.db.execute(
      sql`UPDATE live_code SET visible_from = ${new Date(now.getTime() - 40.4 * hour).toISOString()} WHERE id = ${codes[0]}`,
    );
    await expectPlainCounts(15, 2);
    await app.db.execute(sql`UPDATE live_code SET visible_from = NULL`);
    await expectPlainCounts(3, 3);
  });

  // Half hours of another zone lie in other quarters of packed rows.
  test('so it is where days are packed, and months, with what came late', {
    tags: zone === 'Asia/Kolkata' ? [] : 'full',
    timeout: 60_000,
  }, async () => {
    const { pool } = app;
    expect(await packCounts(pool, { now })).toBeGreaterThan(0);
    await expectPlainCounts(10, 9);
    await app.db.execute(
      sql`UPDATE live_code SET visible_from = ${new Date(now.getTime() - 70.4 * hour).toISOString()} WHERE id = ${codes[0]}`,
    );
    await expectPlainCounts(8, 10);
    await loadVisits(app.url, [visitOf({ live_code_id: codes[1] ?? 0, target_id: 12, at: now.getTime() - 90 * hour })]);
    await expectPlainCounts(3, 11);
    expect(await packCounts(pool, { now: new Date(now.getTime() + 40 * 24 * hour) })).toBeGreaterThan(0);
    await expectPlainCounts(8, 12);
    await app.db.execute(sql`UPDATE live_code SET visible_from = NULL`);
    await expectPlainCounts(5, 13);
  });

  // Where ClickHouse answers, they are not asked.
  test.skipIf(inject('clickhouse')).each([
    ['today over', {}],
    ['today as it was forty minutes ago', { now: () => now.getTime() - (2 * hour) / 3 }],
  ])(
    'so it is where files of days answer, %s, as far as there are any, also of days that changed meanwhile',
    // Where a day has 23 hours in every run.
    { tags: zone === 'America/New_York' ? [] : 'full', timeout: 60_000 },
    async (_today, clocks) => {
      const files = await columnsForTest(app.url, clocks);
      try {
        await expectPlainCounts(3, 4);
        await files.built();
        await expectPlainCounts(20, 5);
        expect(files.scans()).toBeGreaterThan(20);
        await app.db.execute(
          sql`UPDATE live_code SET visible_from = ${new Date(now.getTime() - 40.4 * hour).toISOString()} WHERE id = ${codes[0]}`,
        );
        await expectPlainCounts(8, 6);
        await app.db.execute(sql`UPDATE live_code SET visible_from = NULL`);
        const late = { live_code_id: codes[1] ?? 0, target_id: 12, user_agent: agents[0] };
        await loadVisits(app.url, [
          visitOf({ ...late, at: now.getTime() - 50 * hour }),
          visitOf({ ...late, at: now.getTime() - 3 * hour }),
          visitOf({ ...late, at: now.getTime() - (3 * hour) / 4 }),
        ]);
        await expectPlainCounts(3, 7);
        await files.built();
        await expectPlainCounts(5, 8);
        expect(files.faults).toEqual([]);
      } finally {
        await files.end();
      }
    },
  );

  test('the heat map holds each visit at its day and hour, and nothing ahead', async () => {
    const rows = within(await rowsOf(app, codes, zone)).filter(({ outcome }) => outcome === 'passed');
    const { body } = await app.call(owner, 'historical_statistics', 'heatmap', { ...range, to: addDays(today, 3) });
    expect((await app.call(administrator, 'historical_statistics', 'heatmap', { ...range, to: addDays(today, 3) })).body).toEqual(body);
    expect(body.days.map(({ day }) => day)).toEqual([0, 1, 2, 3, 4].map((number) => addDays(range.from, number)));
    for (const { day, hours } of body.days) {
      for (const [shown, visits] of hours.entries()) {
        const expected = rows.filter((row) => clock.dayOf(row.at) === day && row.hour === String(shown)).length;
        expect(visits ?? 0).toBe(expected);
      }
    }
    expect(body.days.at(-1)?.hours[23]).toBeNull();
    expect(body.weekdays.flatMap(({ hours }) => hours).reduce((sum, visits) => sum + visits, 0)).toBe(rows.length);
  });
});

describe('statistics of visits', () => {
  const now = new Date('2026-03-11T04:30:00Z');
  const shanghai = (text: string): number => Date.parse(`${text}+08:00`);
  let app: TestApp;
  let owner: TestUser;
  let stranger: TestUser;
  let code: number;
  let targets: number[];
  beforeAll(async () => {
    app = await createTestApp({ now: () => now });
    [owner, stranger] = [await app.makeUser('customer'), await app.makeUser('customer')];
    const made = await app.db.execute<{ id: number }>(
      sql`INSERT INTO live_code (file_name, owner_id, name) VALUES ('mine', ${owner.id}, 'Mine') RETURNING id`,
    );
    code = Number(made.rows[0]?.id);
    const { rows } = await app.db.execute<{ id: number }>(sql`
      INSERT INTO live_code_target (live_code_id, kind, content, name, sort) VALUES (${code}, 'url', 'https://a.example', 'A', 2), (${code}, 'url', 'https://b.example', 'B', 1) RETURNING id`);
    targets = rows.map(({ id }) => Number(id));
    const [a = 0, b = 0] = targets;
    await loadVisits(app.url, [
      visitOf({ live_code_id: code, at: shanghai('2026-03-10T09:00:00'), ip: '8.8.8.8', target_id: a }),
      visitOf({ live_code_id: code, at: shanghai('2026-03-10T12:29:00'), ip: '9.9.9.9', target_id: a }),
      visitOf({ live_code_id: code, at: shanghai('2026-03-10T12:31:00'), ip: '7.7.7.7', target_id: b }),
      visitOf({ live_code_id: code, at: shanghai('2026-03-11T09:00:00'), ip: '8.8.8.8', target_id: a }),
      visitOf({ live_code_id: code, at: shanghai('2026-03-11T09:30:00'), ip: '120.196.165.24', target_id: a }),
      visitOf({ live_code_id: code, at: shanghai('2026-03-11T10:00:00'), outcome: 8 }),
      visitOf({ live_code_id: code, at: shanghai('2026-03-11T11:00:00'), outcome: 10, target_id: a }),
    ]);
  });
  afterAll(() => app.close());

  test('compare a day that has just begun with the same part of the other one, filtered or not', async () => {
    const day = { from: '2026-03-11', to: '2026-03-11', compare: 'before' } as const;
    const { body } = await app.call(owner, 'historical_statistics', 'inquire', day);
    expect(body).toMatchObject({
      step: 'hour',
      totals: { visits: 2 },
      before: { from: '2026-03-10', to: '2026-03-10', totals: { visits: 2, ips: 2 } },
    });
    expect(body.before?.series).toHaveLength(24);
    const filtered = await app.call(owner, 'historical_statistics', 'inquire', { ...day, filters: { country: ['美国'] } });
    expect(filtered.body).toMatchObject({ totals: { visits: 1, ips: 1, new_ips: 0 }, before: { totals: { visits: 2 } } });
  });

  test('compare targets, each with how certain its share is', async () => {
    const { body } = await app.call(owner, 'historical_statistics', 'targets', { from: '2026-03-10', to: '2026-03-11' });
    expect(body.content).toMatchObject([
      {
        target_id: targets[0],
        name: 'A',
        visits: 4,
        presses: 1,
        share: { share: 0.8, of: 5 },
        press_rate: { of: 4 },
        returning: { share: 0.25, of: 4 },
      },
      { target_id: targets[1], name: 'B', visits: 1, presses: 0, share: { share: 0.2 }, press_rate: null, returning: { share: 0, of: 1 } },
    ]);
    const hours = ['9', '12'];
    const filtered = await app.call(owner, 'historical_statistics', 'targets', {
      from: '2026-03-10',
      to: '2026-03-11',
      filters: { hour: hours },
    });
    expect(filtered.body.content).toMatchObject([
      { target_id: targets[0], visits: 4, share: { of: 5 }, returning: { share: 0.25, of: 4 } },
      { target_id: targets[1], visits: 1 },
    ]);
    expect(await packCounts(app.pool, { now: new Date('2026-03-14T00:00:00Z') })).toBeGreaterThan(0);
    const packed = await app.call(owner, 'historical_statistics', 'targets', { from: '2026-03-10', to: '2026-03-11' });
    expect(packed.body).toEqual(body);
  });

  test('mark what happened to a code', async () => {
    const { body } = await app.call(owner, 'historical_statistics', 'annotations', {
      from: '2026-03-11',
      to: '2026-03-11',
      live_code_ids: [code],
    });
    expect(body.content).toEqual([
      { at: '2026-03-11T02:00:00.000Z', kind: 'target_exhausted', live_code_id: code, code_name: 'Mine', text: '', note_id: null },
    ]);
  });

  test('tell nothing of codes of other people, named or not', async () => {
    const days = { from: '2026-03-10', to: '2026-03-11' };
    for (const live_code_ids of [undefined, [code]]) {
      const question = { ...days, ...(live_code_ids && { live_code_ids }) };
      expect((await app.call(stranger, 'historical_statistics', 'inquire', question)).body.totals.visits).toBe(0);
      expect(
        (await app.call(stranger, 'historical_statistics', 'inquire', { ...question, filters: { carrier: ['mobile'] } })).body.totals
          .visits,
      ).toBe(0);
      expect(
        (await app.call(stranger, 'historical_statistics', 'breakdown', { ...question, dimensions: ['host', 'city', 'outcome'] })).body
          .breakdowns.host?.parts,
      ).toEqual([]);
      expect((await app.call(stranger, 'historical_statistics', 'targets', question)).body.content).toEqual([]);
      expect((await app.call(stranger, 'historical_statistics', 'annotations', question)).body.content).toEqual([]);
    }
  });

  test('refuse a range that is none, or too long', async () => {
    expect((await app.call(owner, 'historical_statistics', 'inquire', { from: '2026-03-11', to: '2026-03-10' })).status).toBe(400);
    expect((await app.call(owner, 'historical_statistics', 'inquire', { from: '2020-03-11', to: '2026-03-10' })).status).toBe(400);
  });
});
