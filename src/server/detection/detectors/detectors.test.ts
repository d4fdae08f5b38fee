import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DetectionApis, startDetectionApis } from '../../../../simulators/detection-apis/detection-apis.ts';
import { type Gateway, startGateway } from '../../../../simulators/gateway/gateway.ts';
import type { DetectorConfig, Reading } from '../../../contract/detection/detectors.ts';
import { detectorConfig } from '../../../contract/detection/detectors.ts';
import { detectorPresets } from '../../../contract/detection/presets.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { readSettings } from '../../settings/settings.public.ts';
import { createChecker, loopback, setSettings, useDetectors } from '../testing/setup.ts';
import { judge, valueAt } from './http-api.ts';
import { statusIn } from './itself.ts';
import { createBudgets, takeTurns } from './limits.ts';
import type { ReadyDetector } from './open-detectors.ts';

const group = 'we_chat_blocking_detection_configuration';
const key = 'a-key/with signs';
let test_app: TestApp;
let administrator: TestUser;
let gateway: Gateway;
let apis: DetectionApis;
beforeAll(async () => {
  test_app = await createTestApp({ allowedNetworks: loopback });
  administrator = await test_app.makeUser('super');
  [gateway, apis] = await Promise.all([startGateway(), startDetectionApis({ key })]);
  await setSettings(test_app, { control_addresses: [`${apis.url}/`] });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), apis.stop()]);
  await test_app.close();
});
beforeEach(async () => {
  await test_app.db.execute(sql`TRUNCATE detector, domain, domain_monitor, event CASCADE`);
});

const reading: Reading = { by: 'json', path: 'data.status', normal: ['ok'], blocked: ['blocked'] };
const api = (change: Partial<Extract<DetectorConfig, { kind: 'http_api' }>> = {}): DetectorConfig => ({
  kind: 'http_api',
  url: `${apis.url}/data-status?key={key}&url={url}`,
  method: 'GET',
  headers: [],
  body: '',
  reading,
  ...change,
});
const add = (config: DetectorConfig, more: object = {}) =>
  test_app.call(administrator, group, 'add', { name: `d${Math.random()}`, config, ...more });
const tryOut = (config: DetectorConfig, more: object = {}) =>
  test_app.call(administrator, group, 'test', { url: 'tried.com', config, ...more });

describe('a key', () => {
  test('is kept sealed, sent where it stands in the request, and shown to nobody', async () => {
    const { body } = await add(api(), { key });
    expect(body).toMatchObject({ has_key: true, kind: 'http_api' });
    const tried = await tryOut(api(), { id: body.id });
    expect(tried.body).toMatchObject({
      answer: 'normal',
      read: { path: 'data.status', value: 'ok' },
      request: { url: expect.stringContaining('key=***') },
    });
    expect(apis.requests.at(-1)).toMatchObject({ key, address: 'http://tried.com/' });
    const { rows } = await test_app.db.execute(
      sql`SELECT encode(key, 'escape') AS key, (SELECT string_agg(content::text || changes::text, '') FROM log) AS logs FROM detector`,
    );
    const everything = JSON.stringify([body, tried.body, rows]);
    for (const spelling of [key, encodeURIComponent(key)]) expect(everything).not.toContain(spelling);
  });

  test('that an API answers with is covered in what is shown', async () => {
    const tried = await tryOut(api(), { key: 'wrong-key' });
    expect(tried.body).toMatchObject({ answer: 'failed', answered: { body: '{"error":"the key *** is wrong"}' } });
  });

  test('goes to the address only that it was typed for', async () => {
    const { body } = await add(api(), { key });
    const elsewhere = api({ url: 'https://evil.example.com/?key={key}' });
    const changed = await test_app.call(administrator, group, 'update', { id: body.id, config: elsewhere });
    expect(changed.body.fields).toEqual({ key: 'key_again' });
    const tried = await tryOut(api({ url: `${gateway.url}/?key={key}` }), { id: body.id });
    expect(tried.body.error).toBe('检测器需要密钥，但没有填写');
  });

  test('in a header and in a JSON body is written as those need it', async () => {
    const posted = api({
      url: `${apis.url}/flag`,
      method: 'POST',
      headers: [{ name: 'authorization', value: 'Bearer {key}' }],
      body: '{"url":"{url}","from":"{domain}"}',
      reading: { by: 'json', path: 'result.blocked', normal: ['false'], blocked: ['true'] },
    });
    const tried = await tryOut(posted, { key, url: 'https://tried.com/?a="b"' });
    expect(tried.body).toMatchObject({
      answer: 'normal',
      sent: { headers: expect.arrayContaining([{ name: 'authorization', value: 'Bearer ***' }]) },
    });
  });
});

