import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Domain } from '../../../contract/domains/domain-list.ts';
import { settingsOf } from '../../../contract/settings.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { startOnBus } from '../../kit/testing/on-bus.ts';
import { startDomainChecks } from '../domains.jobs.ts';
import { makeCertificate } from '../testing/certificates.ts';
import { type DnsServer, startDnsServer } from '../testing/dns-server.ts';
import { type CheckOptions, checkDue, checkThese, claimDue, releaseDue } from './checks.ts';

const day = 86_400_000;
const until = new Date(Math.floor((Date.now() + 90 * day) / 1000) * 1000);
const servers: Server[] = [];
let test_app: TestApp;
let owner: TestUser;
let dns: DnsServer;
let tlsPort: number;

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  const certificate = makeCertificate({ names: ['good.example.com', '*.wild.example.com'], from: new Date(Date.now() - day), until });
  tlsPort = await listen(createTlsServer(certificate, (socket) => socket.on('error', () => {})));
  dns = await startDnsServer({
    'good.example.com': { A: ['127.0.0.1'] },
    'both.example.com': { A: ['203.0.113.7'], AAAA: ['2001:db8::7'] },
    'partly.example.com': { A: ['203.0.113.7', '198.51.100.1'] },
    'elsewhere.example.com': { A: ['198.51.100.1'] },
    'alias.example.com': { CNAME: 'sites.example.net' },
    'alias-away.example.com': { CNAME: 'else.example.net' },
    'dangling.example.com': { CNAME: 'gone.example.net' },
    '*.wild.example.com': { A: ['127.0.0.1'] },
    'inside.example.com': { A: ['10.0.0.1', '169.254.169.254'] },
    'sites.example.net': { A: ['203.0.113.7'] },
    'else.example.net': { A: ['198.51.100.1'] },
    'empty.example.com': {},
    'mismatch.example.com': { A: ['127.0.0.1'] },
    'xn--fsqu00a.xn--fiqs8s': { A: ['203.0.113.7'] },
  });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await dns.stop();
  await test_app.close();
});

beforeEach(async () => {
  dns.questions.length = 0;
  await test_app.db.execute(sql`DELETE FROM domain`);
});

const settings = (more: Record<string, unknown> = {}) =>
  settingsOf(
    Object.entries({
      dns_servers: [dns.address],
      visit_addresses: ['203.0.113.7', '2001:db8::7', '127.0.0.1', 'sites.example.net'],
      ...more,
    }).map(([key, value]) => ({ key, value })),
  );
const network = guardNetwork(['127.0.0.1']);
const options = () => ({ db: test_app.db, network, settings: settings(), now: () => new Date(), tlsPort });

/** As a worker's loop does, until nothing is due. Answers how many. */
async function checkAllDue(given: CheckOptions): Promise<number> {
  let checked = 0;
  for (let due = await claimDue(test_app.db); due; due = await claimDue(test_app.db)) checked += await checkDue(due, given);
  return checked;
}

const add = async (host: string, more: Partial<{ enabled: boolean }> = {}) =>
  (await test_app.call(owner, 'domain_list', 'add', { host, type: 1, ...more })).body;
const rows = async (): Promise<Domain[]> => (await test_app.call(owner, 'domain_list', 'inquire', { page_size: 200 })).body.content;
const stateOf = async (host: string, more: Record<string, unknown> = {}): Promise<Domain['dns_state'] | undefined> => {
  await add(host);
  await checkAllDue({ ...options(), settings: settings(more) });
  return (await rows()).find((row) => row.host === host)?.dns_state;
};

test.each([
  ['both.example.com', 'here'],
  ['partly.example.com', 'partly'],
  ['elsewhere.example.com', 'elsewhere'],
  ['alias.example.com', 'here'],
  ['alias-away.example.com', 'elsewhere'],
  ['dangling.example.com', 'nothing'],
  ['empty.example.com', 'nothing'],
  ['unregistered.example.com', 'nothing'],
  ['*.wild.example.com', 'here'],
  ['*.good.example.com', 'nothing'],
  ['fail.example.com', 'failed'],
  ['xn--fsqu00a.xn--fiqs8s', 'here'],
] as const)('of %s it is found that it points %s', async (host, state) => {
  expect(await stateOf(host)).toBe(state);
});

test('a name server that never answers is told apart from one that knows nothing', { tags: 'full' }, async () => {
  expect(await stateOf('silent.example.com')).toBe('failed');
});

test('an alias of a name that was set counts as here, whatever that name stands for', async () => {
  expect(await stateOf('alias-away.example.com', { visit_addresses: ['else.example.net'] })).toBe('here');
});

test('without addresses of the site nothing is said about where a name leads', async () => {
  const { body } = await test_app.call(owner, 'domain_list', 'site_addresses', {});
  expect(body.configured).toBe(false);
  // A test machine may have a public address of its own; the name points to another one.
  expect(await stateOf('elsewhere.example.com', { visit_addresses: [] })).toBe(body.addresses.length > 0 ? 'elsewhere' : 'unknown');
});

