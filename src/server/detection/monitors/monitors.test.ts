import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { settingsOf } from '../../../contract/settings.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { claimDue, claimUrgent } from '../checks/claims.ts';
import { purgeDetection, rollUpChecks } from '../detection.jobs.ts';
import { setSettings } from '../testing/setup.ts';
import { intervalsOf } from './quota.ts';

let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let administrator: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  [owner, stranger, administrator] = await Promise.all([
    test_app.makeUser('customer'),
    test_app.makeUser('customer'),
    test_app.makeUser('administrator'),
  ]);
});
afterAll(() => test_app.close());
beforeEach(async () => {
  await test_app.db.execute(sql`TRUNCATE domain, domain_monitor, setting CASCADE`);
});

const groupOf = (as: TestUser) => (as === administrator ? 'admin_domain_monitor' : 'domain_monitor');
const add = async (lines: string[], as = owner) => (await test_app.call(as, groupOf(as), 'add', { lines })).body;
const list = async (as = owner, input: object = {}) => (await test_app.call(as, groupOf(as), 'inquire', input)).body;

test('what became of each line is said, and none keeps the others back', async () => {
  await test_app.call(owner, 'domain_list', 'add', { host: 'own.watched.com', type: 1 });
  const lines = [
    'a.watched.com',
    'http://a.watched.com/',
    'nonsense here',
    'own.watched.com',
    'https://b.watched.com/x',
    'localhost',
    '192.168.1.1',
  ];
  const { added, results } = await add(lines);
  expect(added).toBe(2);
  expect(results.map(({ state }) => state)).toEqual(['added', 'repeated', 'invalid_url', 'exists', 'added', 'invalid_url', 'invalid_url']);
  expect((await add(['a.watched.com'])).results[0]?.state).toBe('exists');
});

test('the quota bounds addresses that are none of our domains, for customers, also when they are added at once', async () => {
  await setSettings(test_app, { monitor_quota: 3 });
  await test_app.call(owner, 'domain_list', 'add', { host: 'free.watched.com', type: 1 });
  const answers = await Promise.all([1, 2, 3].map((batch) => add([`q${batch}.watched.com`, `r${batch}.watched.com`])));
  expect(answers.reduce((sum, { added }) => sum + added, 0)).toBe(3);
  expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body).toMatchObject({ total: 4, left: 0 });
  expect((await add(['x.watched.com', 'y.watched.com', 'z.watched.com', 'u.watched.com'], administrator)).added).toBe(4);
});

test('a registered domain that was watched before stays so, and is watched as a domain beside', async () => {
  await add(['both.watched.com']);
  const made = await test_app.call(owner, 'domain_list', 'add', { host: 'both.watched.com', type: 1 });
  expect(made.status).toBe(200);
  expect((await list()).content.map(({ url, domain_id }) => [url, domain_id !== null]).sort()).toEqual([
    ['http://both.watched.com/', false],
    ['http://both.watched.com/', true],
  ]);
});

test('everybody sees his own; administrators see all, and what belongs to the pool', async () => {
  await add(['mine.watched.com']);
  await add(['theirs.watched.com'], stranger);
  await test_app.db.execute(sql`INSERT INTO domain (host, type) VALUES ('pool.watched.com', 1)`);
  const hosts = async (as: TestUser, input: object = {}) => (await list(as, input)).content.map(({ host }) => host).sort();
  expect(await hosts(owner)).toEqual(['mine.watched.com']);
  expect(await hosts(administrator)).toEqual(['mine.watched.com', 'pool.watched.com', 'theirs.watched.com']);
  expect(await hosts(administrator, { pool: true })).toEqual(['pool.watched.com']);
  expect(await hosts(administrator, { owner_id: stranger.id })).toEqual(['theirs.watched.com']);
  expect(await hosts(administrator, { search: 'THEIRS' })).toEqual(['theirs.watched.com']);
});

test('all that fit the filters can be selected and changed at once, over all pages; of others nobody hears', async () => {
  await add(Array.from({ length: 30 }, (_, at) => `many${at}.watched.com`));
  await add(['many-theirs.watched.com'], stranger);
  await test_app.db.execute(sql`UPDATE domain_monitor SET block_status = 2 WHERE host = 'many7.watched.com'`);
  const select = (as: TestUser, input: object) => test_app.call(as, groupOf(as) as 'domain_monitor', 'ids', input);
  const { body } = await select(owner, { search: 'many' });
  expect([body.ids.length, body.is_cut]).toEqual([30, false]);
  expect(body.ids[0]).toBe((await list()).content[0]?.id);
  const byHost = await list(owner, { sort: 'host', order: 'asc', page_size: 200 });
  expect((await select(owner, { sort: 'host', order: 'asc' })).body.ids).toEqual(byHost.content.map(({ id }) => id));
  expect((await select(owner, { block_status: 2 })).body.ids).toHaveLength(1);
  expect((await select(administrator, { search: 'many' })).body.ids).toHaveLength(31);
  const paused = await test_app.call(owner, 'domain_monitor', 'update', { ids: body.ids, paused: true });
  expect(paused.body.affected).toBe(30);
});