describe('addresses', () => {
  test.each(['http://10.0.0.1/?u={url}', 'http://169.254.169.254/{url}', 'http://[::1]/{url}'])(
    '%s leads inside: it cannot be kept',
    async (url) => {
      expect((await add(api({ url }))).body.fields).toEqual({ 'config.url': 'refused_address' });
      expect((await tryOut({ kind: 'gateway', url, warning_is_blocked: true })).body.fields).toEqual({ 'config.url': 'refused_address' });
    },
  );
  test.each(['file:///etc/passwd', 'nonsense', 'http://user:password@a.com/'])('%s is none', async (url) => {
    expect((await add(api({ url }))).body.fields).toEqual({ 'config.url': 'invalid_url' });
  });
  test('a customer may not see or try detectors', async () => {
    const customer = await test_app.makeUser('customer');
    expect((await test_app.call(customer, group, 'inquire', {})).status).toBe(403);
    expect((await test_app.call(customer, group, 'test', { url: 'a.com', config: { kind: 'dns' } })).status).toBe(403);
  });
});

describe('what an answer means', () => {
  const answer = (body: string, status = 200, headers: Record<string, string> = {}) => ({
    status,
    headers,
    body,
    isCut: false,
    url: '',
    duration_ms: 1,
  });
  const said = (given: ReturnType<typeof answer>, own: Reading) => judge(given, own, 'a.com').answer;
  test.each<[string, string, string]>([
    ['{"data":{"status":"ok"}}', 'normal', 'data.status'],
    ['{"data":{"status":"blocked"}}', 'blocked', 'data.status'],
    ['{"data":{"status":"busy"}}', 'failed', 'data.status'],
    ['{"data":{}}', 'failed', 'data.status'],
    ['{"data":{"status":{"ok":1}}}', 'failed', 'data.status'],
    ['<html>', 'failed', 'data.status'],
    ['{"list":[{"s":"ok"}]}', 'normal', 'list[0].s'],
    ['{"__proto__":{"s":"ok"}}', 'failed', 'constructor.name'],
  ])('%s is %s at %s', (body, expected, path) => {
    expect(said(answer(body), { ...reading, path } as Reading)).toBe(expected);
  });
  test('numbers and truths are compared as they are written', () => {
    expect(valueAt('{"code":2000}', 'code')).toBe('2000');
    expect(valueAt('{"blocked":false}', '$.blocked')).toBe('false');
    expect(valueAt('{"none":null}', 'none')).toBeNull();
  });
  test('a refusal or a fault of the API is no answer, whatever stands in it', () => {
    for (const status of [302, 401, 404, 429, 500]) expect(said(answer('{"data":{"status":"ok"}}', status), reading)).toBe('failed');
  });
  test('a redirect, a status and a text are read likewise', () => {
    const by = (one: 'redirect' | 'status' | 'text', normal: string, blocked: string): Reading => ({
      by: one,
      normal: [normal],
      blocked: [blocked],
    });
    const redirect = by('redirect', '{domain}', 'weixin110.qq.com');
    expect(said(answer('', 302, { location: 'https://a.com/' }), redirect)).toBe('normal');
    expect(said(answer('', 302, { location: 'https://weixin110.qq.com/x' }), redirect)).toBe('blocked');
    expect(said(answer('', 200), redirect)).toBe('failed');
    expect(said(answer('', 403), by('status', '200', '403'))).toBe('blocked');
    expect(said(answer('it is fine'), by('text', 'fine', 'blocked'))).toBe('normal');
    expect(said(answer('fine or blocked'), by('text', 'fine', 'blocked'))).toBe('failed');
  });
  test('statuses are given as numbers and ranges', () => {
    expect([200, 299, 401, 300].map((status) => statusIn('200-299,401', status))).toEqual([true, true, true, false]);
  });
  test.each(detectorPresets.map((preset) => [preset.key, preset.config] as const))('the preset %s can be kept', (_key, config) => {
    expect(detectorConfig.parse(config)).toEqual(config);
  });
});

