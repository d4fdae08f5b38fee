import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DetectionApis, startDetectionApis } from '../../../../simulators/detection-apis/detection-apis.ts';
import { type Gateway, type GatewayState, startGateway } from '../../../../simulators/gateway/gateway.ts';
import type { DetectorConfig } from '../../../contract/detection/detectors.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { type Checker, createChecker, loopback, setSettings, useDetectors } from '../testing/setup.ts';

let test_app: TestApp;
let owner: TestUser;
let gateway: Gateway;
let apis: DetectionApis;
let checker: Checker;
beforeAll(async () => {
  test_app = await createTestApp({ allowedNetworks: loopback });
  owner = await test_app.makeUser('customer');
  [gateway, apis] = await Promise.all([startGateway(), startDetectionApis({ key: 'the-secret-key' })]);
  checker = createChecker(test_app);
});
afterAll(async () => {
  await Promise.all([gateway.stop(), apis.stop()]);
  await test_app.close();
});

const ofGateway = (): DetectorConfig => ({ kind: 'gateway', url: gateway.gateway, warning_is_blocked: true });
const ofApi = (path = '/data-status'): DetectorConfig => ({
  kind: 'http_api',
  url: `${apis.url}${path}?key={key}&url={url}`,
  method: 'GET',
  headers: [],
  body: '',
  reading: { by: 'json', path: 'data.status', normal: ['ok'], blocked: ['blocked'] },
});
const key = 'the-secret-key';

beforeEach(async () => {
  await test_app.db.execute(sql`TRUNCATE event, domain, domain_monitor, block_check CASCADE`);
  await test_app.db.execute(sql`UPDATE detection_state SET blind_since = NULL, controls_at = NULL`);
  await setSettings(test_app, { control_addresses: [`${apis.url}/`], confirmations: 2, confirmation_seconds: 60 });
  await useDetectors(test_app, [
    { name: 'gateway', config: ofGateway(), timeout_ms: 700 },
    { name: 'api', config: ofApi(), key, timeout_ms: 700 },
  ]);
  apis.behave('honest');
});

let hosts = 0;
async function addDomain(as = owner): Promise<{ id: number; host: string }> {
  hosts += 1;
  const host = `d${hosts}.checked.com`;
  const { body } = await test_app.call(as, 'domain_list', 'add', { host, type: 1 });
  return { id: body.id, host };
}
const rowOf = async <T extends object>(query: ReturnType<typeof sql>): Promise<T | undefined> =>
  (await test_app.db.execute(query)).rows[0] as T | undefined;
const monitorOf = (id: number) =>
  rowOf<{ block_status: number | null; disputed: boolean; beats: { state: string }[]; status: number | null; due: number }>(sql`
    SELECT domain_monitor.block_status, disputed, beats, domain.block_status AS status, extract(epoch FROM due_at - now())::float8 AS due
    FROM domain_monitor JOIN domain ON domain.id = domain_id WHERE domain_id = ${id}`);
const events = async () =>
  (
    await test_app.db.execute<{ type: string; owner_id: number; data: Record<string, unknown> }>(
      sql`SELECT type, owner_id, data FROM event WHERE type ~ 'blocked|detect' ORDER BY id`,
    )
  ).rows;
const checkAgain = async (id: number) => {
  await test_app.db.execute(sql`UPDATE domain_monitor SET due_at = now() WHERE domain_id = ${id}`);
  expect(await checker.due()).toBe(1);
  return monitorOf(id);
};

