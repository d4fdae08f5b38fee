import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Failure, OutputOf } from '../../../contract/kit/call.ts';
import type { publicEnquiry } from '../../../contract/visits/access-log.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { loadVisits } from '../testing/loading.ts';

/** A quarter past midnight in Shanghai: in UTC the day before still runs. */
const now = new Date('2026-03-10T16:15:00Z');
const shanghai = (text: string): number => Date.parse(`${text}+08:00`);
const iso = (text: string): string => new Date(shanghai(text)).toISOString();
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const huawei =
  'Mozilla/5.0 (Linux; Android 12; ELS-AN00 Build/HUAWEIELS-AN00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.49 NetType/WIFI Language/zh_CN';
const password = 'pass-word';

let app: TestApp;
let owner: TestUser;
let agent: TestUser;
let stranger: TestUser;
let administrator: TestUser;
let code: { id: number; file_name: string };
let foreign: { id: number; file_name: string };
let secret: { id: number; file_name: string };

const add = async (user: TestUser, given: string | undefined) =>
  (await app.call(user, 'qr_code_list', 'add', { name: 'code', password: given, targets: [{ kind: 'text', content: 'x' }] })).body;

beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  agent = await app.makeUser('agent');
  owner = await app.makeUser('customer', { superior_id: agent.id });
  stranger = await app.makeUser('customer');
  administrator = await app.makeUser('administrator');
  [code, foreign, secret] = [await add(owner, password), await add(stranger, 'other-word'), await add(owner, undefined)];
  const visit = (at: string, ip: string, change = {}) => visitOf({ live_code_id: code.id, at: shanghai(at), ip, ...change });
  await loadVisits(app.url, [
    // The last second of a day, and the first one of the next.
    visit('2026-03-08T23:59:59', '120.196.165.24'),
    visit('2026-03-09T00:00:00', '120.196.165.24'),
    visit('2026-03-09T18:00:00', '120.196.165.24', { user_agent: huawei }),
    visit('2026-03-09T12:00:00', '120.196.165.24', { user_agent: windows }),
    visit('2026-03-04T00:00:00', '114.114.114.114'),
    visit('2026-03-03T23:59:59', '8.8.8.8'),
    visit('2026-03-11T00:10:00', '1.1.1.1', { user_agent: windows, open_log: false }),
    visit('2026-03-11T00:11:00', '5.5.5.5', { outcome: 8 }),
    visitOf({ live_code_id: foreign.id, at: shanghai('2026-03-11T00:12:00'), ip: '120.196.165.24' }),
    visitOf({ live_code_id: secret.id, at: shanghai('2026-03-11T00:12:00'), ip: '9.9.9.9' }),
  ]);
});
afterAll(() => app.close());
beforeEach(() => app.db.execute(sql`DELETE FROM attempt`));

const week = { start_time: iso('2026-03-04T00:00:00'), end_time: iso('2026-03-11T23:59:59') };
const all = ['120.196.165.24', '114.114.114.114', '8.8.8.8', '1.1.1.1', '5.5.5.5', '9.9.9.9', '7.7.7.7'];
const asked = (change: object = {}) => ({ key: password, file_name: code.file_name, ip_list: all, ...week, ...change });
/** Each question comes from another address, where none is named: the limit of a minute is not what is tested here. */
let asker = 0;
const ask = async (change: object = {}, as?: TestUser, remoteAddress = `198.18.${asker >> 8}.${asker++ & 255}`) => {
  const headers = as ? { authorization: `Bearer ${as.token}` } : {};
  const url = '/api/qr_code_access/public_enquiry';
  const answer = await app.app.inject({ method: 'POST', url, remoteAddress, headers, payload: asked(change) });
  return { status: answer.statusCode, body: answer.json<OutputOf<typeof publicEnquiry> & Partial<Failure>>() };
};
const found = async (change: object = {}, as?: TestUser) => {
  const { status, body } = await ask(change, as);
  expect(status).toBe(200);
  return body.content.map(({ ip, ip_count }) => [ip, ip_count]);
};

