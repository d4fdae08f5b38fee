import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { expectWithin, timeOf } from '../kit/testing/within.ts';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('administrator');
});
afterEach(() => test_app.db.execute(sql`DELETE FROM ip_black`));
afterAll(() => test_app.close());

const add = (lines: string[], fields: { remark?: string; expires_at?: string | null } = {}) =>
  test_app.call(owner, 'ip_black', 'add', { lines, ...fields });
const rows = async (input: { search?: string; expired?: boolean } = {}) =>
  (await test_app.call(owner, 'ip_black', 'inquire', input)).body.content;
/** What a request from this address is answered. */
async function from(remoteAddress: string, url = '/api/website/info', app = test_app) {
  const method = url.startsWith('/api/website') ? 'POST' : 'GET';
  const { statusCode, body, headers } = await app.app.inject({
    ...{ method, url, remoteAddress },
    headers: method === 'POST' ? { 'content-type': 'application/json' } : {},
    ...(method === 'POST' ? { payload: '{}' } : {}),
  });
  return { status: statusCode, body, type: headers['content-type'] };
}

describe('adding many lines', () => {
  test('each line has its result, and every spelling of a network is one', async () => {
    const lines = [
      '203.0.113.7',
      ' 203.0.113.7/32 ',
      '10.1.2.3/8',
      '2001:DB8::/32',
      '::ffff:198.51.100.1',
      'nonsense',
      '',
      '1.2.3.4/33',
      '01.2.3.4',
    ];
    const { body } = await add(lines, { remark: 'scanners' });
    expect(body.results.map(({ state }) => state)).toEqual([
      ...['added', 'repeated', 'added', 'added', 'added'],
      ...['invalid', 'invalid', 'invalid', 'invalid'],
    ]);
    expect(body.results.map(({ line }) => line)).toEqual(lines);
    expect(body.added).toBe(4);
    const found = await rows();
    expect(found.map((row) => row.network).sort()).toEqual(['10.0.0.0/8', '198.51.100.1', '2001:db8::/32', '203.0.113.7']);
    expect(found[0]).toMatchObject({
      remark: 'scanners',
      created_by: owner.id,
      created_by_account: owner.account,
      hits: 0,
      expires_at: null,
    });
  });

  test('a network that is there already gets the new remark and expiry', async () => {
    await add(['203.0.113.0/24'], { remark: 'old', expires_at: '2020-01-01T00:00:00Z' });
    expect(await rows()).toMatchObject([{ expired: true }]);
    const { body } = await add(['203.0.113.0/24'], { remark: 'new' });
    expect([body.added, body.results[0]?.state]).toEqual([0, 'updated']);
    expect(await rows()).toMatchObject([{ remark: 'new', expires_at: null, expired: false }]);
  });

  test('nobody locks himself or the server out', async () => {
    const response = await test_app.app.inject({
      method: 'POST',
      url: '/api/ip_black/add',
      remoteAddress: '::ffff:198.51.100.9',
      headers: { authorization: `Bearer ${owner.token}` },
      payload: { lines: ['198.51.100.9', '198.51.0.0/16', '0.0.0.0/0', '198.51.100.8', '127.0.0.1', '::1', '127.0.0.0/8'] },
    });
    expect(response.json().results.map(({ state }: { state: string }) => state)).toEqual([
      ...['own_address', 'own_address', 'own_address', 'added', 'loopback', 'loopback', 'loopback'],
    ]);
  });

  test('the same lines by two administrators at once are stored once', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `192.0.2.${index % 256}`);
    const answers = await Promise.all([add(lines), add([...lines].reverse()), add(lines)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(256);
  });
});