test('those in trouble come first unless another order is asked for', async () => {
  await add(['t1.watched.com', 't2.watched.com', 't3.watched.com', 't4.watched.com']);
  await test_app.db.execute(sql`UPDATE domain_monitor SET block_status = CASE host WHEN 't3.watched.com' THEN 2 WHEN 't2.watched.com' THEN 4 ELSE 1 END,
    suspected_since = CASE host WHEN 't1.watched.com' THEN now() END`);
  expect((await list()).content.map(({ host }) => host)).toEqual(['t3.watched.com', 't1.watched.com', 't2.watched.com', 't4.watched.com']);
  expect((await list(owner, { sort: 'host', order: 'asc' })).content[0]?.host).toBe('t1.watched.com');
  expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body).toMatchObject({
    total: 4,
    blocked: 1,
    failed: 1,
    suspected: 1,
    normal: 2,
  });
});

test('nobody sets a shorter interval than the owner may have: by the settings, or by a quota of his own', async () => {
  await add(['fast.watched.com']);
  const [row] = (await list()).content;
  const change = (as: TestUser, interval_seconds: number | null) =>
    test_app.call(as, groupOf(as), 'update', { ids: [row?.id ?? 0], interval_seconds });
  const refused = await change(owner, 30);
  expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
    400,
    'domain_monitor.interval_too_short',
    { interval_seconds: 'interval_too_short' },
  ]);
  expect(refused.body.message).toContain('60 秒');
  expect((await test_app.call(owner, 'domain_monitor', 'add', { lines: ['x.watched.com'], interval_seconds: 30 })).status).toBe(400);
  expect((await change(owner, 60)).body.affected).toBe(1);
  // An administrator neither, of other people's addresses; of his own and of those of the pool he may.
  expect((await change(administrator, 30)).body.code).toBe('domain_monitor.interval_too_short');
  await test_app.db.execute(sql`INSERT INTO domain (host, type) VALUES ('pool-fast.watched.com', 1)`);
  const [pool] = (await list(administrator, { pool: true })).content;
  const ofPool = { ids: [pool?.id ?? 0], interval_seconds: 30 };
  expect((await test_app.call(administrator, 'admin_domain_monitor', 'update', ofPool)).body.affected).toBe(1);

  const allow = (monitor_minimum_seconds: number | null) =>
    test_app.call(administrator, 'hold_domain', 'monitor_quota', { ids: [owner.id], monitor_quota: null, monitor_minimum_seconds });
  await allow(30);
  expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body.minimum_seconds).toBe(30);
  expect((await change(owner, 30)).body.affected).toBe(1);
  expect((await list()).content[0]).toMatchObject({ interval_seconds: 30, effective_seconds: 30 });
  // What was set before counts no longer where the quota became smaller; the general interval is bound by it, too.
  await allow(600);
  expect((await list()).content[0]).toMatchObject({ interval_seconds: 30, effective_seconds: 600 });
  expect(await intervalsOf([row?.id ?? 0], settingsOf([]), test_app.db)).toEqual(new Map([[row?.id, 600]]));
  expect((await change(owner, null)).body.affected).toBe(1);
  expect((await list()).content[0]).toMatchObject({ interval_seconds: null, effective_seconds: 600 });
  await allow(null);
  expect((await list()).content[0]?.effective_seconds).toBe(300);
});

test('a quota of his own goes before the general one', async () => {
  const allow = (monitor_quota: number | null) =>
    test_app.call(administrator, 'hold_domain', 'monitor_quota', { ids: [owner.id], monitor_quota, monitor_minimum_seconds: null });
  await setSettings(test_app, { monitor_quota: 1 });
  await allow(2);
  expect((await add(['o1.watched.com', 'o2.watched.com', 'o3.watched.com'])).results.map(({ state }) => state)).toEqual([
    'added',
    'added',
    'quota_exceeded',
  ]);
  expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body).toMatchObject({ limit: 2, left: 0 });
  const { body } = await test_app.call(administrator, 'hold_domain', 'inquire', { search: owner.account });
  expect(body.content[0]).toMatchObject({
    monitors: 2,
    monitor_quota: 2,
    monitor_limit: 2,
    monitor_minimum_seconds: null,
    monitor_minimum: 60,
  });
  // What he watches already stays his.
  await allow(null);
  expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body).toMatchObject({ total: 2, limit: 1, left: 0 });
  const own = { ids: [owner.id], monitor_quota: 9, monitor_minimum_seconds: null };
  expect((await test_app.call(owner, 'hold_domain', 'monitor_quota', own)).status).toBe(403);
});