describe('the records', () => {
  test('are one row for each address that visited, the latest first, with what is known of its latest visit', async () => {
    const { body } = await ask();
    expect(body.content.map(({ ip }) => ip)).toEqual(['1.1.1.1', '120.196.165.24', '114.114.114.114']);
    expect(body.content[1]).toEqual({
      ip: '120.196.165.24',
      ip_count: 4,
      latest_ip_belong: '中国 广东 深圳',
      latest_source: 'messenger',
      latest_user_agent: huawei,
      latest_create_time: iso('2026-03-09T18:00:00'),
      latest_key: null,
      country: '中国',
      region: '广东',
      city: '深圳',
      carrier: 'mobile',
      system: 'Android',
      system_version: '12',
      brand: 'Huawei',
      model: 'ELS-AN00',
      model_name: expect.stringContaining('P40'),
      browser: 'WeChat',
    });
  });

  test('begin and end with the days of the site, not with those of UTC', async () => {
    const on = (day: string) => found({ start_time: iso(`${day}T00:00:00`), end_time: iso(`${day}T23:59:59`) });
    expect(await on('2026-03-08')).toEqual([['120.196.165.24', 1]]);
    expect(await on('2026-03-09')).toEqual([['120.196.165.24', 3]]);
    expect(await on('2026-03-10')).toEqual([]);
    expect(await on('2026-03-11')).toEqual([['1.1.1.1', 1]]);
    expect(await on('2026-03-04')).toEqual([['114.114.114.114', 1]]);
  });

  test('an address that is asked for twice is one record', async () => {
    expect(await found({ ip_list: ['1.1.1.1', '1.1.1.1'] })).toEqual([['1.1.1.1', 1]]);
  });

  test("the suffix counts in any case, and the key's blanks count", async () => {
    expect(await found({ file_name: ` ${code.file_name.toUpperCase()} `, ip_list: ['1.1.1.1'] })).toHaveLength(1);
    expect((await ask({ key: `${password} ` })).status).toBe(404);
  });

  test('visits before the history was cleared are gone, also of that very day', async () => {
    await app.db.execute(sql`UPDATE live_code SET visible_from = ${iso('2026-03-09T13:00:00')} WHERE id = ${code.id}`);
    try {
      expect(await found()).toEqual([
        ['1.1.1.1', 1],
        ['120.196.165.24', 1],
      ]);
    } finally {
      await app.db.execute(sql`UPDATE live_code SET visible_from = NULL WHERE id = ${code.id}`);
    }
  });
});

test("the key of an address's latest visit is told where the code has aliases and its owner shares visits by key", async () => {
  const { id, file_name } = await add(owner, password);
  await app.call(owner, 'qr_code_list', 'add_alias', { id, key: 'log-east' });
  const visit = (at: string, ip: string, change: object) => visitOf({ live_code_id: id, at: shanghai(at), ip, ...change });
  await loadVisits(app.url, [
    visit('2026-03-08T10:00:00', '120.196.165.24', { path: `/${file_name}` }),
    visit('2026-03-09T10:00:00', '120.196.165.24', { path: '/Log-East/' }),
    visit('2026-03-10T10:00:00', '114.114.114.114', { path: '/log-east' }),
    visit('2026-03-10T11:00:00', '114.114.114.114', { path: `/${file_name}` }),
    visit('2026-03-10T12:00:00', '114.114.114.114', { path: '/log-east', outcome: 8 }),
    visit('2026-03-10T13:00:00', '8.8.8.8', { path: '/log-east', open_log: false }),
  ]);
  const keys = async (change: object, as?: TestUser) => {
    const { body } = await ask({ file_name, ...change }, as);
    return body.content.map(({ ip, latest_key }) => [ip, latest_key]);
  };
  const none = [
    ['8.8.8.8', null],
    ['114.114.114.114', null],
    ['120.196.165.24', null],
  ];
  expect(await keys({ file_name: 'log-east' })).toEqual(none);
  await app.call(owner, 'qr_code_list', 'update_share', { id, expires_at: null, from: null, to: null, figures: ['visits', 'by_key'] });
  const told = [
    ['8.8.8.8', ''],
    ['114.114.114.114', file_name],
    ['120.196.165.24', 'log-east'],
  ];
  expect(await keys({})).toEqual(told);
  expect(await keys({ file_name: 'Log-East', key: owner.account }, owner)).toEqual(told);
});

describe('what is asked for', () => {
  const fields = async (change: object) => {
    const { status, body } = await ask(change);
    return [status, body.fields];
  };

  test('needs days, addresses, and addresses of IPv4', async () => {
    expect(await fields({ start_time: '' })).toEqual([400, { start_time: 'access_log_time_required' }]);
    expect(await fields({ start_time: undefined, end_time: undefined })).toEqual([
      400,
      { start_time: 'access_log_time_required', end_time: 'access_log_time_required' },
    ]);
    expect(await fields({ ip_list: [] })).toEqual([400, { ip_list: 'access_log_ip_required' }]);
    expect(await fields({ ip_list: undefined })).toEqual([400, { ip_list: 'access_log_ip_required' }]);
  });

  test.each([
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4/24',
    '::1',
    '2400:3200::1',
    '1.2.3.4\n5.6.7.8',
    "1.2.3.4' OR 1=1",
    '',
    '１.1.1.1',
  ])('the address %j is not valid', async (ip) => {
    expect(await fields({ ip_list: ['1.1.1.1', ip] })).toEqual([400, { 'ip_list.1': 'access_log_ip_invalid' }]);
  });

  test('is a hundred addresses at most', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    expect(await fields({ ip_list: many })).toEqual([400, { ip_list: 'access_log_ip_too_many' }]);
    expect((await ask({ ip_list: many.slice(1) })).status).toBe(200);
  });

  test('lies between seven days ago and today', async () => {
    const range = 'access_log_time_range';
    expect(await fields({ start_time: iso('2026-03-03T23:59:59') })).toEqual([400, { start_time: range }]);
    expect(await fields({ end_time: iso('2026-03-12T00:00:00') })).toEqual([400, { end_time: range }]);
    expect(await fields({ start_time: iso('2026-03-11T00:00:00'), end_time: iso('2026-03-10T23:59:59') })).toEqual([
      400,
      { end_time: range },
    ]);
    for (const time of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) expect((await ask({ start_time: time })).status).toBe(400);
  });

  test('names no more than the form has, in shapes that it has', async () => {
    expect(await fields({ live_code_id: code.id })).toEqual([400, { live_code_id: 'unknown' }]);
    for (const change of [{ key: '' }, { key: 'x'.repeat(65) }, { file_name: '\u0000' }, { key: ['a'] }, { ip_list: 'x' }])
      expect((await ask(change)).status).toBe(400);
  });
});