describe('refusing', () => {
  test('every page and call of a blocked address is answered 403 in words, of the others as before', async () => {
    await add(['203.0.113.0/24', '2001:db8:1::/48']);
    for (const url of ['/api/website/info', '/', '/healthz', '/api/docs/', '/no-such-page', '/api/openapi.json']) {
      const refused = await from('203.0.113.77', url);
      expect([url, refused.status]).toEqual([url, 403]);
      expect(refused.body).toContain('禁止访问');
      expect(refused.type).toMatch(url.startsWith('/api/') ? /json/ : /text\/plain/);
    }
    expect((await from('::ffff:203.0.113.1')).status).toBe(403);
    expect((await from('2001:db8:1:2::5')).status).toBe(403);
    expect((await from('203.0.114.1')).status).toBe(200);
    expect((await from('2001:db8:2::1')).status).toBe(200);
  });

  test('loopback gets in whatever is on the list', async () => {
    await test_app.db.execute(sql`INSERT INTO ip_black (network) VALUES ('0.0.0.0/0'), ('::/0'), ('127.0.0.1')`);
    for (const ip of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) expect((await from(ip)).status).toBe(200);
    expect((await from('8.8.8.8')).status).toBe(403);
  });

  test('a forged X-Forwarded-For neither lets in nor locks out', async () => {
    await add(['203.0.113.5']);
    const forged = (remoteAddress: string, forwarded: string) =>
      test_app.app.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': forwarded } });
    expect((await forged('203.0.113.5', '127.0.0.1')).statusCode).toBe(403);
    expect((await forged('198.51.100.1', '203.0.113.5')).statusCode).toBe(200);
  });

  test('an entry that has expired refuses nobody', async () => {
    await add(['203.0.113.5'], { expires_at: new Date(Date.now() - 1000).toISOString() });
    expect((await from('203.0.113.5')).status).toBe(200);
    expect(await rows({ expired: true })).toHaveLength(1);
    expect(await rows({ expired: false })).toEqual([]);
  });

  test('hits are counted on every network that covers the address', async () => {
    const held = await createTestApp();
    await held.db.execute(sql`INSERT INTO ip_black (network) VALUES ('203.0.113.0/24'), ('203.0.113.5'), ('198.51.100.0/24')`);
    for (let time = 0; time < 5; time += 1) await from('203.0.113.5', '/', held);
    await from('203.0.113.6', '/', held);
    await eventually(async () => {
      const { rows: found } = await held.db.execute(
        sql`SELECT network::text, hits, last_hit_at IS NOT NULL AS was_hit FROM ip_black ORDER BY id`,
      );
      expect(found).toEqual([
        { network: '203.0.113.0/24', hits: 6, was_hit: true },
        { network: '203.0.113.5/32', hits: 5, was_hit: true },
        { network: '198.51.100.0/24', hits: 0, was_hit: false },
      ]);
    });
    await held.close();
  });
});

describe('a running process that holds the list', () => {
  test('follows additions, removals and expiries within a second', async () => {
    const held = await createTestApp({ heldMilliseconds: 1000 });
    const by = await held.makeUser('administrator');
    const status = async () => (await from('203.0.113.5', '/', held)).status;
    expect(await status()).not.toBe(403);
    const untilRefused = (isRefused: boolean) => eventually(async () => expect((await status()) === 403).toBe(isRefused), { interval: 5 });
    const add = async (input: { expires_at?: string } = {}) => {
      const { body } = await held.call(by, 'ip_black', 'add', { lines: ['203.0.113.5'], ...input });
      expect(body.added).toBe(1);
    };
    const remove = async () => {
      const [row] = (await held.call(by, 'ip_black', 'inquire', {})).body.content;
      await held.call(by, 'ip_black', 'remove', { ids: [row?.id ?? 0] });
    };
    await expectWithin(1000, async () => {
      await add();
      const added = await timeOf(() => untilRefused(true));
      await remove();
      return Math.max(added, await timeOf(() => untilRefused(false)));
    });
    await expectWithin(1000, async () => {
      const expiresAt = Date.now() + 700;
      await add({ expires_at: new Date(expiresAt).toISOString() });
      await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(expiresAt), { interval: 5 });
      const took = await timeOf(() => untilRefused(false));
      await remove();
      return took;
    });
    await held.close();
  });
});

describe('the list', () => {
  test('an address finds the networks that cover it, text finds remarks and networks; % and _ stand for themselves', async () => {
    await add(['10.0.0.0/8', '10.20.0.0/16', '192.0.2.1'], { remark: '100% bad' });
    await add(['2001:db8::/32'], { remark: 'other' });
    expect((await rows({ search: '10.20.30.40' })).map((row) => row.network).sort()).toEqual(['10.0.0.0/8', '10.20.0.0/16']);
    expect((await rows({ search: '100%' })).length).toBe(3);
    expect(await rows({ search: '1%d' })).toEqual([]);
    expect((await rows({ search: 'db8' })).map((row) => row.network)).toEqual(['2001:db8::/32']);
  });

  test('customers neither see nor change it', async () => {
    const customer = await test_app.makeUser('customer');
    await add(['192.0.2.1']);
    const [row] = await rows();
    expect((await test_app.call(customer, 'ip_black', 'inquire', {})).status).toBe(403);
    expect((await test_app.call(customer, 'ip_black', 'add', { lines: ['192.0.2.9'] })).status).toBe(403);
    expect((await test_app.call(customer, 'ip_black', 'remove', { ids: [row?.id ?? 0] })).status).toBe(403);
    expect(await rows()).toHaveLength(1);
  });

  test('what was added and removed stands in the log', async () => {
    await add(['192.0.2.1', 'nonsense']);
    const [row] = await rows();
    expect((await test_app.call(owner, 'ip_black', 'remove', { ids: [row?.id ?? 0, 999_999] })).body.affected).toBe(1);
    const { rows: logged } = await test_app.db.execute(
      sql`SELECT type, changes FROM log WHERE type LIKE 'ip_black/%' ORDER BY id DESC LIMIT 2`,
    );
    expect(logged).toMatchObject([
      { type: 'ip_black/remove', changes: { before: [{ network: '192.0.2.1' }] } },
      { type: 'ip_black/add', changes: { after: { networks: ['192.0.2.1'] } } },
    ]);
  });
});