test('a paused one is not checked until it is asked for or goes on; a registered one is paused where others are removed', async () => {
  await add(['p.watched.com']);
  await test_app.call(owner, 'domain_list', 'add', { host: 'registered.watched.com', type: 1 });
  const ids = (await list()).content.map(({ id }) => id);
  await test_app.call(owner, 'domain_monitor', 'update', { ids, paused: true });
  expect(await claimDue(test_app.db, 10)).toBeUndefined();
  expect((await list()).content.every(({ due_at }) => due_at === null)).toBe(true);
  expect((await test_app.call(owner, 'domain_monitor', 'check', { ids })).body.affected).toBe(2);
  expect((await claimUrgent(test_app.db, 10))?.rows).toHaveLength(2);
  expect((await test_app.call(owner, 'domain_monitor', 'remove', { ids })).body.affected).toBe(2);
  expect((await list()).content).toMatchObject([{ host: 'registered.watched.com', paused: true }]);
});

test('of workers that claim at once each gets others, the most overdue first', async () => {
  await test_app.db.execute(
    sql`INSERT INTO domain (host, type) SELECT 'c' || number || '.claimed.com', 1 FROM generate_series(1, 100) AS number`,
  );
  await test_app.db.execute(sql`UPDATE domain_monitor SET due_at = now() - make_interval(secs => id)`);
  const [first] = (await claimDue(test_app.db, 1))?.rows ?? [];
  const { rows } = await test_app.db.execute<{ id: number }>(sql`SELECT id::float8 AS id FROM domain_monitor ORDER BY due_at LIMIT 1`);
  expect(first?.id).toBe(rows[0]?.id);
  const portions = await Promise.all(Array.from({ length: 12 }, () => claimDue(openDatabase(test_app.pool), 10)));
  const claimed = portions.flatMap((portion) => portion?.rows.map(({ id }) => id) ?? []);
  expect(new Set(claimed).size).toBe(claimed.length);
  for (let more = await claimDue(test_app.db, 10); more; more = await claimDue(test_app.db, 10))
    claimed.push(...more.rows.map(({ id }) => id));
  expect(new Set(claimed).size).toBe(99);
});

test('evidence is forgotten after ninety days, and what holds still is kept', async () => {
  await add(['old.watched.com']);
  await test_app.db.execute(sql`
    INSERT INTO domain_verdict (monitor_id, state, findings, digest, first_at, last_at)
    SELECT id, 'normal', '[]', '', now() - interval '200 days', now() - make_interval(days => ago) FROM domain_monitor, unnest(ARRAY[91, 89]) AS ago`);
  expect(await purgeDetection(test_app.db)).toBe(1);
  expect(await test_app.db.$count(sql`domain_verdict` as never)).toBe(1);
});

test('hours of days that are over are put into a row a day, and tell the same shares', async () => {
  await add(['rolled.watched.com']);
  await test_app.db.execute(sql`
    INSERT INTO domain_monitor_hour (monitor_id, hour, normal, blocked, down, failed)
    SELECT id, hour, 10, extract(hour FROM hour)::int % 3, 1, 2
    FROM domain_monitor, generate_series(date_trunc('hour', now() - interval '89 days'), now(), interval '1 hour') AS hour WHERE host = 'rolled.watched.com'`);
  const shares = async () => {
    const { content } = (await test_app.call(administrator, 'admin_domain_monitor', 'inquire', { search: 'rolled.watched.com' })).body;
    return content.map(({ uptime_24h, uptime_30d, uptime_90d, latency }) => ({ uptime_24h, uptime_30d, uptime_90d, latency }));
  };
  const rows = () => test_app.db.$count(sql`domain_monitor_hour` as never);
  const [before] = await shares();
  const number = await rows();
  expect(await rollUpChecks(test_app.db, new Date())).toBeGreaterThan(80 * 23);
  expect(await rows()).toBeLessThan(number / 10);
  const [after] = await shares();
  expect(after).toMatchObject({ uptime_24h: before?.uptime_24h, latency: before?.latency });
  // The first day of a span is counted whole or not at all.
  for (const span of ['uptime_30d', 'uptime_90d'] as const)
    expect(Math.abs((after?.[span] ?? 0) - (before?.[span] ?? 0))).toBeLessThan(0.01);
  expect(await rollUpChecks(test_app.db, new Date())).toBe(0);
});