describe('who may ask', () => {
  const refusal = { code: 'access_log.not_available', message: '没有找到对应的活码，请检查账号、卡密和活码后缀' };

  test('an account alone opens nothing without a login; wrong account, key and suffix answer alike', async () => {
    for (const change of [
      { key: owner.account },
      { key: 'admin' },
      { key: 'wrong' },
      { file_name: 'no-such-code' },
      { file_name: foreign.file_name },
      { file_name: secret.file_name },
      { file_name: secret.file_name, key: owner.account },
    ])
      expect([change, await ask(change).then(({ status, body }) => [status, body])]).toEqual([change, [404, refusal]]);
  });

  test('a key is hidden from the hostile: NUL and quotes are only wrong', async () => {
    for (const key of ['\u0000', "' OR ''='", '%', '__proto__']) expect((await ask({ key })).status).toBe(404);
  });

  test('the owner, his agent and an administrator may leave it at an account, in any case', async () => {
    const one = { ip_list: ['1.1.1.1'] };
    expect(await found({ ...one, key: owner.account.toUpperCase() }, owner)).toEqual([['1.1.1.1', 1]]);
    for (const viewer of [agent, administrator])
      for (const key of [owner.account, viewer.account]) expect(await found({ ...one, key }, viewer)).toEqual([['1.1.1.1', 1]]);
    expect(await found({ ip_list: ['9.9.9.9'], file_name: secret.file_name, key: owner.account }, owner)).toEqual([['9.9.9.9', 1]]);
  });

  test('a stranger who is logged in needs the key like anybody', async () => {
    for (const key of [owner.account, stranger.account]) expect((await ask({ key }, stranger)).body).toEqual(refusal);
    expect(await found({ ip_list: ['1.1.1.1'] }, stranger)).toEqual([['1.1.1.1', 1]]);
    expect((await ask({ key: 'third-account' }, owner)).status).toBe(404);
  });

  test('an owner whose role shows no visits needs the key as well', async () => {
    const { rows } = await app.db.execute<{ role_id: number }>(sql`SELECT role_id FROM user_account WHERE id = ${owner.id}`);
    await app.db.execute(sql`
      WITH bare AS (INSERT INTO role (name, kind) VALUES ('bare', 'customer') RETURNING id)
      UPDATE user_account SET role_id = (SELECT id FROM bare) WHERE id = ${owner.id}`);
    expect((await ask({ key: owner.account }, owner)).status).toBe(404);
    await app.db.execute(sql`UPDATE user_account SET role_id = ${rows[0]?.role_id} WHERE id = ${owner.id}`);
    expect((await ask({ key: owner.account }, owner)).status).toBe(200);
  });

  test('a removed code is gone for all of them', async () => {
    const removed = await add(owner, password);
    await app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
    for (const as of [undefined, owner]) expect((await ask({ file_name: removed.file_name }, as)).body).toEqual(refusal);
    expect((await ask({ file_name: removed.file_name, key: owner.account }, owner)).body).toEqual(refusal);
  });

  test('ten wrong keys in a quarter of an hour are the last ones, here and on the share page together', async () => {
    const here = '127.0.0.1';
    const share = (given: string) => app.call(undefined, 'qr_code_list', 'share_access', { file_name: code.file_name, password: given });
    for (let tried = 0; tried < 5; tried++) {
      expect((await ask({ key: `wrong ${tried}` }, undefined, here)).status).toBe(404);
      expect((await share(`wrong ${tried}`)).status).toBe(404);
    }
    for (const answer of [await ask({}, undefined, here), await share(password)])
      expect([answer.status, answer.body.code]).toEqual([429, 'too_many_attempts']);
    expect((await ask({ key: owner.account }, owner, here)).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  test('guesses sent all at once are looked at ten times, from a whole network of IPv6', async () => {
    const guess = (index: number) => ask({ key: `guess ${index}` }, undefined, `2001:db8:7:7::${index + 1}`);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(404), count(429)]).toEqual([10, 20]);
  });

  test('one address may ask sixty times a minute', async () => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 61; asked++) statuses.push((await ask({}, undefined, '203.0.113.60')).status);
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  });
});
