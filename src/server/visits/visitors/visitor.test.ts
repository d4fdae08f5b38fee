import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../contract/kit/call.ts';
import type { Visitor, visitorList } from '../../../contract/visits/visitor.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { loadVisits } from '../testing/loading.ts';

/** 12:30 on a Wednesday in Shanghai. */
const now = new Date('2026-03-11T04:30:00Z');
const shanghai = (text: string): number => Date.parse(`${text}+08:00`);

let app: TestApp;
let administrator: TestUser;
let customer: TestUser;

beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  administrator = await app.makeUser('administrator');
  customer = await app.makeUser('customer');
  const visits = [
    ['2026-03-08T10:00:00', 1, '8.8.8.8'],
    ['2026-03-10T09:00:00', 1, '120.196.165.24'],
    ['2026-03-10T23:59:59', 2, '120.196.165.24'],
    ['2026-03-11T00:00:00', 1, '120.196.165.24'],
    ['2026-03-11T08:00:00', 1, '9.9.9.9'],
    ['2026-03-11T08:30:00', 3, '8.8.8.8'],
    ['2026-03-11T09:00:00', 1, '2400:3200::1'],
    ['2026-03-11T10:00:00', 1, '9.9.9.9'],
    ['2026-03-11T11:00:00', 1, '9.9.9.9'],
  ] as const;
  await loadVisits(
    app.url,
    visits.map(([at, live_code_id, ip]) => visitOf({ at: shanghai(at), live_code_id, ip })),
  );
});
afterAll(() => app.close());

