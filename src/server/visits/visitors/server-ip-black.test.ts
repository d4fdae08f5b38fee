import { rmSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { outcomes } from '../../../contract/enums.ts';
import { checkedDays } from '../../../contract/visits/server-ip-black.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { ask, startProcess } from '../../redirect/testing/process.ts';
import { openRecords } from '../../redirect/testing/records.ts';
import { loadVisits } from '../testing/loading.ts';

let app: TestApp;
let administrator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ trustedProxies: ['203.0.113.128/25', '2001:db8:aa::/64'] });
  administrator = await app.makeUser('administrator');
  const now = Date.now();
  const day = 86_400_000;
  const blocked = outcomes.indexOf('blocked_ip');
  await loadVisits(app.url, [
    visitOf({ at: now - 2000, ip: '9.8.7.1' }),
    visitOf({ at: now - 1000, ip: '9.8.7.1' }),
    visitOf({ at: now - 2 * day, ip: '9.8.200.9' }),
    visitOf({ at: now - (checkedDays + 1) * day, ip: '9.8.200.10' }),
    visitOf({ at: now - 1000, ip: '9.9.0.1' }),
    visitOf({ at: now - 1000, ip: '2400:3200::5' }),
    ...['9.8.7.1', '9.8.7.255', '9.8.8.0', '2400:3200::5'].map((ip) =>
      visitOf({ at: now - 500, ip, outcome: blocked, live_code_id: 0, target_id: 0 }),
    ),
  ]);
});
afterEach(() => app.db.execute(sql`DELETE FROM visit_blacklist`));
afterAll(() => app.close());

const add = (lines: string[], fields: { remark?: string; expires_at?: string | null } = {}) =>
  app.call(administrator, 'server_ip_black', 'add', { lines, ...fields });
const rows = async (input: { search?: string; expired?: boolean } = {}) =>
  (await app.call(administrator, 'server_ip_black', 'inquire', input)).body.content;
const states = async (lines: string[]) => (await add(lines)).body.results.map(({ state }) => state);

describe('adding many lines', () => {
  test('each line has its result, and every spelling of a network is one', async () => {
    const lines = [
      '198.51.100.7',
      ' 198.51.100.7/32 ',
      '10.1.2.3/8',
      '2001:DB8:1::/48',
      '::ffff:198.51.100.1',
      'x',
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
    expect(found.map(({ network }) => network).sort()).toEqual(['10.0.0.0/8', '198.51.100.1', '198.51.100.7', '2001:db8:1::/48']);
    expect(found[0]).toMatchObject({ remark: 'scanners', created_by_account: administrator.account, expires_at: null, expired: false });
  });

  test('a network that is there already gets the new remark and expiry', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    await add(['198.51.100.0/24'], { remark: 'old', expires_at });
    expect(await rows()).toMatchObject([{ remark: 'old', expires_at }]);
    const { body } = await add(['198.51.100.9/24'], { remark: 'new' });
    expect([body.added, body.results[0]?.state]).toEqual([0, 'updated']);
    expect(await rows()).toMatchObject([{ remark: 'new', expires_at: null }]);
  });

  test('nothing that holds the server itself or a trusted proxy is added', async () => {
    expect(await states(['127.0.0.1', '127.0.0.0/8', '127.1.0.0/16', '0.0.0.0/0', '::1', '::/0', '::ffff:127.0.0.2'])).toEqual(
      Array.from({ length: 7 }, () => 'loopback'),
    );
    expect(await states(['203.0.113.129', '203.0.113.0/24', '203.0.113.200/30', '2001:db8:aa::9', '2001:db8::/32'])).toEqual(
      Array.from({ length: 5 }, () => 'proxy'),
    );
    expect(await states(['203.0.113.1', '203.0.113.0/25', '128.0.0.0/9', '2001:db8:ab::/64'])).toEqual(
      Array.from({ length: 4 }, () => 'added'),
    );
    const visitor = await app.call(administrator, 'visitor', 'blacklist', { ips: ['8.8.8.8', '203.0.113.129'] });
    expect([visitor.status, visitor.body.fields]).toEqual([400, { 'ips.1': 'protected_address' }]);
  });

  test('a moment gone by is refused, and so are none and too many lines', async () => {
    expect((await add(['198.51.100.1'], { expires_at: '2020-01-01T00:00:00Z' })).body.fields).toEqual({ expires_at: 'in_the_past' });
    expect((await add([])).body.fields).toEqual({ lines: 'required' });
    expect((await add(Array.from({ length: 5001 }, () => '1.1.1.1'))).body.fields).toEqual({ lines: 'too_many' });
    expect(await rows()).toEqual([]);
  });

  test('the same 5,000 lines by three at once are stored once', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `198.18.${index >> 8}.${index & 255}`);
    const answers = await Promise.all([add(lines), add([...lines].reverse()), add(lines)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(5000);
  });
});