describe('a registered domain', () => {
  test('is checked as soon as it is registered, and then within its interval', async () => {
    const { id } = await addDomain();
    expect(await checker.due()).toBe(1);
    expect(await monitorOf(id)).toMatchObject({ block_status: 1, status: 1, disputed: false, beats: [{ state: 'normal' }] });
    const due = (await monitorOf(id))?.due ?? 0;
    expect(due).toBeGreaterThan(265);
    expect(due).toBeLessThan(335);
    expect(await checker.due()).toBe(0);
  });

  test('that a user wants checked while a check is under way is checked once more', async () => {
    const { id, host } = await addDomain();
    gateway.set(host, 'timeout');
    const underWay = checker.due();
    await eventually(async () =>
      expect(await rowOf(sql`SELECT FROM domain_monitor WHERE domain_id = ${id} AND claim IS NOT NULL`)).toBeDefined(),
    );
    expect((await test_app.call(owner, 'domain_monitor', 'check', {})).body).toEqual({ affected: 1 });
    expect([await checker.urgent(), await underWay]).toEqual([0, 1]);
    expect([await checker.urgent(), await checker.urgent()]).toEqual([1, 0]);
  });

  test('becomes blocked when two detectors say so: shown on the domain, told once, an incident; and normal again likewise', async () => {
    const { id, host } = await addDomain();
    await checker.due();
    gateway.block(host);
    expect(await checkAgain(id)).toMatchObject({ block_status: 1, disputed: true, beats: [{ state: 'normal' }, { state: 'suspected' }] });
    expect(await events()).toEqual([]);
    apis.block(host);
    expect(await checkAgain(id)).toMatchObject({ block_status: 2, status: 2, disputed: false });
    await checkAgain(id);
    const [told, ...more] = await events();
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      type: 'domain.blocked',
      owner_id: owner.id,
      data: {
        id,
        host,
        type: 1,
        block_status: 2,
        before: 1,
        detectors: ['gateway', 'api'],
        reason: expect.stringContaining('已停止访问该网页'),
      },
    });
    expect(await rowOf(sql`SELECT kind, handling, ended_at FROM domain_incident`)).toEqual({
      kind: 'blocked',
      handling: 'waiting',
      ended_at: null,
    });
    gateway.unblock(host);
    apis.unblock(host);
    expect(await checkAgain(id)).toMatchObject({ block_status: 1, status: 1 });
    expect((await events()).map(({ type }) => type)).toEqual(['domain.blocked', 'domain.unblocked']);
    expect(await rowOf(sql`SELECT handling, ended_at IS NOT NULL AS is_over FROM domain_incident`)).toEqual({
      handling: 'over',
      is_over: true,
    });
  });

  test('is blocked where the link of its most visited code is, though its root is not', async () => {
    const { id, host } = await addDomain();
    const targets = [{ kind: 'text' as const, content: 'x' }];
    const add = async (name: string) =>
      (await test_app.call(owner, 'qr_code_list', 'add', { name, targets, entry_domain_id: id })).body as { id: number; file_name: string };
    await add('quiet');
    const { id: code, file_name } = await add('busy');
    await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${code}, 12, 5)`);
    const link = `http://${host}/${file_name}`;
    for (const simulated of [gateway, apis]) simulated.block(link);
    await setSettings(test_app, { check_links: false });
    await checker.due();
    expect(await monitorOf(id)).toMatchObject({ block_status: 1 });
    await setSettings(test_app, { check_links: true });
    expect(await checkAgain(id)).toMatchObject({ block_status: 2, status: 2 });
    const evidence = await rowOf<{ findings: { request: { url: string } }[] }>(
      sql`SELECT findings FROM domain_verdict ORDER BY id DESC LIMIT 1`,
    );
    for (const { request } of evidence?.findings ?? []) expect(decodeURIComponent(request.url)).toContain(link);
    for (const simulated of [gateway, apis]) simulated.unblock(link);
    expect(await checkAgain(id)).toMatchObject({ block_status: 1, status: 1 });
  });

  test('keeps its evidence: the redirect chain, the title and text of the block page, without keys; the same found again is one row', async () => {
    const { id, host } = await addDomain();
    gateway.block(host);
    apis.block(host);
    await checker.due();
    await checkAgain(id);
    await checkAgain(id);
    const monitor = await rowOf<{ id: number }>(sql`SELECT id FROM domain_monitor WHERE domain_id = ${id}`);
    const { body } = await test_app.call(owner, 'domain_monitor', 'details', { id: monitor?.id ?? 0 });
    expect(body.verdicts).toHaveLength(1);
    expect(body.verdicts[0]).toMatchObject({ block_status: 2, state: 'blocked', checks: 3 });
    const [byGateway, byApi] = body.findings;
    expect(byGateway).toMatchObject({
      detector: 'gateway',
      answer: 'blocked',
      title: '已停止访问该网页',
      text: '网页包含诱导分享、关注等诱导行为内容',
    });
    expect(byGateway?.hops.map(({ status }) => status)).toEqual([302, 302, 200]);
    expect(byGateway?.hops.at(-1)?.url).toContain('main_type=2');
    expect(byApi).toMatchObject({
      detector: 'api',
      answer: 'blocked',
      text: 'blocked',
      request: { method: 'GET', url: expect.stringContaining('key=***') },
    });
    expect(JSON.stringify(body)).not.toContain(key);
    expect(body).toMatchObject({ uptime_24h: 0, block_status: 2 });
    expect(body.beats).toHaveLength(3);
    expect(body.latency.at(-1)).toBeGreaterThan(0);
  });

  test('that stays blocked stays so when nobody can tell any more; a normal one is known no more after three such checks', async () => {
    const [blocked, normal] = [await addDomain(), await addDomain()];
    gateway.block(blocked.host);
    apis.block(blocked.host);
    await checker.due();
    gateway.set('*', 'captcha');
    gateway.set(blocked.host, 'captcha');
    apis.behave('garbled');
    for (let check = 0; check < 3; check += 1) {
      await checkAgain(blocked.id);
      await checkAgain(normal.id);
    }
    expect(await monitorOf(blocked.id)).toMatchObject({ block_status: 2, status: 2 });
    expect(await monitorOf(normal.id)).toMatchObject({ block_status: 4, status: 4 });
    gateway.set('*', 'normal');
    expect((await events()).map(({ type }) => type)).toEqual(['domain.blocked']);
  });

  test('under another name is another address: its status is forgotten, its incident over, and it is checked at once', async () => {
    const { id, host } = await addDomain();
    gateway.block(host);
    apis.block(host);
    await checker.due();
    expect((await monitorOf(id))?.status).toBe(2);
    await test_app.call(owner, 'domain_list', 'update', { id, host: `other-${host}` });
    expect(await monitorOf(id)).toMatchObject({ block_status: null, status: null, beats: [] });
    expect(await rowOf(sql`SELECT handling FROM domain_incident WHERE ended_at IS NOT NULL`)).toEqual({ handling: 'over' });
    expect(await checker.due()).toBe(1);
    expect((await monitorOf(id))?.status).toBe(1);
  });

  test('that is switched off is not checked, and one that changes hands is watched by its new holder', async () => {
    const { id } = await addDomain();
    await checker.due();
    await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [id], enabled: false });
    await test_app.db.execute(sql`UPDATE domain_monitor SET due_at = now()`);
    expect(await checker.due()).toBe(0);
    await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [id], enabled: true });
    expect(await checker.due()).toBe(1);
    const other = await test_app.makeUser('customer');
    await test_app.db.execute(sql`UPDATE domain SET holder_id = ${other.id} WHERE id = ${id}`);
    const seenBy = async (user: TestUser) => (await test_app.call(user, 'domain_monitor', 'inquire', {})).body.total;
    expect([await seenBy(owner), await seenBy(other)]).toEqual([0, 1]);
  });
});

