import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardNetwork } from '../kit/network/guarded-network.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { codeOf, outside, watchedOutside } from '../kit/testing/outside.ts';
import { beat } from './heartbeat.ts';

const world = watchedOutside();
const network = guardNetwork([`${outside}/32`]);
let test_app: TestApp;
let chief: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  chief = await test_app.makeUser('super');
  // No worker runs: what the first start leaves to be checked waits since the run began.
  for (const table of ['domain_check', 'domain_monitor'])
    await test_app.db.execute(sql`UPDATE ${sql.identifier(table)} SET due_at = now() + interval '1 day'`);
});
afterAll(() => test_app.close());

const address = (path: string) => `http://${outside}:${world.port}${path}`;

test('an outside monitor hears that all is well, and what is wrong when it is', async () => {
  const bodies: string[] = [];
  world.answer = (request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    request.on('end', () => response.end('ok'));
  };
  expect(await beat(test_app.db, network, '')).toBeUndefined();
  expect(await beat(test_app.db, network, address('/push?status={status}&msg={message}'))).toMatchObject({ status: 'up', wrong: [] });
  await test_app.db.execute(sql`
    INSERT INTO recurring_job (name, every_minutes, next_at, ran_at, error) VALUES ('ledger.verify', 1, now() + interval '1 hour', now(), 'Error: no')
    ON CONFLICT (name) DO UPDATE SET ran_at = excluded.ran_at, error = excluded.error`);
  await test_app.db.execute(sql`UPDATE domain_check SET due_at = now() - interval '299 seconds'`);
  await beat(test_app.db, network, address('/push?status={status}&msg={message}'));
  expect(world.seen.map(({ url }) => url)).toEqual([
    '/push?status=up&msg=OK',
    expect.stringMatching(/status=down&msg=domain_checks%3A%201%20waiting%2C%20\d+%20s%20late%3B%20ledger.verify%20failed$/),
  ]);
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({
    status: 'down',
    unloaded: 0,
    wrong: [expect.stringContaining('domain_checks'), 'ledger.verify failed'],
  });
});

test('an address that refuses is a failed job, which the monitor shows', async () => {
  world.answer = (_request, response) => response.writeHead(404).end();
  expect(await codeOf(beat(test_app.db, network, address('/gone')))).toBe('outgoing.failed');
});

test('the address is set by super administrators, and is one', async () => {
  const set = (heartbeat_url: string, as = chief) => test_app.call(as, 'configuration', 'update', { values: { heartbeat_url } });
  expect((await set('https://monitor.example/{status}?{message}')).status).toBe(200);
  expect((await set('not an address')).body).toMatchObject({ fields: { 'values.heartbeat_url': 'invalid_url' } });
  expect((await set('', await test_app.makeUser('administrator'))).status).not.toBe(200);
});
