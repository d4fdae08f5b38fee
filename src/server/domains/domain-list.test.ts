import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  stranger = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

let made = 0;
const newHost = () => `host-${++made}.example.com`;
const add = (as: TestUser, input: { host?: string; type?: 1 | 2 | 3; holder_id?: number | null; enabled?: boolean } = {}) =>
  test_app.call(as, 'domain_list', 'add', { host: newHost(), type: 1, ...input });
const addCode = (as: TestUser, entry_domain_id: number | null, landing_domain_id: number | null = null) =>
  test_app.call(as, 'qr_code_list', 'add', {
    name: 'code',
    entry_domain_id,
    landing_domain_id,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
const hostsOf = async (as: TestUser, filters = {}) =>
  (await test_app.call(as, 'domain_list', 'inquire', { page_size: 200, ...filters })).body.content.map(({ host }) => host);

test('a domain is registered in its canonical form, for the caller, and never checked yet', async () => {
  const { status, body } = await add(owner, { host: '*.BÜCHER-laden.example.com', type: 2 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    host: '*.xn--bcher-laden-thb.example.com',
    type: 2,
    holder_id: owner.id,
    holder_account: owner.account,
    enabled: true,
    wildcard: true,
    block_status: null,
    live_code_count: 0,
  });
});

test('the same host cannot be added twice, not even at the same moment or written otherwise', async () => {
  const host = newHost();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => add(index % 2 ? owner : stranger, { host: index % 3 ? host : host.toUpperCase() })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.fields).toEqual({ host: 'taken' });
});

test('customers register no development hosts and no public suffixes; administrators may register the former', async () => {
  expect((await add(owner, { host: 'localhost:4000' })).body.fields).toEqual({ host: 'development_host' });
  expect((await add(owner, { host: 'co.uk' })).body.fields).toEqual({ host: 'public_suffix' });
  expect((await add(owner, { host: 'nowhere' })).body.fields).toEqual({ host: 'invalid_host' });
  expect((await add(administrator, { host: 'localhost:4000' })).status).toBe(200);
});

test("a host below another's wildcard is his; its holder and administrators may hand it out", async () => {
  await add(owner, { host: '*.shop.example.com' });
  expect((await add(stranger, { host: 'a.shop.example.com' })).body.fields).toEqual({ host: 'taken' });
  expect((await add(stranger, { host: '*.a.shop.example.com' })).body.fields).toEqual({ host: 'taken' });
  expect((await add(owner, { host: 'a.shop.example.com' })).status).toBe(200);
  expect((await add(administrator, { host: 'b.shop.example.com', holder_id: stranger.id })).status).toBe(200);
});

test('only whoever may assign gives a domain to another or to the platform', async () => {
  expect((await add(owner, { holder_id: stranger.id })).status).toBe(403);
  expect((await add(owner, { holder_id: null })).status).toBe(403);
  expect((await add(owner, { holder_id: owner.id })).status).toBe(200);
  expect((await add(administrator, { holder_id: 987_654_321 })).body.fields).toEqual({ holder_id: 'unknown_user' });
  const own = (await add(owner)).body;
  expect((await test_app.call(owner, 'domain_list', 'update', { id: own.id, holder_id: stranger.id })).status).toBe(403);
  expect((await test_app.call(owner, 'domain_list', 'update', { id: own.id, holder_id: owner.id, remark: 'mine' })).body.remark).toBe(
    'mine',
  );
  const given = await test_app.call(administrator, 'domain_list', 'update', { id: own.id, holder_id: stranger.id });
  expect(given.body.holder_account).toBe(stranger.account);
  expect(await hostsOf(owner)).not.toContain(own.host);
  expect(await hostsOf(stranger)).toContain(own.host);
});

test("nobody sees or changes a stranger's domain; an agent sees his customers' and changes none", async () => {
  const { id, host } = (await add(owner)).body;
  expect(await hostsOf(stranger)).not.toContain(host);
  expect(await hostsOf(agent)).toContain(host);
  expect(await hostsOf(administrator)).toContain(host);
  for (const other of [stranger, agent]) {
    expect((await test_app.call(other, 'domain_list', 'update', { id, remark: 'hijacked' })).status).toBe(404);
    expect((await test_app.call(other, 'domain_list', 'update_enabled', { ids: [id], enabled: false })).body).toEqual({ affected: 0 });
    expect((await test_app.call(other, 'domain_list', 'remove', { ids: [id] })).body).toEqual({ affected: 0 });
  }
  const { rows } = await test_app.db.execute(sql`SELECT enabled, remark FROM domain WHERE id = ${id}`);
  expect(rows).toEqual([{ enabled: true, remark: '' }]);
});

test('a domain on codes is not removed and keeps its type, those in the recycle bin counted apart', async () => {
  const { id, host } = (await add(owner)).body;
  const code = (await addCode(owner, id)).body;
  const inUse = { status: 409, body: { code: 'domain.in_use' } };
  expect(await test_app.call(owner, 'domain_list', 'remove', { ids: [id] })).toMatchObject(inUse);
  expect(await test_app.call(owner, 'domain_list', 'update', { id, type: 2 })).toMatchObject(inUse);
  expect((await test_app.call(owner, 'domain_list', 'inquire', { host })).body.content[0]?.live_code_count).toBe(1);

  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [code.id], removed: true });
  const { body } = await test_app.send(owner, 'domain_list/remove', { ids: [id] }, { 'accept-language': 'en-US' });
  expect(body.message).toContain(`${host} is used by 1 live code (1 in the recycle bin)`);
  expect((await test_app.call(owner, 'domain_list', 'inquire', { host })).body.content[0]?.live_code_count).toBe(0);

  await test_app.call(owner, 'qr_code_list', 'remove', { id: code.id, name: code.name });
  expect((await test_app.call(owner, 'domain_list', 'update', { id, type: 2 })).body.type).toBe(2);
  expect((await test_app.call(owner, 'domain_list', 'remove', { ids: [id] })).body).toEqual({ affected: 1 });
});