type Input = InputOf<(typeof visitorList)['calls']['inquire']>;
const list = async (input: Input = {}, as = administrator) => {
  const { status, body } = await app.call(as, 'visitor', 'inquire', input);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const ips = async (input: Input = {}) => (await list(input)).content.map(({ ip }) => ip);

/** All pages, as somebody who leafs through them. */
async function leaf(input: Input): Promise<Visitor[]> {
  const rows: Visitor[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await list({ ...input, ...(after ? { after } : {}) });
    rows.push(...page.content);
    after = page.next;
  }
  return rows;
}

test('each address stands once, by its last arrival, with what it did over all codes', async () => {
  const { content, next } = await list();
  expect(next).toBeNull();
  expect(content.map(({ ip }) => ip)).toEqual(['2400:3200::1', '8.8.8.8', '9.9.9.9', '120.196.165.24']);
  expect(content[1]).toMatchObject({
    visits: 2,
    codes: 2,
    first_at: new Date(shanghai('2026-03-08T10:00:00')).toISOString(),
    arrived_at: new Date(shanghai('2026-03-11T08:30:00')).toISOString(),
    last_at: new Date(shanghai('2026-03-11T08:30:00')).toISOString(),
    country: '美国',
    blacklisted: 'no',
  });
  expect(content[2]).toMatchObject({
    visits: 3,
    codes: 1,
    arrived_at: new Date(shanghai('2026-03-11T08:00:00')).toISOString(),
    last_at: new Date(shanghai('2026-03-11T11:00:00')).toISOString(),
  });
  expect(content[3]).toMatchObject({ visits: 3, codes: 2, country: '中国', carrier: 'mobile' });
  expect(await ips({ order: 'asc' })).toEqual((await ips()).reverse());
});

test('only administrators see visitors of all codes', async () => {
  expect((await app.call(customer, 'visitor', 'inquire', {})).status).toBe(403);
  expect((await app.call(customer, 'visitor', 'blacklist', { ips: ['8.8.8.8'] })).status).toBe(403);
});

test('of chosen days the figures are those of these days, in the time zone of the site', async () => {
  expect(await ips({ from: '2026-03-10', to: '2026-03-10' })).toEqual(['120.196.165.24']);
  expect((await list({ from: '2026-03-10', to: '2026-03-10' })).content[0]).toMatchObject({ visits: 2, codes: 2 });
  expect((await list({ from: '2026-03-11', ip: '120.196.165.24' })).content[0]).toMatchObject({ visits: 1, codes: 1 });
  expect(await ips({ to: '2026-03-08' })).toEqual(['8.8.8.8']);
  expect((await app.call(administrator, 'visitor', 'inquire', { from: '2026-03-11', to: '2026-03-10' })).body.fields).toEqual({
    to: 'invalid',
  });
});

test('by visits, today counts unless days are chosen, and not endlessly many', async () => {
  expect(await ips({ sort: 'visits' })).toEqual(['9.9.9.9', '2400:3200::1', '120.196.165.24', '8.8.8.8']);
  expect(await ips({ sort: 'visits', from: '2026-03-10', to: '2026-03-11' })).toEqual([
    '120.196.165.24',
    '9.9.9.9',
    '2400:3200::1',
    '8.8.8.8',
  ]);
  const endless = await app.call(administrator, 'visitor', 'inquire', { sort: 'visits', from: '2020-01-01' });
  expect([endless.status, endless.body.fields]).toEqual([400, { from: 'range_too_long' }]);
});

test.each([
  ['9.9.9.9', ['9.9.9.9']],
  ['120.196', ['120.196.165.24']],
  ['120.', ['120.196.165.24']],
  ['120.1', ['120.196.165.24']],
  ['120.19.', []],
  ['120.196.0.0/16', ['120.196.165.24']],
  ['0.0.0.0/0', ['8.8.8.8', '9.9.9.9', '120.196.165.24']],
  ['2400:3200::/32', ['2400:3200::1']],
  ['2400:32', ['2400:3200::1']],
  ['2400:3200:0:0:0:0:0:1', ['2400:3200::1']],
  ['::ffff:9.9.9.9', ['9.9.9.9']],
  ['999.', []],
  ['1.2.3.4/99', []],
  ["'; DROP TABLE visitor; --", []],
])('the address filter takes %s', async (ip, expected) => {
  expect(await ips({ ip })).toEqual(expected);
  expect([...(await ips({ ip, sort: 'visits', from: '2026-03-08', to: '2026-03-11' }))].sort()).toEqual([...expected].sort());
});

test('place, carrier and source are those of the newest visit', async () => {
  expect(await ips({ place: '中国', carrier: 'mobile' })).toEqual(['120.196.165.24']);
  expect(await ips({ place: '美国' })).not.toContain('120.196.165.24');
  expect(await ips({ place: '100%' })).toEqual([]);
  expect(await ips({ source: 'bot' })).toEqual([]);
  const sources = (await list()).content.map(({ source }) => source);
  expect(await ips({ source: sources[0] ?? 'bot' })).toHaveLength(sources.filter((source) => source === sources[0]).length);
});

test('a page goes on where the one before ended, in both orders, whatever comes meanwhile', async () => {
  const whole = (await list()).content;
  expect(await leaf({ page_size: 1 })).toEqual(whole);
  expect(await leaf({ page_size: 3, order: 'asc' })).toEqual([...whole].reverse());
  const ranked = (await list({ sort: 'visits' })).content;
  expect(await leaf({ sort: 'visits', page_size: 1 })).toEqual(ranked);
  expect(await leaf({ sort: 'visits', page_size: 3, order: 'asc' })).toEqual([...ranked].reverse());
});

test.each(['', 'x', '1_2', '_', '1_1_999.1.1.1', '1_1_8.8.8.8;DROP', `${'9'.repeat(18)}_1_8.8.8.8`, '9_8.8.8.8'])(
  'a forged continuation %j is refused or finds nothing, and breaks nothing',
  async (after) => {
    const { status, body } = await app.call(administrator, 'visitor', 'inquire', { after });
    expect([200, 400]).toContain(status);
    if (status === 400) expect(body.fields).toEqual({ after: 'invalid' });
  },
);

describe('the blacklist', () => {
  const state = async (ip: string) => (await list({ ip })).content[0]?.blacklisted;
  const networks = async () =>
    (await app.db.execute<{ network: string }>(sql`SELECT network::text AS network FROM visit_blacklist ORDER BY network`)).rows.map(
      ({ network }) => network,
    );

  test('an address is put on it, however it is written and however often, and taken off', async () => {
    const put = await app.call(administrator, 'visitor', 'blacklist', {
      ips: ['9.9.9.9', '::ffff:9.9.9.9', '2400:3200:0::1'],
      remark: 'too many',
    });
    expect(put.body).toEqual({ affected: 2 });
    await Promise.all([1, 2, 3].map(() => app.call(administrator, 'visitor', 'blacklist', { ips: ['9.9.9.9'] })));
    expect(await networks()).toEqual(['2400:3200::1/128', '9.9.9.9/32']);
    expect([await state('9.9.9.9'), await state('8.8.8.8')]).toEqual(['address', 'no']);
    expect((await app.call(administrator, 'visitor', 'allow', { ips: ['9.9.9.9', '2400:3200::1', '1.1.1.1'] })).body).toEqual({
      affected: 2,
    });
    expect(await state('9.9.9.9')).toBe('no');
  });

  test('an address inside a blocked network is told apart, and one whose time is over is free', async () => {
    await app.db.execute(
      sql`INSERT INTO visit_blacklist (network, expires_at) VALUES ('120.196.0.0/16', NULL), ('8.8.8.8', ${'2026-03-11T04:00:00Z'})`,
    );
    expect([await state('120.196.165.24'), await state('8.8.8.8')]).toEqual(['network', 'no']);
    const until = await app.call(administrator, 'visitor', 'blacklist', { ips: ['8.8.8.8'], expires_at: '2026-03-12T00:00:00Z' });
    expect(until.status).toBe(200);
    expect(await state('8.8.8.8')).toBe('address');
    await app.db.execute(sql`DELETE FROM visit_blacklist`);
  });

  test('what is no address, or a moment gone by, is refused', async () => {
    for (const ip of ['', 'x', '1.2.3', '1.2.3.0/24', '1.2.3.4; DELETE', '01.2.3.4']) {
      const { status, body } = await app.call(administrator, 'visitor', 'blacklist', { ips: ['8.8.8.8', ip] });
      expect([status, body.fields]).toEqual([400, { 'ips.1': 'invalid_ip' }]);
    }
    const past = await app.call(administrator, 'visitor', 'blacklist', { ips: ['8.8.8.8'], expires_at: '2026-03-11T04:30:00Z' });
    expect(past.body.fields).toEqual({ expires_at: 'in_the_past' });
    expect(await networks()).toEqual([]);
  });

  test('blocking reaches the change feed of the visit path', async () => {
    const count = async () =>
      Number((await app.db.execute(sql`SELECT count(*) AS n FROM visit_change WHERE kind = 'blacklist'`)).rows[0]?.n);
    const before = await count();
    await app.call(administrator, 'visitor', 'blacklist', { ips: ['5.5.5.5'] });
    expect(await count()).toBeGreaterThan(before);
    await app.call(administrator, 'visitor', 'allow', { ips: ['5.5.5.5'] });
  });
});

test('with any history, leafing through shows every address once, by its newest row', async () => {
  await app.db.execute(sql`DELETE FROM visitor`);
  const { rows } = await app.db.execute<{ place: number; agent: number }>(
    sql`SELECT (SELECT min(id) FROM visit_place) AS place, (SELECT min(id) FROM visit_agent) AS agent`,
  );
  const history = fc.array(
    fc.record({
      code: fc.integer({ min: 1, max: 3 }),
      ip: fc.constantFrom('1.1.1.1', '1.1.1.2', '2.2.2.2', '3.3.3.3', '2400::1'),
      // Equal moments on purpose.
      second: fc.integer({ min: 0, max: 6 }),
      day: fc.integer({ min: 9, max: 11 }),
      visits: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 4 }), async (records, page_size) => {
      await app.db.execute(sql`DELETE FROM visitor`);
      for (const { code, ip, second, day, visits } of records) {
        const at = new Date(shanghai(`2026-03-${String(day).padStart(2, '0')}T08:00:0${second}`)).toISOString();
        await app.db.execute(sql`INSERT INTO visitor VALUES (${code}, ${ip}, ${`2026-03-${day}`}, ${visits}, ${at}, ${at}, ${rows[0]?.place}, ${rows[0]?.agent})
          ON CONFLICT DO NOTHING`);
      }
      const expected = await app.db.execute<{ ip: string; visits: number }>(
        sql`SELECT host(ip) AS ip, sum(visits)::float8 AS visits FROM visitor GROUP BY ip
          ORDER BY max(first_at) DESC, (array_agg(live_code_id ORDER BY first_at DESC, live_code_id DESC))[1] DESC, visitor.ip DESC`,
      );
      const shown = await leaf({ page_size });
      expect(shown.map(({ ip, visits }) => ({ ip, visits }))).toEqual(expected.rows);
    }),
    { numRuns: 25 },
  );
});
