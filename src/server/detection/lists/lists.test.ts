import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DetectionApis, startDetectionApis } from '../../../../simulators/detection-apis/detection-apis.ts';
import { type Gateway, startGateway } from '../../../../simulators/gateway/gateway.ts';
import { maxCheckedUrls } from '../../../contract/detection/wx-shield-detection.ts';
import { socketTypes } from '../../../contract/socket.ts';
import { readPerson } from '../../kit/calls/authentication.ts';
import type { OperationJob } from '../../kit/jobs/operations.ts';
import { openBus, type Push } from '../../kit/postgres/bus.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { type Checker, createChecker, loopback, setSettings, useDetectors } from '../testing/setup.ts';
import { blockCheckExport } from './lists.export.ts';

let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let gateway: Gateway;
let apis: DetectionApis;
let checker: Checker;
beforeAll(async () => {
  test_app = await createTestApp({ allowedNetworks: loopback });
  [owner, stranger] = await Promise.all([test_app.makeUser('customer'), test_app.makeUser('customer')]);
  [gateway, apis] = await Promise.all([startGateway(), startDetectionApis()]);
  checker = createChecker(test_app);
  await setSettings(test_app, { control_addresses: [`${apis.url}/`] });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), apis.stop()]);
  await test_app.close();
});

const byGateway = () => ({ name: 'gateway', config: { kind: 'gateway' as const, url: gateway.gateway, warning_is_blocked: true } });
const byApi = () => ({
  name: 'api',
  config: {
    kind: 'http_api' as const,
    url: `${apis.url}/err-code?url={url}`,
    method: 'GET' as const,
    headers: [],
    body: '',
    reading: { by: 'json' as const, path: 'err_code', normal: ['0'], blocked: ['30001'] },
  },
});
beforeEach(async () => {
  await test_app.db.execute(sql`TRUNCATE block_check, domain_monitor, domain CASCADE`);
  await useDetectors(test_app, [byGateway(), byApi()]);
});

const check = async (lines: string[], as = owner) => (await test_app.call(as, 'wx_shield_detection', 'check', { lines })).body;
const rowsOf = async (check_id: number) =>
  (await test_app.call(owner, 'wx_shield_detection', 'inquire', { check_id, page_size: 200 })).body.content;

test('lines become addresses; those that hold none are named by their number, repeated ones are checked once', async () => {
  const { check: made, refused } = await check([
    'a.listed.com',
    '',
    'https://b.listed.com/path?x=1',
    'not an address',
    'ftp://c.listed.com/',
    'http://a.listed.com/',
    '10.0.0.1',
  ]);
  expect(refused).toEqual([
    { line: 'not an address', number: 4 },
    { line: 'ftp://c.listed.com/', number: 5 },
    { line: '10.0.0.1', number: 7 },
  ]);
  expect(made).toMatchObject({ total: 2, done: 0, finished_at: null });
  expect((await rowsOf(made?.id ?? 0)).map(({ url }) => url)).toEqual(['http://a.listed.com/', 'https://b.listed.com/path?x=1']);
  expect((await check(['nothing here'])).check).toBeNull();
});

test('each is checked, with its evidence, and the list is finished with its last one', async () => {
  gateway.block('bad.listed.com');
  apis.block('bad.listed.com');
  apis.block('disputed.listed.com');
  gateway.set('dark.listed.com', 'captcha');
  apis.set('dark.listed.com', 'unknown');
  const { check: made } = await check(['good.listed.com', 'bad.listed.com/x', 'disputed.listed.com', 'dark.listed.com']);
  await checker.lists();
  const rows = await rowsOf(made?.id ?? 0);
  expect(rows.map(({ block_status, disputed }) => [block_status, disputed])).toEqual([
    [1, false],
    [2, false],
    [4, true],
    [4, false],
  ]);
  expect(rows[1]).toMatchObject({ detectors: ['gateway', 'api'], reason: expect.stringContaining('已停止访问该网页') });
  expect(rows[3]?.reason).toBe('网关要求人机验证');
  const list = (await test_app.call(owner, 'wx_shield_detection', 'checks', {})).body.content[0];
  expect(list).toMatchObject({ total: 4, done: 4, normal: 1, blocked: 1, failed: 2, finished_at: expect.any(String) });
  const details = await test_app.call(owner, 'wx_shield_detection', 'details', { id: rows[1]?.id ?? 0 });
  expect(details.body.findings[0]?.hops.at(-1)?.url).toContain('main_type=2');
});

