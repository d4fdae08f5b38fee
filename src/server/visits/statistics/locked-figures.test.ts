import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { sendDigests } from '../digests/sending.ts';
import { lookAtVisits } from '../rules/looking.ts';
import { loadVisits } from '../testing/loading.ts';

/** 12:30 on a Wednesday in Shanghai. */
const now = new Date('2026-03-11T04:30:00Z');
const days = { from: '2026-03-11', to: '2026-03-11' };
const at = (minutesAgo: number) => now.getTime() - minutesAgo * 60_000;

let app: TestApp;
let owner: TestUser;
let administrator: TestUser;
/** The older code has one visit, the other three: it is beyond a quota of one. */
let kept: number;
let locked: number;
let key: string;
let group: number;

const quota = (limit: number) =>
  app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('code_quota', to_jsonb(${limit}::integer))
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`);

beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  [owner, administrator] = [await app.makeUser('customer'), await app.makeUser('administrator')];
  const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
  kept = (await app.call(owner, 'qr_code_list', 'add', { name: 'kept', targets })).body.id;
  const made = (await app.call(owner, 'qr_code_list', 'add', { name: 'locked', targets, password: 'pass-word' })).body;
  [locked, key] = [made.id, made.file_name];
  await app.call(owner, 'qr_code_list', 'add_alias', { id: locked, key: 'gate' });
  const groups = await app.db.execute<{ id: number }>(
    sql`INSERT INTO code_group (owner_id, name) VALUES (${owner.id}, '门店') RETURNING id::float8 AS id`,
  );
  group = groups.rows[0]?.id ?? 0;
  await app.db.execute(sql`UPDATE live_code SET group_id = ${group} WHERE id = ${locked}`);
  const target = await app.db.execute<{ id: number }>(sql`SELECT id::float8 AS id FROM live_code_target WHERE live_code_id = ${locked}`);
  const target_id = target.rows[0]?.id ?? 0;
  await loadVisits(app.url, [
    visitOf({ live_code_id: kept, at: at(10), ip: '8.8.8.8', host: 'a.example.com' }),
    ...[20, 9, 8].map((minutes) => visitOf({ live_code_id: locked, target_id, at: at(minutes), ip: '9.9.9.9', host: 'b.example.com' })),
  ]);
});
afterAll(() => app.close());
beforeEach(() => quota(1));

const asks = (id: number): [string, object][] => [
  ['qr_code_list/statistics', { id }],
  ['qr_code_list/figures', { id }],
  ['qr_code_list/get_ip', { id }],
  ['qr_code_list/visits_by_key', { id, ...days }],
  ['qr_code_access/inquire', { live_code_id: id }],
  ['qr_code_access/export_access_records', { live_code_id: id, format: 'csv' }],
  ['qr_code_access/public_enquiry', enquiry(owner.account)],
  ['today_statistics/inquire', { live_code_ids: [id] }],
  ['access_real_time_statistics/inquire', { live_code_ids: [kept, id] }],
  ['historical_statistics/inquire', { ...days, live_code_ids: [kept, id] }],
  ['historical_statistics/breakdown', { ...days, live_code_ids: [id], dimensions: ['country'] }],
  ['historical_statistics/heatmap', { ...days, live_code_ids: [id] }],
  ['historical_statistics/targets', { ...days, live_code_ids: [id] }],
  ['historical_statistics/explain', { ...days, live_code_ids: [id], compare: 'before' }],
];
const enquiry = (as: string) => ({
  key: as,
  file_name: key,
  ip_list: ['9.9.9.9'],
  start_time: '2026-03-10T16:00:00.000Z',
  end_time: now.toISOString(),
});
const statusesOf = async (as: TestUser) => {
  const found: [string, number, unknown][] = [];
  for (const [path, input] of asks(locked)) {
    const { status, body } = await app.send(as, path, input);
    found.push([path, status, body.code]);
  }
  return found;
};

describe('the figures of a code beyond the quota', () => {
  test('are locked to its owner wherever one code is asked for, with the reason, and to his tokens', async () => {
    const refused = asks(locked).map(([path]) => [path, 409, 'live_code.figures_locked']);
    expect(await statusesOf(owner)).toEqual(refused);
    const { body } = await app.send(owner, 'qr_code_list/figures', { id: locked });
    expect(body.message).toContain('活码配额 1 个，已有 2 个');
    const nodes = ['qr_code_list', 'qr_code_list.statistics'];
    const token = await app.send(owner, 'api_token/add', { name: 'machine', nodes });
    expect(token.status).toBe(200);
    const machine = { ...owner, token: String(token.body.token) };
    expect((await app.send(machine, 'qr_code_list/figures', { id: locked })).body.code).toBe('live_code.figures_locked');
  });

  test('are seen by administrators, and by the owner again once he keeps the code', async () => {
    const shown = (await statusesOf(administrator)).map(([, status]) => status);
    expect(new Set(shown)).toEqual(new Set([200]));
    await app.call(owner, 'buy_vip_combo', 'keep', { kind: 'live_codes', ids: [locked] });
    expect((await app.call(owner, 'qr_code_list', 'figures', { id: locked })).body.today.now.visits).toBe(3);
    expect((await app.call(owner, 'qr_code_list', 'figures', { id: kept })).status).toBe(409);
    await app.call(owner, 'buy_vip_combo', 'keep', { kind: 'live_codes', ids: [kept] });
    expect((await app.call(owner, 'qr_code_list', 'figures', { id: locked })).status).toBe(409);
  });

  test('are missing in its page and in lists, whose order tells nothing of them', async () => {
    const details = (await app.call(owner, 'qr_code_list', 'details', { id: locked })).body;
    const none = { view_number: null, ip_view_number: null, today_view_number: null, today_ip_view_number: null };
    expect(details).toMatchObject({ ...none, over_quota: { used: 2, limit: 1 } });
    expect(details.targets).toMatchObject([{ view_number: null, press_number: null }]);
    expect(details.aliases).toMatchObject([{ visits: null }]);
    for (const sort of ['view_number', 'today_view_number'] as const) {
      const ordered = async (as: TestUser, order: 'asc' | 'desc') =>
        (await app.call(as, 'qr_code_list', 'inquire', { sort, order })).body.content.map((row) => [row.id, row.view_number]);
      expect(await ordered(owner, 'desc')).toEqual([
        [kept, 1],
        [locked, null],
      ]);
      expect((await ordered(owner, 'asc'))[0]).toEqual([locked, null]);
    }
    const { content } = (await app.call(owner, 'buy_vip_combo', 'choices', { kind: 'live_codes' })).body;
    expect(content.map(({ id, visits }) => [id, visits])).toEqual([
      [kept, 1],
      [locked, null],
    ]);
    expect((await app.call(owner, 'group', 'inquire', {})).body.content).toMatchObject([{ code_count: 1, view_number: 0 }]);
  });

  test('count in the sums over all of his codes, but stand in none of their parts by code', async () => {
    const today = (await app.call(owner, 'today_statistics', 'inquire', {})).body;
    expect([today.visits.today, today.top_codes.map(({ live_code_id }) => live_code_id)]).toEqual([4, [kept]]);
    const newest = (await app.call(owner, 'today_statistics', 'newest_visits', {})).body.content;
    expect(newest.map(({ live_code_id }) => live_code_id)).toEqual([kept]);
    const moment = (await app.call(owner, 'access_real_time_statistics', 'inquire', {})).body;
    expect([moment.visits, moment.newest.map(({ live_code_id }) => live_code_id)]).toEqual([4, [kept]]);
    const all = (await app.call(owner, 'historical_statistics', 'inquire', days)).body;
    expect(all.totals.visits).toBe(4);
    const { breakdowns } = (
      await app.call(owner, 'historical_statistics', 'breakdown', { ...days, dimensions: ['target', 'host', 'hour'] })
    ).body;
    expect(breakdowns.host?.parts).toEqual([{ value: 'a.example.com', visits: 1 }]);
    expect(breakdowns.target?.parts.filter(({ name }) => name?.startsWith('locked'))).toEqual([]);
    expect(breakdowns.hour?.total).toBe(4);
    expect((await app.call(owner, 'historical_statistics', 'targets', days)).body.content).toEqual([]);
  });

  test('are told by no filter that leaves few codes', async () => {
    const target = await app.db.execute<{ id: string }>(sql`SELECT id::text FROM live_code_target WHERE live_code_id = ${locked}`);
    for (const filters of [{ host: ['b.example.com'] }, { target: [target.rows[0]?.id ?? ''] }])
      expect((await app.call(owner, 'historical_statistics', 'inquire', { ...days, filters })).body.totals.visits).toBe(0);
    expect(
      (await app.call(owner, 'historical_statistics', 'inquire', { ...days, filters: { country: ['中国', '美国'] } })).body.totals.visits,
    ).toBeGreaterThan(0);
  });

  test('are not on its share page, nor in the access log for who has its password', async () => {
    const shared = (await app.call(undefined, 'qr_code_list', 'share_access', { file_name: key, password: 'pass-word' })).body;
    expect(shared).toMatchObject({ name: 'locked', is_locked: true, view_number: null, series: null, by_key: null });
    expect((await app.send(undefined, 'qr_code_access/public_enquiry', enquiry('pass-word'))).body.code).toBe('share.figures_locked');
    await quota(2);
    const open = (await app.call(undefined, 'qr_code_list', 'share_access', { file_name: key, password: 'pass-word' })).body;
    expect(open).toMatchObject({ is_locked: false, view_number: 3 });
    expect((await app.send(undefined, 'qr_code_access/public_enquiry', enquiry('pass-word'))).status).toBe(200);
  });

  test('are in no digest, which says why; and no rule about the code or its group tells of them', async () => {
    const channel = await app.db.execute<{ id: number }>(
      sql`SELECT id::float8 AS id FROM push_channel WHERE owner_id = ${owner.id} AND kind = 'site'`,
    );
    const question = { live_code_ids: [locked] };
    const plan = { every: 'day' as const, weekday: 1, hour: 9, language: 'zh-CN' as const, channel_ids: [channel.rows[0]?.id ?? 0] };
    await app.call(owner, 'visit_digest', 'add', { name: '日报', ...plan, question });
    await app.call(owner, 'visit_digest', 'add', { name: '全部', ...plan, question: {} });
    await sendDigests(app.db, { now: new Date('2026-03-12T01:00:01Z'), time_zone: 'Asia/Shanghai' });
    const { rows } = await app.db.execute<{ title: string; content: string }>(sql`SELECT title, content FROM push ORDER BY id`);
    expect(rows[0]?.title).toBe('日报 2026-03-11');
    expect(rows[0]?.content).toContain('“locked”的统计已锁定：活码配额 1 个，已有 2 个');
    expect(rows[1]?.title).toContain('访问 4 次');
    expect(rows[1]?.content).not.toContain('locked');
    for (const about of [{ live_code_id: locked }, { group_id: group }])
      expect((await app.send(owner, 'visit_rule/add', { direction: 'falls', percent: 50, ...about })).status).toBe(200);
    await app.db.execute(sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips)
      SELECT ${locked}, '2026-03-11T04:00:00Z'::timestamptz - make_interval(weeks => week), 0, 1000, 0, 0 FROM generate_series(1, 6) AS week`);
    const told = async () => {
      await lookAtVisits(app.db, { now: new Date('2026-03-11T05:30:00Z'), time_zone: 'Asia/Shanghai' });
      return (await app.db.execute(sql`SELECT FROM event WHERE type = 'visits.fell'`)).rowCount;
    };
    expect(await told()).toBe(0);
    await quota(2);
    await app.db.execute(sql`UPDATE visit_rule SET checked_until = NULL`);
    expect(await told()).toBe(2);
  });
});