test('the certificate that a host shows is read: issuer, names, end, and that nobody vouches for it', async () => {
  const { id } = await add('good.example.com');
  await checkAllDue(options());
  const { body } = await test_app.call(owner, 'domain_list', 'details', { id });
  expect(body).toMatchObject({
    certificate_state: 'untrusted',
    certificate_expires_at: until.toISOString(),
    certificate: {
      address: '127.0.0.1',
      issuer: 'Livecode Tests',
      subject: 'good.example.com',
      names: ['good.example.com', '*.wild.example.com'],
    },
    records: { a: ['127.0.0.1'], aaaa: [], cname: [], error: null },
  });
  expect(body.certificate?.error).toMatch(/SELF_SIGNED/);
});

test('a certificate is over at its end, and does not fit another name; a wildcard is asked for by a name below it', async () => {
  for (const host of ['good.example.com', 'mismatch.example.com', '*.wild.example.com']) await add(host);
  await checkAllDue(options());
  const states = async () => Object.fromEntries((await rows()).map((row) => [row.host, row.certificate_state]));
  expect(await states()).toEqual({
    'good.example.com': 'untrusted',
    'mismatch.example.com': 'mismatch',
    '*.wild.example.com': 'untrusted',
  });
  await test_app.db.execute(sql`UPDATE domain_check SET due_at = now()`);
  await checkAllDue({ ...options(), now: () => new Date(until.getTime() + 1000) });
  expect(new Set(Object.values(await states()))).toEqual(new Set(['expired']));
});

test('no private address is called for its certificate, whatever the name stands for', async () => {
  const { id } = await add('inside.example.com');
  await add('good.example.com');
  await checkAllDue({ ...options(), network: guardNetwork([]) });
  const { body } = await test_app.call(owner, 'domain_list', 'details', { id });
  expect(body).toMatchObject({ certificate_state: 'none', certificate: { address: '', error: 'address_not_allowed' } });
  expect((await rows()).map((row) => row.certificate_state)).toEqual(['none', 'none']);
});

test('what an inside name stands for is told to nobody, whichever kind of address it is', async () => {
  for (const host of ['inside.example.com', 'good.example.com']) await add(host);
  await checkAllDue({ ...options(), network: guardNetwork([]), settings: settings({ visit_addresses: ['203.0.113.7'] }) });
  const shown = [];
  for (const { id } of await rows()) {
    const { records, certificate } = (await test_app.call(owner, 'domain_list', 'details', { id })).body;
    shown.push({ records, certificate });
  }
  expect(shown[0]?.records).toEqual({ a: [], aaaa: [], cname: [], error: 'address_not_allowed' });
  expect(shown[1]).toEqual(shown[0]);
  expect(JSON.stringify(shown)).not.toMatch(/10\.0\.0\.1|127\.0\.0\.1/);
});