test('its owner’s pages, and nobody else’s, hear through the bus how far a list is', async () => {
  const bus = openBus(test_app.url, { warn: () => {} });
  const heard: Push[] = [];
  bus.subscribe('push', (push) => heard.push(push));
  await eventually(() => expect(bus.confirmedAt()).toBeGreaterThan(0));
  gateway.block('bad.listed.com');
  apis.block('bad.listed.com');
  const { check: made } = await check(['told.listed.com', 'bad.listed.com']);
  await checker.lists();
  const to = { user_ids: [owner.id] };
  const found = { id: made?.id, total: 2, done: 2, normal: 1, blocked: 1, failed: 0, finished_at: expect.any(String) };
  const told = (content: object) =>
    expect(heard).toContainEqual({ to, type: socketTypes.block_check, content: expect.objectContaining(content) });
  await eventually(() => told(found));
  const [row] = await rowsOf(made?.id ?? 0);
  await test_app.call(owner, 'wx_shield_detection', 'recheck', { ids: [row?.id ?? 0] });
  await eventually(() => told({ id: made?.id, done: 1, finished_at: null }));
  await test_app.call(owner, 'wx_shield_detection', 'stop', { check_id: made?.id ?? 0 });
  await eventually(() => told({ id: made?.id, done: 2, normal: 0, finished_at: expect.any(String) }));
  expect(heard.every((push) => 'user_ids' in push.to && push.to.user_ids.every((id) => id === owner.id))).toBe(true);
  await bus.stop();
});

test('what waits can be stopped, and what was found asked again', async () => {
  const { check: made } = await check(['one.listed.com', 'two.listed.com']);
  const id = made?.id ?? 0;
  expect((await test_app.call(owner, 'wx_shield_detection', 'stop', { check_id: id })).body.affected).toBe(2);
  expect(await checker.lists()).toBe(0);
  const ids = (await rowsOf(id)).map((row) => row.id);
  expect((await test_app.call(owner, 'wx_shield_detection', 'recheck', { ids })).body.affected).toBe(2);
  expect(await checker.lists()).toBe(2);
  expect((await rowsOf(id)).map(({ block_status }) => block_status)).toEqual([1, 1]);
});

test('they can be watched from now on, as far as the quota goes', async () => {
  const { check: made } = await check(['w1.listed.com', 'w2.listed.com', 'w3.listed.com']);
  const rows = await rowsOf(made?.id ?? 0);
  await setSettings(test_app, { monitor_quota: 2 });
  const ids = rows.map(({ id }) => id);
  const watched = await test_app.call(owner, 'wx_shield_detection', 'monitor', { ids });
  expect(watched.body).toEqual({ added: 2, existing: 0, beyond_quota: 1, combo: null });
  expect((await test_app.call(owner, 'wx_shield_detection', 'monitor', { ids })).body).toEqual({
    added: 0,
    existing: 2,
    beyond_quota: 1,
    combo: null,
  });
  await test_app.call(await test_app.makeUser('super'), 'vip_combo', 'add', {
    name: '监控版',
    price: '5',
    days: 30,
    quotas: { live_codes: 1, domains: 1, short_codes: 1, monitors: 3 },
  });
  expect((await test_app.call(owner, 'wx_shield_detection', 'monitor', { ids })).body).toMatchObject({ beyond_quota: 1, combo: '监控版' });
  expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body).toMatchObject({ limit: 2, left: 0, combo: '监控版' });
  expect((await rowsOf(made?.id ?? 0)).map(({ monitor_id }) => monitor_id !== null)).toEqual([true, true, false]);
  await setSettings(test_app, { monitor_quota: 0 });
});