test('a page with a pattern of a block page in its own address is not taken for one', async () => {
  const tried = await tryOut(
    { kind: 'gateway', url: gateway.gateway, warning_is_blocked: true },
    { url: 'https://fine.com/mmspamsupport-bin/?x=weixin110.qq.com' },
  );
  expect(tried.body.answer).toBe('normal');
});

test('a warning counts as blocked or not, as the detector says', async () => {
  gateway.set('warned.com', 'warning');
  const ask = async (warning_is_blocked: boolean) =>
    (await tryOut({ kind: 'gateway', url: gateway.gateway, warning_is_blocked }, { url: 'warned.com' })).body;
  expect([(await ask(true)).answer, (await ask(false)).answer]).toEqual(['blocked', 'normal']);
  expect((await ask(false)).title).toBe('将要访问');
});

describe('a detector that fails', () => {
  const checkAll = async (hosts: number) => {
    const checker = createChecker(test_app);
    await test_app.db.execute(
      sql`INSERT INTO domain (host, type) SELECT 'f' || number || '.failing.com', 1 FROM generate_series(1, ${hosts}) AS number ON CONFLICT DO NOTHING`,
    );
    await test_app.db.execute(sql`UPDATE domain_monitor SET due_at = now()`);
    await checker.due();
  };
  const stateOf = async () =>
    (
      await test_app.db.execute<{ stops: number; minutes: number | null; last_error: string | null }>(
        sql`SELECT stops, round(extract(epoch FROM stopped_until - now()) / 60)::float8 AS minutes, last_error FROM detector WHERE name = 'gateway'`,
      )
    ).rows[0];
  const news = async () =>
    (await test_app.db.execute(sql`SELECT FROM event WHERE type = 'detector.failed' AND owner_id = ${administrator.id}`)).rowCount;

  test('is switched off after ten failures in a row, told once, and tried by one probe, ever later', async () => {
    await useDetectors(test_app, [{ name: 'gateway', config: { kind: 'gateway', url: gateway.gateway, warning_is_blocked: true } }]);
    gateway.set('*', 'error');
    await checkAll(6);
    expect(await stateOf()).toMatchObject({ stops: 0, minutes: null, last_error: 'detection.status' });
    await checkAll(6);
    expect(await stateOf()).toMatchObject({ stops: 1, minutes: 1 });
    expect(await news()).toBe(1);
    const asked = gateway.asked.length;
    await checkAll(6);
    expect(gateway.asked.length).toBe(asked);
    for (const minutes of [2, 4, 8, 16, 32, 60, 60]) {
      await test_app.db.execute(sql`UPDATE detector SET stopped_until = now() - interval '1 second'`);
      const before = gateway.asked.length;
      await checkAll(6);
      expect(gateway.asked.length - before).toBe(1);
      expect((await stateOf())?.minutes).toBe(minutes);
    }
    expect(await news()).toBe(1);
    gateway.set('*', 'normal');
    await test_app.db.execute(sql`UPDATE detector SET stopped_until = now() - interval '1 second'`);
    await checkAll(6);
    expect((await stateOf())?.minutes).toBeNull();
    await checkAll(6);
    const { body } = await test_app.call(administrator, group, 'inquire', {});
    expect(body.content[0]).toMatchObject({ stopped_until: null, health: { normal: 7, failed: 19, last_error: '对方返回状态 502' } });
  });

  test('by addresses that users made up is not switched off for all', async () => {
    const customer = await test_app.makeUser('customer');
    await useDetectors(test_app, [{ name: 'gateway', config: { kind: 'gateway', url: gateway.gateway, warning_is_blocked: true } }]);
    gateway.set('made-up.com', 'no_redirect');
    await test_app.call(customer, 'domain_monitor', 'add', { lines: Array.from({ length: 30 }, (_, index) => `m${index}.made-up.com`) });
    await createChecker(test_app).due();
    expect(await stateOf()).toMatchObject({ stops: 0, minutes: null });
  });
});