test('a port that speaks something else, or nothing, has no certificate and holds nobody up', { tags: 'full' }, async () => {
  const chatty = await listen(createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-nothing\r\n')));
  const silent = await listen(createTcpServer((socket) => socket.on('error', () => {})));
  const { id } = await add('good.example.com');
  for (const port of [chatty, silent]) {
    await test_app.db.execute(sql`UPDATE domain_check SET due_at = now()`);
    await checkAllDue({ ...options(), tlsPort: port });
    const { body } = await test_app.call(owner, 'domain_list', 'details', { id });
    expect(body.certificate_state).toBe('none');
    expect(body.certificate?.error).toMatch(/^[A-Z]/);
  }
});

test('hosts for trying out are asked of nobody', async () => {
  const administrator = await test_app.makeUser('administrator');
  for (const host of ['localhost:3001', 'my.localhost', '127.0.0.1:8080']) {
    await test_app.call(administrator, 'domain_list', 'add', { host, type: 1 });
  }
  const asked = dns.questions.length;
  await checkAllDue({ ...options(), settings: settings({ visit_addresses: ['203.0.113.7'] }) });
  expect(dns.questions.slice(asked).filter((question) => question.includes('localhost') || question.includes('127.'))).toEqual([]);
  const { body } = await test_app.call(administrator, 'domain_list', 'inquire', {});
  expect(Object.fromEntries(body.content.map(({ host, dns_state }) => [host, dns_state]))).toEqual({
    'localhost:3001': 'here',
    'my.localhost': 'here',
    '127.0.0.1:8080': 'elsewhere',
  });
});

test('a domain is due when it is added and renamed, then after its time; several workers share the work', async () => {
  const { id } = await add('both.example.com');
  for (let number = 0; number < 30; number++) await add(`n${number}.example.com`);
  const checked = await Promise.all([checkAllDue(options()), checkAllDue(options()), checkAllDue(options())]);
  expect(checked.reduce((sum, one) => sum + one, 0)).toBe(31);
  expect(await checkAllDue(options())).toBe(0);
  const { rows: due } = await test_app.db.execute<{ minutes: number }>(
    sql`SELECT extract(epoch FROM due_at - now())::float8 / 60 AS minutes FROM domain_check WHERE domain_id = ${id}`,
  );
  expect(due[0]?.minutes).toBeGreaterThan(360 * 0.94);
  expect(due[0]?.minutes).toBeLessThan(360 * 1.06);

  await test_app.call(owner, 'domain_list', 'update', { id, host: 'elsewhere.example.com' });
  expect((await rows()).find((row) => row.id === id)).toMatchObject({ dns_state: null, checked_at: null });
  expect(await checkAllDue(options())).toBe(1);
  expect((await rows()).find((row) => row.id === id)?.dns_state).toBe('elsewhere');
});

test('what a worker that stops has not checked is due again at once', async () => {
  await add('both.example.com');
  await add('elsewhere.example.com');
  const due = await claimDue(test_app.db);
  expect(due?.domains).toHaveLength(2);
  if (!due) return;
  expect(await claimDue(test_app.db)).toBeUndefined();
  await checkDue({ ...due, domains: due.domains.slice(0, 1) }, options());
  await releaseDue(test_app.db, due);
  expect((await claimDue(test_app.db))?.domains.map(({ host }) => host)).toEqual(due.domains.slice(1).map(({ host }) => host));
});

test('what was found of a former name is not said of the new one', async () => {
  const { id } = await add('silent.example.com');
  const held = checkThese([id], { ...options(), onChecked: () => {} });
  await expect.poll(() => dns.questions).toContain('A silent.example.com');
  await test_app.db.execute(sql`UPDATE domain SET host = 'empty.example.com' WHERE id = ${id}`);
  await held;
  expect((await rows())[0]?.dns_state).toBeNull();
});

test('checks tell redirect processes nothing: the visit path is not asked to read its domains again', async () => {
  await add('both.example.com');
  const changes = () => test_app.db.$count(sql`visit_change`);
  const before = await changes();
  await checkAllDue(options());
  expect(await changes()).toBe(before);
});

test('a worker checks a domain the moment it is added, and when it is asked for', async () => {
  await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('dns_servers', ${JSON.stringify([dns.address])}::jsonb)`);
  const { pool, url } = test_app;
  const worker = startOnBus(url, (bus) => startDomainChecks({ pool, bus, network: guardNetwork([]), log: console }));
  const checkedAt = async (id: number) => (await test_app.call(owner, 'domain_list', 'details', { id })).body.checked_at;
  try {
    const { id } = await add('both.example.com');
    await expect.poll(() => checkedAt(id)).not.toBeNull();
    const first = await checkedAt(id);
    expect((await test_app.call(owner, 'domain_list', 'check', { ids: [id] })).body).toEqual({ affected: 1, operation_id: null });
    await expect.poll(() => checkedAt(id)).not.toBe(first);
  } finally {
    await worker.stop();
    await test_app.db.execute(sql`DELETE FROM setting WHERE key = 'dns_servers'`);
  }
});

test('a check that the database failed under is made again soon, not when its lease is over', async () => {
  const { pool, url, db } = test_app;
  await db.execute(sql`CREATE FUNCTION refuse_checks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.checked_at IS DISTINCT FROM OLD.checked_at THEN RAISE EXCEPTION 'no room'; END IF; RETURN NEW; END $$`);
  await db.execute(sql`CREATE TRIGGER refuse_checks BEFORE UPDATE ON domain_check FOR EACH ROW EXECUTE FUNCTION refuse_checks()`);
  const failures: unknown[] = [];
  const log = { ...console, error: (details: unknown) => failures.push(details) };
  const worker = startOnBus(url, (bus) => startDomainChecks({ pool, bus, network: guardNetwork([]), log }));
  try {
    const { id } = await add('empty.example.com');
    await expect.poll(() => failures).toEqual([{ work: 'domain checks', error: expect.stringContaining('Failed query') }]);
    const { rows } = await db.execute(sql`SELECT due_at BETWEEN now() AND now() + interval '30 seconds' AS soon
      FROM domain_check WHERE domain_id = ${id}`);
    expect(rows).toEqual([{ soon: true }]);
  } finally {
    await worker.stop();
    await db.execute(sql`DROP FUNCTION refuse_checks CASCADE`);
  }
});

test('"check now" of many becomes an operation; of foreign ones nothing', async () => {
  const lines = Array.from({ length: 25 }, (_, number) => `many${number}.example.com`);
  await test_app.call(owner, 'domain_list', 'add_many', { lines, type: 2 });
  const { body } = await test_app.call(owner, 'domain_list', 'check', {});
  expect(body).toEqual({ affected: 25, operation_id: expect.any(Number) });
  const stranger = await test_app.makeUser('customer');
  const ids = (await rows()).map(({ id }) => id);
  expect((await test_app.call(stranger, 'domain_list', 'check', { ids })).body).toEqual({ affected: 0, operation_id: null });
});