test('a domain of the pool is told to those who run the platform', async () => {
  const administrator = await test_app.makeUser('super');
  const { id, host } = await addDomain(administrator);
  await test_app.db.execute(sql`UPDATE domain SET holder_id = NULL WHERE id = ${id}`);
  gateway.block(host);
  apis.block(host);
  await checker.due();
  const owners = (await events()).map(({ owner_id }) => owner_id);
  expect(owners).toContain(administrator.id);
  expect(owners).not.toContain(owner.id);
});

test('where one detector alone knows messengers, it must say so twice, far enough apart', async () => {
  await useDetectors(test_app, [{ name: 'gateway', config: ofGateway() }]);
  const { id, host } = await addDomain();
  gateway.block(host);
  await checker.due();
  const due = (await monitorOf(id))?.due ?? 0;
  expect(due).toBeGreaterThan(58);
  expect(due).toBeLessThan(65);
  checker.at(new Date(Date.now() + 30_000));
  expect((await checkAgain(id))?.status).toBe(null);
  checker.at(new Date(Date.now() + 61_000));
  expect((await checkAgain(id))?.status).toBe(2);
  checker.at(new Date());
});

test.each<[GatewayState, string, number | null]>([
  ['normal', 'normal', 1],
  ['blocked', 'blocked', 2],
  ['warning', 'blocked', 2],
  ['copy', 'blocked', 2],
  ['captcha', 'failed', null],
  ['captcha_page', 'failed', null],
  ['no_redirect', 'failed', null],
  ['error', 'failed', null],
  ['throttled', 'failed', null],
  ['reset', 'failed', null],
  ['timeout', 'failed', null],
])('a gateway that answers %s: the check is %s', async (state, beat, status) => {
  await setSettings(test_app, { confirmations: 1 });
  await useDetectors(test_app, [{ name: 'gateway', config: ofGateway(), timeout_ms: 700 }]);
  const { id, host } = await addDomain();
  gateway.set(host, state);
  await checker.due();
  expect(await monitorOf(id)).toMatchObject({ status, beats: [{ state: beat }] });
});