test('before a wide network is added, the latest visits that it would have refused are told', async () => {
  const lines = ['9.8.0.0/16', '9.8.7.0/24', '9.0.0.0/8', '2400::/16', '100.64.0.0/10', '0.0.0.0/0', '9.8.7.1', 'x'];
  const { body } = await app.call(administrator, 'server_ip_black', 'check', { lines });
  expect(body.wide).toEqual([
    { network: '9.8.0.0/16', visits: 3, addresses: 2 },
    { network: '9.0.0.0/8', visits: 4, addresses: 3 },
    { network: '2400::/16', visits: 1, addresses: 1 },
    { network: '100.64.0.0/10', visits: 0, addresses: 0 },
  ]);
});

test('each entry tells the visits that were refused from its addresses', async () => {
  await add(['9.8.7.0/24', '9.8.7.1', '9.8.0.0/16', '2400:3200::/32', '198.51.100.0/24']);
  expect(Object.fromEntries((await rows()).map(({ network, hits }) => [network, hits]))).toEqual({
    '9.8.7.0/24': 2,
    '9.8.7.1': 1,
    '9.8.0.0/16': 3,
    '2400:3200::/32': 1,
    '198.51.100.0/24': 0,
  });
});

test('an address finds the networks that cover it, text finds remarks and networks; expired entries are told apart', async () => {
  await add(['10.0.0.0/8', '10.20.0.0/16', '192.0.2.1'], { remark: '100% bad' });
  await app.db.execute(sql`INSERT INTO visit_blacklist (network, expires_at) VALUES ('2001:db8::/32', now() - interval '1 second')`);
  expect((await rows({ search: '10.20.30.40' })).map(({ network }) => network).sort()).toEqual(['10.0.0.0/8', '10.20.0.0/16']);
  expect(await rows({ search: '100%' })).toHaveLength(3);
  expect(await rows({ search: '1%d' })).toEqual([]);
  expect((await rows({ expired: true })).map(({ network }) => network)).toEqual(['2001:db8::/32']);
  expect(await rows({ expired: false })).toHaveLength(3);
});

test('customers and agents neither see nor change it', async () => {
  await add(['192.0.2.1']);
  const [row] = await rows();
  for (const kind of ['customer', 'agent'] as const) {
    const other = await app.makeUser(kind);
    expect((await app.call(other, 'server_ip_black', 'inquire', {})).status).toBe(403);
    expect((await app.call(other, 'server_ip_black', 'check', { lines: ['9.0.0.0/8'] })).status).toBe(403);
    expect((await app.call(other, 'server_ip_black', 'add', { lines: ['192.0.2.9'] })).status).toBe(403);
    expect((await app.call(other, 'server_ip_black', 'remove', { ids: [row?.id ?? 0] })).status).toBe(403);
  }
  expect(await rows()).toHaveLength(1);
});

test('running redirect processes refuse an added address within a second, and answer it again when it is removed', async () => {
  const records = await openRecords(app.url);
  const dataDir = makeTestFolder();
  const port = await freePort();
  await records.addDomain('entry.example', 1);
  await records.addCode('black-list');
  const processes = await Promise.all(
    ['0', '1'].map((slot) => startProcess({ databaseUrl: app.url, dataDir, port, slot, trustedProxies: '127.0.0.1' })),
  );
  /** Connections of their own reach either process: eight in a row say that both answer so. */
  const statuses = async () =>
    new Set(
      await Promise.all(
        Array.from({ length: 8 }, async () => (await ask(port, '/black-list', { headers: { 'x-forwarded-for': '198.51.100.77' } })).status),
      ),
    );
  try {
    expect(await statuses()).toEqual(new Set([200]));
    await add(['198.51.100.0/24']);
    await expect.poll(statuses, { interval: 20 }).toEqual(new Set([403]));
    const [row] = await rows();
    expect((await app.call(administrator, 'server_ip_black', 'remove', { ids: [row?.id ?? 0, 999_999] })).body.affected).toBe(1);
    await expect.poll(statuses, { interval: 20 }).toEqual(new Set([200]));
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
    await records.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