test('a list is its owner’s alone, whoever asks', async () => {
  const { check: made } = await check(['mine.listed.com']);
  const [row] = await rowsOf(made?.id ?? 0);
  for (const user of [stranger, await test_app.makeUser('super')]) {
    expect((await test_app.call(user, 'wx_shield_detection', 'inquire', { check_id: made?.id ?? 0 })).status).toBe(404);
    expect((await test_app.call(user, 'wx_shield_detection', 'details', { id: row?.id ?? 0 })).status).toBe(404);
    expect((await test_app.call(user, 'wx_shield_detection', 'stop', { check_id: made?.id ?? 0 })).status).toBe(404);
    expect((await test_app.call(user, 'wx_shield_detection', 'recheck', { ids: [row?.id ?? 0] })).body.affected).toBe(0);
    expect((await test_app.call(user, 'wx_shield_detection', 'monitor', { ids: [row?.id ?? 0] })).status).toBe(404);
    expect((await test_app.call(user, 'wx_shield_detection', 'checks', {})).body.total).toBe(0);
  }
});

test('users whose lists wait are served in turn: a short list does not wait for a long one', async () => {
  const long = Array.from({ length: maxCheckedUrls }, (_, index) => `l${index}.listed.com`);
  expect((await check(long)).check?.total).toBe(maxCheckedUrls);
  const { check: short } = await check(['s1.listed.com', 's2.listed.com'], stranger);
  expect(await checker.lists()).toBe(100);
  const { content } = (await test_app.call(stranger, 'wx_shield_detection', 'checks', {})).body;
  expect(content[0]).toMatchObject({ id: short?.id, done: 2 });
});

test('where a detector answers so many a second only, the others wait and none is called failed', { tags: 'full' }, async () => {
  await useDetectors(test_app, [{ ...byGateway(), per_second: 5 }]);
  const { check: made } = await check(Array.from({ length: 30 }, (_, index) => `p${index}.listed.com`));
  const startedAt = performance.now();
  await checker.lists();
  const spent = (performance.now() - startedAt) / 1000;
  const rows = await rowsOf(made?.id ?? 0);
  const done = rows.filter(({ block_status }) => block_status === 1).length;
  expect(done).toBeGreaterThanOrEqual(15);
  expect(done).toBeLessThanOrEqual(20);
  expect(spent).toBeGreaterThan((done - 2) / 5);
  expect(rows.filter(({ block_status }) => block_status === 4)).toEqual([]);
});

test('the export has the rows of the list that fit its filters, for its owner only', async () => {
  gateway.block('exported-bad.com');
  apis.block('exported-bad.com');
  const { check: made } = await check(['exported-good.com', 'exported-bad.com']);
  await checker.lists();
  const check_id = made?.id ?? 0;
  const filters = { check_id, block_status: 2 as const };
  const started = await test_app.call(owner, 'wx_shield_detection', 'export', { ...filters, format: 'csv' });
  expect(started.body.operation_id).toBeGreaterThan(0);
  const linesOf = async (user: TestUser, given: object) => {
    const person = await readPerson(test_app.db, user.id);
    if (!person) throw new Error('the user is missing');
    const job = { db: test_app.db, person, language: 'en-US', signal: new AbortController().signal } as unknown as OperationJob;
    const { portions } = await blockCheckExport.open(given, job);
    return (await Array.fromAsync(portions)).flatMap(({ lines }) => lines);
  };
  const [line, ...more] = await linesOf(owner, filters);
  expect([line?.slice(0, 4), more]).toEqual([[2, 'http://exported-bad.com/', 'exported-bad.com', 'Blocked'], []]);
  expect(await linesOf(owner, { check_id })).toHaveLength(2);
  expect(await linesOf(stranger, { check_id })).toEqual([]);
  const refused = await test_app.call(stranger, 'wx_shield_detection', 'export', { check_id, format: 'csv' });
  expect(refused.status).toBe(404);
});
