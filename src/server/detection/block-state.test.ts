import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

const now = new Date('2026-03-11T04:30:00Z');
const fell = '2026-03-11T04:00:00.000Z';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('administrator');
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
});
afterAll(() => test_app.close());

/** A domain that checks know, and that looks blocked; `holder` null is the pool. */
async function addDomain(host: string, holder: TestUser | null): Promise<{ id: number; monitor_id: number }> {
  const { body } = await test_app.call(administrator, 'domain_list', 'add', { host, type: 1, holder_id: holder?.id ?? null });
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    UPDATE domain_monitor SET block_status = 1, status_since = ${fell}::timestamptz - interval '1 day', suspected_since = ${fell}
    WHERE domain_id = ${body.id} RETURNING id::float8 AS id`);
  await test_app.db.execute(sql`UPDATE domain SET block_status = 1 WHERE id = ${body.id}`);
  return { id: body.id, monitor_id: rows[0]?.id ?? 0 };
}
const listed = async (as: TestUser, host: string) => (await test_app.call(as, 'domain_list', 'inquire', { host })).body.content[0];

test('lists of domains say since when one is as it is and looks blocked, and lead its holder to the checks', async () => {
  const { id, monitor_id } = await addDomain('suspected.example.com', owner);
  const state = { block_status: 1, block_since: '2026-03-10T04:00:00.000Z', suspected_since: fell, monitor_id };
  for (const user of [owner, administrator]) expect(await listed(user, 'suspected.example.com')).toMatchObject(state);
  expect((await test_app.call(owner, 'domain_list', 'details', { id })).body).toMatchObject(state);
  const { body: options } = await test_app.call(owner, 'domain_list', 'options', { type: 1 });
  expect(options.content.find((option) => option.id === id)).toMatchObject({ block_status: 1, suspected_since: fell });
  const { body: found } = await test_app.call(owner, 'command', 'search', { text: 'suspected.example.com' });
  expect(found.domains[0]).toMatchObject(state);
  const { body: queried } = await test_app.call(owner, 'batche_query', 'inquire', { lines: ['suspected.example.com'] });
  expect(queried.content[0]).toMatchObject(state);
  expect((await test_app.call(owner, 'domain_monitor', 'details', { id: monitor_id })).status).toBe(200);
});

test('a list of domains shows those alone that are suspected, or the others; a blocked one is suspected no more', async () => {
  await addDomain('filtered-suspect.example.com', owner);
  const confirmed = await addDomain('filtered-blocked.example.com', owner);
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${confirmed.id}`);
  const hosts = async (suspected: boolean) =>
    (await test_app.call(owner, 'domain_list', 'inquire', { host: 'filtered-', suspected })).body.content.map(({ host }) => host);
  expect(await hosts(true)).toEqual(['filtered-suspect.example.com']);
  expect(await hosts(false)).toEqual(['filtered-blocked.example.com']);
});

test('an agent sees that a domain of his customer looks blocked, and is not led to checks that he may not look at', async () => {
  const { monitor_id } = await addDomain('customers.example.com', owner);
  expect(await listed(agent, 'customers.example.com')).toMatchObject({ suspected_since: fell, monitor_id: null });
  expect((await test_app.call(agent, 'domain_monitor', 'details', { id: monitor_id })).status).toBe(404);
});

test('a code shows the state of its domains; the checks of the pool are administrators’ to look at', async () => {
  const { id, monitor_id } = await addDomain('pool.example.com', null);
  const { body: code } = await test_app.call(owner, 'qr_code_list', 'add', {
    name: 'on the pool',
    entry_domain_id: id,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
  const domainOf = async (as: TestUser) => (await test_app.call(as, 'qr_code_list', 'details', { id: code.id })).body.domains[0];
  expect(await domainOf(owner)).toMatchObject({ suspected_since: fell, monitor_id: null });
  expect(await domainOf(administrator)).toMatchObject({ suspected_since: fell, monitor_id });
  const { body: codes } = await test_app.call(owner, 'qr_code_list', 'inquire', {});
  expect(codes.content.find((row) => row.id === code.id)).toMatchObject({ entry_suspected_since: fell, landing_suspected_since: null });
});
