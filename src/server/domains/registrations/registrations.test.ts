import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { startOnBus } from '../../kit/testing/on-bus.ts';
import { outside, watchedOutside } from '../../kit/testing/outside.ts';
import { askRegistry, claimRegistration, nameRegistrations, startRegistrations } from './registrations.ts';

const ends = '2031-08-13T04:00:00.000Z';
const registry = watchedOutside();
const network = guardNetwork([outside]);

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());
beforeEach(async () => {
  await test_app.db.execute(sql`DELETE FROM domain`);
  await test_app.db.execute(sql`DELETE FROM domain_registration`);
  say(domainOf('example.com', ends));
});

/** An answer as registries give it (RFC 9083). */
const domainOf = (name: string, expiration?: string) => ({
  objectClassName: 'domain',
  rdapConformance: ['rdap_level_0'],
  handle: '2336799_DOMAIN_COM-VRSN',
  ldhName: name.toUpperCase(),
  status: ['client transfer prohibited'],
  events: [
    { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
    { eventAction: 'last update of RDAP database', eventDate: 'yesterday' },
    ...(expiration ? [{ eventAction: 'expiration', eventDate: expiration }] : []),
  ],
});
function say(body: unknown, status = 200) {
  registry.answer = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}
const rdapUrl = () => `http://${outside}:${registry.port}/domain/{domain}`;
const add = async (host: string): Promise<number> => (await test_app.call(owner, 'domain_list', 'add', { host, type: 1 })).body.id;
const details = async (id: number) => (await test_app.call(owner, 'domain_list', 'details', { id })).body;
const makeDue = () => test_app.db.execute(sql`UPDATE domain_registration SET due_at = now()`);
/** As a worker's loop does, until nothing is due. Answers of which names. */
async function askAllDue(rdap_url = rdapUrl()): Promise<string[]> {
  const { db } = test_app;
  await nameRegistrations(db);
  const asked: string[] = [];
  for (let due = await claimRegistration(db); due; due = await claimRegistration(db)) {
    await askRegistry(due, { db, network, rdap_url });
    asked.push(due.name);
  }
  return asked;
}

test('domains below one registered name share one question a day, of however many workers', async () => {
  const ids = [await add('example.com'), await add('a.example.com'), await add('*.b.example.com')];
  await add('shop.example.co.uk');
  const asked = await Promise.all([askAllDue(), askAllDue(), askAllDue()]);
  expect(asked.flat().sort()).toEqual(['example.co.uk', 'example.com']);
  expect(registry.seen.map(({ url }) => url).sort()).toEqual(['/domain/example.co.uk', '/domain/example.com']);
  for (const id of ids) expect(await details(id)).toMatchObject({ registration_expires_at: ends, registration_source: 'rdap' });
  expect(await askAllDue()).toEqual([]);
  const { rows } = await test_app.db.execute<{ hours: number }>(
    sql`SELECT extract(epoch FROM due_at - now())::float8 / 3600 AS hours FROM domain_registration WHERE name = 'example.com'`,
  );
  expect(rows[0]?.hours).toBeGreaterThan(22);
  expect(rows[0]?.hours).toBeLessThan(26);
});

test('hosts for trying out, and names that no domain stands below any more, are asked of nobody', async () => {
  const administrator = await test_app.makeUser('administrator');
  await test_app.call(administrator, 'domain_list', 'add', { host: 'localhost:3001', type: 1 });
  await add('example.com');
  await nameRegistrations(test_app.db);
  await test_app.db.execute(sql`DELETE FROM domain WHERE host = 'example.com'`);
  await askAllDue();
  expect(registry.seen).toEqual([]);
  // Back again, it is asked for at once.
  await add('example.com');
  expect(await askAllDue()).toEqual(['example.com']);
});

test('a registry is followed to where it moved, and never to the inside', async () => {
  const id = await add('example.com');
  registry.answer = (request, response) => {
    if (request.url === '/domain/example.com') response.writeHead(302, { location: '/moved/example.com' }).end();
    else response.end(JSON.stringify(domainOf('example.com', ends)));
  };
  await askAllDue();
  expect((await details(id)).registration_expires_at).toBe(ends);
  await makeDue();
  registry.answer = (_request, response) => void response.writeHead(302, { location: `http://127.0.0.1:${registry.port}/` }).end();
  await askAllDue();
  expect((await details(id)).registration?.fault).toBe('unreachable');
});

test.each([
  ['not_found', { errorCode: 404, title: 'Not Found' }, 404],
  ['no_date', domainOf('example.com'), 200],
  ['no_date', domainOf('example.com', '9999-12-31T00:00:00Z'), 200],
  ['limited', { errorCode: 429 }, 429],
  ['unreachable', 'busy', 503],
  ['unreadable', '<html>', 200],
  ['unreadable', domainOf('else.example', ends), 200],
  ['unreadable', 'x'.repeat(300_000), 200],
] as const)('where the registry says nothing (%s) the expiry that was known stays, with its age', async (fault, body, status) => {
  const id = await add('example.com');
  await askAllDue();
  const before = await details(id);
  expect(before.registration).toMatchObject({ name: 'example.com', fault: null, found_at: expect.any(String) });
  say(body, status);
  await makeDue();
  await askAllDue();
  const after = await details(id);
  expect(after).toMatchObject({ registration_expires_at: ends, registration: { fault, found_at: before.registration?.found_at } });
  expect(after.registration?.asked_at).not.toBe(before.registration?.asked_at);
  const renewed = '2032-08-13T04:00:00.000Z';
  say(domainOf('example.com', renewed));
  await makeDue();
  await askAllDue();
  expect(await details(id)).toMatchObject({ registration_expires_at: renewed, registration: { fault: null } });
});

test('what is typed holds where the registry tells nothing; its answer goes before it, unless it has fallen silent since', async () => {
  const id = await add('example.com');
  const typed = '2030-01-02T00:00:00.000Z';
  const type = (registration_typed: string | null) => test_app.call(owner, 'domain_list', 'update', { id, registration_typed });
  say({}, 404);
  await askAllDue();
  expect(await details(id)).toMatchObject({ registration_expires_at: null, registration_source: null });
  await type(typed);
  expect(await details(id)).toMatchObject({ registration_expires_at: typed, registration_source: 'typed', registration_typed: typed });
  say(domainOf('example.com', ends));
  await makeDue();
  await askAllDue();
  expect(await details(id)).toMatchObject({ registration_expires_at: ends, registration_source: 'rdap', registration_typed: typed });
  say({}, 404);
  await makeDue();
  await askAllDue();
  // Typed before the registry said so: that is later news.
  expect((await details(id)).registration_expires_at).toBe(ends);
  await type('2033-01-02T00:00:00.000Z');
  expect((await details(id)).registration_expires_at).toBe('2033-01-02T00:00:00.000Z');
  await type(null);
  expect(await details(id)).toMatchObject({ registration_expires_at: ends, registration_typed: null });
  const stranger = await test_app.makeUser('customer');
  expect((await test_app.call(stranger, 'domain_list', 'update', { id, registration_typed: typed })).status).toBe(404);
});

test('a renamed domain keeps what was typed below the same registered name only, and has its own registry asked', async () => {
  const id = await add('a.example.com');
  const registration_typed = '2030-01-02T00:00:00.000Z';
  await test_app.call(owner, 'domain_list', 'update', { id, registration_typed });
  await askAllDue();
  await test_app.call(owner, 'domain_list', 'update', { id, host: 'b.example.com' });
  expect((await details(id)).registration_typed).toBe(registration_typed);
  // As the form sends it, with what it was filled with.
  await test_app.call(owner, 'domain_list', 'update', { id, host: 'b.example.net', registration_typed });
  expect(await details(id)).toMatchObject({ registration_typed: null, registration_expires_at: null, registration: null });
  expect(await askAllDue()).toEqual(['example.net']);
});

test('"check now" asks the registry, too, but not again and again', async () => {
  const id = await add('example.com');
  await askAllDue();
  await test_app.call(owner, 'domain_list', 'check', { ids: [id] });
  expect(await askAllDue()).toEqual([]);
  await test_app.db.execute(sql`UPDATE domain_registration SET asked_at = now() - interval '11 minutes'`);
  await test_app.call(owner, 'domain_list', 'check', { ids: [id] });
  expect(await askAllDue()).toEqual(['example.com']);
});

test('a worker asks the moment a domain is added, and nobody where no address is set', async () => {
  const set = (url: string) =>
    test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('rdap_url', ${JSON.stringify(url)}::jsonb)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
  await set('');
  const { pool, url } = test_app;
  const worker = startOnBus(url, (bus) => startRegistrations({ pool, bus, network, log: console }));
  try {
    const first = await add('example.com');
    await eventually(async () => expect((await details(first)).registration?.name).toBe('example.com'));
    expect(registry.seen).toEqual([]);
    await set(rdapUrl());
    await add('a.example.com');
    await eventually(async () => expect((await details(first)).registration_expires_at).toBe(ends));
  } finally {
    await worker.stop();
    await test_app.db.execute(sql`DELETE FROM setting WHERE key = 'rdap_url'`);
  }
});