describe('limits', () => {
  const ready = (id: number, limits: { per_second?: number; per_day?: number }): ReadyDetector => ({
    ...{ id, name: '', config: { kind: 'dns' }, key: undefined, timeout_ms: 1000, weight: 1, stopped_until: null },
    per_second: limits.per_second ?? null,
    per_day: limits.per_day ?? null,
  });
  const unshared = { shareOf: async () => Number.POSITIVE_INFINITY };

  test('of a second hold over workers that ask at once: each turn is later than the one before', async () => {
    const [id = 0] = await useDetectors(test_app, [{ name: 'paced', config: { kind: 'dns' }, per_second: 10 }]);
    const workers = await Promise.all(
      Array.from({ length: 8 }, () => takeTurns(openDatabase(test_app.pool), ready(id, { per_second: 10 }), Array(10).fill(0), unshared)),
    );
    const turns = workers.flat().flatMap((grant) => ('after_ms' in grant ? [grant.after_ms] : []));
    expect(turns.length).toBeGreaterThan(30);
    expect(turns.length).toBeLessThanOrEqual(42);
    const sorted = turns.toSorted((a, b) => a - b);
    expect(sorted.at(-1)).toBeGreaterThan(2_500);
  });

  test('of a day hold over workers that ask at once, to the last one', async () => {
    const [id = 0] = await useDetectors(test_app, [{ name: 'daily', config: { kind: 'dns' }, per_day: 50 }]);
    const workers = await Promise.all(
      Array.from({ length: 10 }, (_, user) =>
        takeTurns(openDatabase(test_app.pool), ready(id, { per_day: 50 }), Array(9).fill(user), unshared),
      ),
    );
    expect(workers.flat().filter((grant) => 'after_ms' in grant)).toHaveLength(50);
    const { rows } = await test_app.db.execute(sql`SELECT sum(uses)::int AS uses FROM detector_use WHERE detector_id = ${id}`);
    expect(rows[0]).toEqual({ uses: 50 });
  });

  test("of a day are shared fairly: one user's 10,000 checks leave the others theirs", async () => {
    const [greedy, modest] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
    const [id = 0] = await useDetectors(test_app, [
      { name: 'gateway', config: { kind: 'gateway', url: gateway.gateway, warning_is_blocked: true }, per_day: 60 },
    ]);
    const lists = async (user: TestUser, name: string, number: number, path = '') =>
      test_app.call(user, 'wx_shield_detection', 'check', {
        lines: Array.from({ length: number }, (_, index) => `${name}${index}.com${path}`),
      });
    await lists(greedy, 'greedy', 500);
    // Of a link the root of its host is asked about, too.
    await lists(modest, 'modest', 10, '/page');
    const checker = createChecker(test_app);
    for (let portion = 0; portion < 4; portion += 1) await checker.lists();
    const { rows } = await test_app.db.execute<{ user_id: number; uses: number }>(
      sql`SELECT user_id::float8 AS user_id, uses FROM detector_use WHERE detector_id = ${id} ORDER BY user_id`,
    );
    expect(rows).toEqual([
      { user_id: greedy.id, uses: 40 },
      { user_id: modest.id, uses: 20 },
    ]);
  });

  test('of a day are shared by the questions of a check: two where a code is on the domain', async () => {
    const [printing, bare] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
    const add = async (user: TestUser, host: string) => (await test_app.call(user, 'domain_list', 'add', { host, type: 1 })).body.id;
    await add(bare, 'bare.shared.com');
    const entry_domain_id = await add(printing, 'printed.shared.com');
    await test_app.db.execute(sql`UPDATE domain_monitor SET paused = NOT host LIKE '%.shared.com'`);
    await test_app.db.execute(sql`DELETE FROM block_check`);
    const [id = 0] = await useDetectors(test_app, [
      { name: 'gateway', config: { kind: 'gateway', url: gateway.gateway, warning_is_blocked: true }, per_day: 1_000_000 },
    ]);
    // Just before midnight nobody needs anything more of the day.
    const noon = sql`timestamptz '2026-01-01 12:00Z'`;
    const shareOf = async (per_day: number, check_links: boolean) => {
      const settings = { ...(await readSettings(test_app.pool)), check_links, monitor_seconds: 1 };
      return createBudgets(test_app.db, async () => settings, noon).shareOf({
        ...ready(id, { per_day }),
        config: { kind: 'gateway', url: gateway.gateway, warning_is_blocked: true },
      });
    };
    const needs = async (check_links: boolean) => {
      let [low, high] = [1, 1_000_000];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((await shareOf(middle, check_links)) === Number.POSITIVE_INFINITY) high = middle;
        else low = middle + 1;
      }
      return low;
    };
    const without = await needs(true);
    await test_app.call(printing, 'qr_code_list', 'add', { name: 'x', targets: [{ kind: 'text', content: 'x' }], entry_domain_id });
    expect((await needs(true)) / without).toBeCloseTo(1.5, 3);
    expect((await needs(false)) / without).toBeCloseTo(1, 3);
  });
});