describe('when our own way out is down', () => {
  const dead = 'http://127.0.0.1:9/';
  test('nothing is judged, nobody is blamed; it is told once, and once that it is over', async () => {
    const administrator = await test_app.makeUser('super');
    const { id } = await addDomain();
    await checker.due();
    await setSettings(test_app, { control_addresses: [dead, 'http://127.0.0.1:11/'] });
    gateway.set('*', 'reset');
    apis.behave('failing');
    const before = await monitorOf(id);
    for (let check = 0; check < 5; check += 1) await checkAgain(id);
    expect(await monitorOf(id)).toMatchObject({ status: 1, beats: before?.beats });
    expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body.blind_since).not.toBeNull();
    expect(await rowOf(sql`SELECT max(failures) AS most FROM detector`)).toEqual({ most: 0 });
    gateway.set('*', 'normal');
    apis.behave('honest');
    await setSettings(test_app, { control_addresses: [dead, `${apis.url}/`] });
    await test_app.db.execute(sql`UPDATE detection_state SET controls_at = NULL`);
    const { isStillBlind } = await import('./blindness.ts');
    const { guardNetwork } = await import('../../kit/network/guarded-network.ts');
    expect(
      await isStillBlind({ db: test_app.db, network: guardNetwork(loopback), settings: { control_addresses: [dead, `${apis.url}/`] } }),
    ).toBe(false);
    const told = (await events()).filter(({ owner_id }) => owner_id === administrator.id).map(({ type }) => type);
    expect(told).toEqual(['detection.blind', 'detection.restored']);
    expect((await test_app.call(owner, 'domain_monitor', 'summary', {})).body.blind_since).toBeNull();
  });

  test('a detector that fails while the control addresses answer is to blame itself', async () => {
    const { id } = await addDomain();
    gateway.set('*', 'error');
    apis.behave('failing');
    await checkAgain(id);
    expect(await monitorOf(id)).toMatchObject({ beats: [{ state: 'failed' }] });
    gateway.set('*', 'normal');
    expect((await events()).map(({ type }) => type)).toEqual([]);
  });
});

test('hosts for trying the product out, and names that are nobody’s, are told to no detector outside', async () => {
  const administrator = await test_app.makeUser('super');
  const outside = 'http://gateway.outside-messenger.com/mp/wapredirect';
  await useDetectors(test_app, [
    { name: 'outside', config: { kind: 'gateway', url: outside, warning_is_blocked: true } },
    { name: 'dns', config: { kind: 'dns' } },
    { name: 'http', config: { kind: 'http', path: '', statuses: '200-399' } },
  ]);
  const { body } = await test_app.call(administrator, 'domain_list', 'add', { host: 'a.localhost:3001', type: 1 });
  await checker.due();
  expect(await monitorOf(body.id)).toMatchObject({ status: null, beats: [] });
  const tried = { kind: 'gateway' as const, url: outside, warning_is_blocked: true };
  const refused = await test_app.call(administrator, 'we_chat_blocking_detection_configuration', 'test', {
    url: 'a.localhost:3001',
    config: tried,
  });
  expect(refused.body.fields).toEqual({ url: 'not_asked_about' });
  // A simulator stands on a development host itself: it may be asked.
  await useDetectors(test_app, [{ name: 'gateway', config: ofGateway() }]);
  await checkAgain(body.id);
  expect(await monitorOf(body.id)).toMatchObject({ status: 1 });
});

test('a watched link is blocked where the root of its host is', async () => {
  await test_app.call(owner, 'domain_monitor', 'add', { lines: ['http://roots.checked.com/a/page'] });
  expect(await checker.due()).toBe(1);
  const status = () => rowOf(sql`SELECT block_status FROM domain_monitor WHERE url IS NOT NULL`);
  expect(await status()).toEqual({ block_status: 1 });
  gateway.asked.length = 0;
  await test_app.db.execute(sql`UPDATE domain_monitor SET due_at = now()`);
  await checker.due();
  expect(gateway.asked).toEqual(['http://roots.checked.com/a/page', 'http://roots.checked.com/']);
  for (const simulated of [gateway, apis]) {
    simulated.block('roots.checked.com');
    simulated.unblock('http://roots.checked.com/a/page');
  }
  await test_app.db.execute(sql`UPDATE domain_monitor SET due_at = now()`);
  await checker.due();
  expect(await status()).toEqual({ block_status: 2 });
  for (const simulated of [gateway, apis]) simulated.unblock('roots.checked.com');
});