test('a domain cannot be taken from under the codes that use it by giving it to somebody else', async () => {
  const { id } = (await add(owner)).body;
  await addCode(owner, id);
  const given = await test_app.call(administrator, 'domain_list', 'update', { id, holder_id: stranger.id });
  expect([given.status, given.body.code]).toEqual([409, 'domain.in_use']);
  expect((await test_app.call(administrator, 'domain_list', 'update', { id, holder_id: null })).status).toBe(200);
});

test('codes made while a domain is removed or changes its type either keep it or are refused', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = (await add(owner)).body;
    const change =
      round % 2
        ? test_app.call(owner, 'domain_list', 'remove', { ids: [id] })
        : test_app.call(owner, 'domain_list', 'update', { id, type: 2 });
    const answers = await Promise.all([addCode(owner, id), addCode(owner, id), change, addCode(owner, id)]);
    for (const { status } of answers) expect([200, 400, 409]).toContain(status);
    const { rows } = await test_app.db.execute<{ wrong: number }>(
      sql`SELECT count(*)::int AS wrong FROM live_code JOIN domain ON domain.id = entry_domain_id WHERE domain.type <> 1`,
    );
    expect(rows).toEqual([{ wrong: 0 }]);
  }
});

test('switching many on and off counts the own ones, and leaves an audit row that names them', async () => {
  const ids = [(await add(owner)).body.id, (await add(owner)).body.id, (await add(stranger)).body.id];
  const { body } = await test_app.call(owner, 'domain_list', 'update_enabled', { ids, enabled: false });
  expect(body).toEqual({ affected: 2 });
  const { rows } = await test_app.db.execute<{ changes: { before: { id: number }[] } }>(
    sql`SELECT changes FROM log WHERE type = 'domain_list/update_enabled' AND user_id = ${owner.id} ORDER BY id DESC LIMIT 1`,
  );
  expect(rows[0]?.changes.before.map(({ id }) => id)).toEqual(ids.slice(0, 2));
});

test('a code is offered the own and the platform domains that are on, healthy ones first', async () => {
  const buyer = await test_app.makeUser('customer');
  const own = (await add(buyer, { host: newHost() })).body;
  const blocked = (await add(buyer, { host: newHost() })).body;
  const off = (await add(buyer, { enabled: false })).body;
  const landing = (await add(buyer, { type: 2 })).body;
  const foreign = (await add(stranger)).body;
  const pool = (await add(administrator, { holder_id: null })).body;
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${blocked.id}`);

  const offered = async (as: TestUser, input = {}) =>
    (await test_app.call(as, 'domain_list', 'options', input)).body.content.map(({ id }) => id);
  const ids = await offered(buyer, { type: 1 });
  expect(ids[0]).toBe(own.id);
  expect(ids.at(-1)).toBe(blocked.id);
  expect(ids).toContain(pool.id);
  for (const absent of [off, landing, foreign]) expect(ids).not.toContain(absent.id);
  expect(await offered(buyer)).toContain(landing.id);
  expect(await offered(administrator, { type: 1, owner_id: buyer.id })).toEqual(ids);
  expect((await test_app.call(stranger, 'domain_list', 'options', { owner_id: buyer.id })).status).toBe(404);
});

test('filters: type, state, holder, platform pool, and text that stands for itself', async () => {
  const searcher = await test_app.makeUser('customer');
  const plain = (await add(searcher, { host: 'aXb.filter.example.com', type: 3 })).body;
  const off = (await add(searcher, { enabled: false })).body;
  expect(await hostsOf(searcher, { host: 'FILTER.example' })).toEqual([plain.host]);
  expect(await hostsOf(searcher, { host: 'a%b' })).toEqual([]);
  expect(await hostsOf(searcher, { host: 'a_b.filter' })).toEqual([]);
  expect(await hostsOf(searcher, { type: 3 })).toEqual([plain.host]);
  expect(await hostsOf(searcher, { enabled: false })).toEqual([off.host]);
  expect(await hostsOf(searcher, { holder_id: stranger.id })).toEqual([]);
  expect(await hostsOf(searcher, { pool: true })).toEqual([]);
  expect(await hostsOf(administrator, { pool: true })).toContain('localhost:3001');
  expect(await hostsOf(searcher, { sort: 'host', order: 'asc' })).toEqual([plain.host, off.host].sort());
});

test('users are offered to whoever may assign, by a part of the account', async () => {
  const { body } = await test_app.call(administrator, 'user_list', 'options', { search: owner.account.toUpperCase() });
  expect(body.content).toEqual([{ id: owner.id, account: owner.account, name: '' }]);
  expect((await test_app.call(owner, 'user_list', 'options', {})).status).toBe(403);
});
