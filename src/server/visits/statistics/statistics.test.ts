import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { loadVisits } from '../testing/loading.ts';

/** 12:30 on a Wednesday in Shanghai. */
const now = new Date('2026-03-11T04:30:00Z');
const shanghai = (text: string): number => Date.parse(`${text}+08:00`);
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

let app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let agent: TestUser;
let administrator: TestUser;
let first: number;
let second: number;
let foreign: number;

const newCode = async (user: TestUser, file_name: string): Promise<number> => {
  const { rows } = await app.db.execute<{ id: number }>(
    sql`INSERT INTO live_code (file_name, owner_id, name) VALUES (${file_name}, ${user.id}, ${`Code ${file_name}`}) RETURNING id`,
  );
  return rows[0]?.id ?? 0;
};

beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  agent = await app.makeUser('agent');
  owner = await app.makeUser('customer', { superior_id: agent.id });
  stranger = await app.makeUser('customer');
  administrator = await app.makeUser('administrator');
  [first, second, foreign] = [await newCode(owner, 'first'), await newCode(owner, 'second'), await newCode(stranger, 'foreign')];
  await loadVisits(app.url, [
    // Yesterday: before and after the same time of day.
    visitOf({ live_code_id: first, at: shanghai('2026-03-10T09:00:00'), ip: '8.8.8.8' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-10T12:29:59'), ip: '9.9.9.9' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-10T12:30:00'), ip: '7.7.7.7' }),
    visitOf({ live_code_id: second, at: shanghai('2026-03-10T12:10:00'), outcome: 4 }),
    visitOf({ live_code_id: second, at: shanghai('2026-03-10T23:59:59') }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-10T12:20:00'), ip: '6.6.6.6', user_agent: 'curl/8.5.0' }),
    // Today.
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T00:00:00'), ip: '8.8.8.8' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T08:15:00'), ip: '8.8.8.8', user_agent: windows }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T12:05:00'), ip: '120.196.165.24' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T11:05:00'), ip: '6.6.6.6', user_agent: '' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T12:04:00'), ip: '6.6.6.6', user_agent: 'curl/8.5.0' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T12:06:00'), outcome: 9, ip: '120.196.165.24' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T12:07:00'), outcome: 8, ip: '5.5.5.5', host: 'xn--5usw48g.xn--fiqs8s' }),
    visitOf({ live_code_id: second, at: shanghai('2026-03-11T12:08:00'), ip: '120.196.165.24' }),
    visitOf({ live_code_id: foreign, at: shanghai('2026-03-11T12:09:00'), ip: '4.4.4.4' }),
    visitOf({ live_code_id: 0, at: shanghai('2026-03-11T12:10:00'), outcome: 1 }),
  ]);
});
afterAll(() => app.close());

const today = async (as: TestUser, live_code_ids?: number[]) => {
  const { status, body } = await app.call(as, 'today_statistics', 'inquire', live_code_ids ? { live_code_ids } : {});
  expect(status).toBe(200);
  return body;
};

describe('the visits of the last half hour', () => {
  const inquire = async (as: TestUser, live_code_ids?: number[]) => {
    const { status, body } = await app.call(as, 'access_real_time_statistics', 'inquire', live_code_ids ? { live_code_ids } : {});
    expect(status).toBe(200);
    return body;
  };

  test('are told by minute, with who is there now and from where', async () => {
    const body = await inquire(owner);
    expect(body.minutes).toHaveLength(30);
    expect(body.minutes[0]?.at).toBe('2026-03-11T04:01:00.000Z');
    expect(body.minutes.filter(({ visits }) => visits > 0)).toEqual([
      { at: '2026-03-11T04:05:00.000Z', visits: 1, refused: 0 },
      { at: '2026-03-11T04:08:00.000Z', visits: 1, refused: 0 },
    ]);
    expect(body).toMatchObject({ visits: 2, refused: 1, visitors: 1, visitors_now: 0 });
    expect(body.regions).toEqual([{ country: '中国', region: '广东', visits: 2 }]);
    expect(body.newest[0]).toMatchObject({ live_code_id: second, outcome: 'passed' });
  });

  test('are of the codes that the caller may see, also where many ask at once', async () => {
    const [own, other, all, agents] = await Promise.all([inquire(owner), inquire(stranger), inquire(administrator), inquire(agent)]);
    expect([own.visits, other.visits, all.visits, agents.visits]).toEqual([2, 1, 3, 2]);
    expect((await inquire(owner, [foreign])).newest).toEqual([]);
    expect((await inquire(owner, [first])).visits).toBe(1);
  });
});

describe('the summary of visits', () => {
  const days = { from: '2026-03-10', to: '2026-03-11' };
  const inquire = async (input: object) => {
    const { status, body } = await app.call(administrator, 'visit_summary', 'inquire', input);
    expect(status).toBe(200);
    return body.content;
  };

  test('is by user or by code, with the share of all visits', async () => {
    expect(await inquire(days)).toMatchObject([
      { id: owner.id, user_id: owner.id, codes: 2, visits: 8, ips: 7, refused: 2, share: 8 / 9 },
      { id: stranger.id, codes: 1, visits: 1, share: 1 / 9 },
    ]);
    const codes = await inquire({ ...days, by: 'code', user_id: owner.id, sort: 'visits', order: 'asc' });
    expect(codes).toMatchObject([
      { id: second, file_name: 'second', visits: 2, share: 2 / 8 },
      { id: first, file_name: 'first', visits: 6 },
    ]);
    expect(await inquire({ by: 'code' })).toMatchObject([{ id: first, visits: 3 }, { visits: 1 }, { visits: 1 }]);
  });

  test('is of administrators only', async () => {
    expect((await app.call(owner, 'visit_summary', 'inquire', {})).status).toBe(403);
  });
});

describe("today's statistics", () => {
  test('compare with yesterday up to the same time', async () => {
    const body = await today(owner);
    expect(body).toMatchObject({
      day: '2026-03-11',
      now: now.toISOString(),
      visits: { today: 4, yesterday: 2 },
      ips: { today: 3, yesterday: 2 },
      new_ips: { today: 2, yesterday: 2 },
      refused: { today: 1, yesterday: 1 },
      programs: { today: 2, yesterday: 1 },
      active_codes: { today: 2, yesterday: 1 },
    });
  });

  test('go by hours of the site, today as far as they have begun', async () => {
    const body = await today(owner);
    expect(body.today).toHaveLength(13);
    expect(body.yesterday).toHaveLength(24);
    expect(body.today[0]).toEqual({ at: '2026-03-10T16:00:00.000Z', visits: 1, ips: 1, new_ips: 0, refused: 0, programs: 0, own: 0 });
    expect(body.today[12]).toEqual({ at: '2026-03-11T04:00:00.000Z', visits: 2, ips: 2, new_ips: 2, refused: 1, programs: 1, own: 0 });
    expect(body.yesterday[23]).toEqual({ at: '2026-03-10T15:00:00.000Z', visits: 1, ips: 1, new_ips: 1, refused: 0, programs: 0, own: 0 });
  });

  test('break visits that passed down by place and device', async () => {
    const { breakdowns, top_codes, outcomes } = await today(owner, [first]);
    expect(breakdowns.region).toContainEqual({ value: '广东', visits: 1 });
    expect(breakdowns.country).toEqual([
      { value: '美国', visits: 2 },
      { value: '中国', visits: 1 },
    ]);
    expect(breakdowns.carrier).toEqual([
      { value: 'other', visits: 2 },
      { value: 'mobile', visits: 1 },
    ]);
    expect(breakdowns.system).toEqual([
      { value: 'iOS', visits: 2 },
      { value: 'Windows', visits: 1 },
    ]);
    expect(breakdowns.source).toEqual([
      { value: 'messenger', visits: 2 },
      { value: 'browser', visits: 1 },
    ]);
    expect(top_codes).toEqual([{ live_code_id: first, name: 'Code first', file_name: 'first', visits: 3, ips: 2 }]);
    expect(outcomes).toEqual([
      { outcome: 'passed', visits: 3 },
      { outcome: 'program', visits: 2 },
      { outcome: 'exhausted', visits: 1 },
      { outcome: 'entry', visits: 1 },
    ]);
  });

  test('are of the codes that the caller may see', async () => {
    const codesOf = async (as: TestUser, ids?: number[]) => (await today(as, ids)).top_codes.map(({ live_code_id }) => live_code_id);
    expect(await codesOf(stranger)).toEqual([foreign]);
    expect(await codesOf(agent)).toEqual([first, second]);
    expect(await codesOf(administrator)).toEqual([first, second, foreign]);
    expect(await codesOf(owner, [foreign])).toEqual([]);
    expect((await today(owner, [foreign])).visits).toEqual({ today: 0, yesterday: 0 });
    expect((await today(administrator)).outcomes).toContainEqual({ outcome: 'unknown_host', visits: 1 });
    expect((await today(owner)).outcomes.map(({ outcome }) => outcome)).not.toContain('unknown_host');
  });

  test('offer the codes to pick from, most visited first, none of other people', async () => {
    const options = async (as: TestUser, search?: string) =>
      (await app.call(as, 'today_statistics', 'code_options', search === undefined ? {} : { search })).body.content.map(({ id }) => id);
    expect(await options(owner)).toEqual([first, second]);
    expect(await options(owner, 'SECO')).toEqual([second]);
    expect(await options(owner, '%')).toEqual([]);
    expect(await options(stranger)).toEqual([foreign]);
  });
});

describe("a code's figures", () => {
  const figures = async (as: TestUser, id: number) => {
    const { status, body } = await app.call(as, 'qr_code_list', 'figures', { id });
    expect(status).toBe(200);
    return body;
  };

  test('of today, 7 and 30 days stand against those of the period before', async () => {
    const code = await newCode(owner, 'periods');
    const visitsOn = (day: string, number: number, more = {}) =>
      Array.from({ length: number }, (_, at) => visitOf({ live_code_id: code, at: shanghai(day), ip: `8.8.${at}.1`, ...more }));
    await loadVisits(app.url, [
      // The first and the last moment of each period, and the ones beside it.
      ...visitsOn('2026-03-11T11:00:00', 1),
      ...visitsOn('2026-03-10T12:29:59', 2),
      ...visitsOn('2026-03-10T12:30:00', 3),
      ...visitsOn('2026-03-05T00:00:00', 4),
      ...visitsOn('2026-03-04T23:59:59', 5),
      ...visitsOn('2026-02-26T00:00:00', 6),
      ...visitsOn('2026-02-25T23:59:59', 7),
      ...visitsOn('2026-02-10T00:00:00', 8),
      ...visitsOn('2026-02-09T23:59:59', 9),
      ...visitsOn('2026-01-11T00:00:00', 10),
      ...visitsOn('2026-01-10T23:59:59', 11),
      ...visitsOn('2026-03-11T11:00:00', 2, { outcome: 8 }),
    ]);
    const { now: at, today: day, last_7, last_30, days } = await figures(owner, code);
    expect(at).toBe(now.toISOString());
    expect(day).toEqual({
      now: { visits: 1, ips: 1, new_ips: 0, refused: 2, programs: 0, own: 0 },
      before: expect.objectContaining({ visits: 2, ips: 2, new_ips: 0, refused: 0, programs: 0, own: 0 }),
    });
    expect([last_7.now.visits, last_7.before.visits]).toEqual([10, 11]);
    expect([last_30.now.visits, last_30.before.visits]).toEqual([36, 19]);
    expect(days).toHaveLength(30);
    expect([days[0]?.at, days[0]?.visits, days[29]?.visits, days[29]?.refused]).toEqual(['2026-02-09T16:00:00.000Z', 8, 1, 2]);
  });

  test('are told to who may see the code, and hidden with its history', async () => {
    expect((await figures(agent, first)).today.now.visits).toBe(3);
    expect((await figures(administrator, first)).last_7.now.visits).toBe(6);
    expect((await app.call(stranger, 'qr_code_list', 'figures', { id: first })).status).toBe(404);
  });
});

describe("a code's visits", () => {
  const visits = (as: TestUser, input: Parameters<typeof app.call<'qr_code_access', 'inquire'>>[3]) =>
    app.call(as, 'qr_code_access', 'inquire', input);

  test('are listed newest first with all that is known of them', async () => {
    const { body } = await visits(owner, { live_code_id: first, page_size: 3 });
    expect(body).toMatchObject({ total: 11, page: 1, page_size: 3 });
    expect(body.content.map(({ outcome }) => outcome)).toEqual(['exhausted', 'entry', 'passed']);
    expect(body.content[0]).toMatchObject({ host: 'xn--5usw48g.xn--fiqs8s', host_unicode: '好茶.中国' });
    expect(body.content[2]).toMatchObject({
      at: '2026-03-11T04:05:00.000Z',
      live_code_id: first,
      target_id: null,
      host: 'qr.example.com',
      host_unicode: null,
      path: '/abcd',
      ip: '120.196.165.24',
      region: '广东',
      city: '深圳',
      carrier: 'mobile',
      source: 'messenger',
      system: 'iOS',
      language: 'zh-CN',
      referer: '',
      first_visit: true,
    });
  });

  test('are filtered by outcome, address and days of the site, and paged', async () => {
    const count = async (input: object) => (await visits(owner, { live_code_id: first, ...input })).body.total;
    expect(await count({ outcome: 'passed' })).toBe(6);
    expect(await count({ outcome: 'program' })).toBe(3);
    expect(await count({ ip: '8.8.8.8' })).toBe(3);
    expect(await count({ ip: '::ffff:8.8.8.8' })).toBe(3);
    expect(await count({ ip: '120.196.' })).toBe(2);
    expect(await count({ ip: "'; DROP TABLE visit" })).toBe(0);
    expect(await count({ from: '2026-03-11', to: '2026-03-11' })).toBe(7);
    expect(await count({ to: '2026-03-10' })).toBe(4);
    const all = (await visits(owner, { live_code_id: first, order: 'asc' })).body.content.map(({ id }) => id);
    const second_page = (await visits(owner, { live_code_id: first, order: 'asc', page: 2, page_size: 3 })).body.content.map(
      ({ id }) => id,
    );
    expect(second_page).toEqual(all.slice(3, 6));
    expect((await visits(owner, { live_code_id: first, page: 1_000_000 })).body).toMatchObject({ content: [], total: 11 });
  });

  test('of days that no calendar of ours has are refused', async () => {
    for (const range of [{ from: '0000-01-01' }, { to: '9999-12-31' }, { from: '9999-12-31', to: '0001-01-01' }])
      expect((await visits(owner, { live_code_id: first, ...range })).status).toBe(400);
  });

  test("of another user's code are not found", async () => {
    expect((await visits(stranger, { live_code_id: first })).status).toBe(404);
    expect((await visits(owner, { live_code_id: 999_999 })).status).toBe(404);
    expect((await visits(agent, { live_code_id: first })).status).toBe(200);
    expect((await app.call(undefined, 'qr_code_access', 'inquire', { live_code_id: first })).status).toBe(401);
  });
});
