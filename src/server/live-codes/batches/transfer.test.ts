import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let from: TestUser;
let to: TestUser;
let ownDomain: number;
let poolDomain: number;
let theirDomain: number;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  from = await test_app.makeUser('customer');
  to = await test_app.makeUser('customer');
  const domain = async (as: TestUser, host: string, more: object = {}) =>
    (await test_app.call(as, 'domain_list', 'add', { host, type: 1, ...more })).body.id;
  ownDomain = await domain(from, 'from.example.com');
  poolDomain = await domain(administrator, 'pool.example.com', { holder_id: null });
  theirDomain = await domain(to, 'to.example.com');
});
afterAll(() => test_app.close());

const add = async (input: object = {}) =>
  (
    await test_app.call(from, 'qr_code_list', 'add', {
      name: 'code',
      targets: [{ kind: 'text', content: 'x' }],
      entry_domain_id: null,
      ...input,
    })
  ).body;
const transfer = (as: TestUser, ids: number[], domains: 'refuse' | 'take_off' | 'replace' = 'refuse', owner_id = to.id) =>
  test_app.call(as, 'qr_code_list', 'transfer', { ids, owner_id, domains });
const read = async (id: number) => (await test_app.call(administrator, 'qr_code_list', 'details', { id })).body;

test('a transferred code leaves group, snippets and share password behind, and both owners are told', async () => {
  const group = (await test_app.call(from, 'group', 'add', { name: 'g' })).body;
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO js_config (owner_id, name, provider) VALUES (${from.id}, 'mine', 'code') RETURNING id`,
  );
  const code = await add({ group_id: group.id, password: 'secret-1', js_config_ids: [rows[0]?.id] });
  await test_app.db.execute(sql`DELETE FROM event`);
  const { status, body } = await transfer(administrator, [code.id]);
  expect([status, body]).toMatchObject([200, { affected: 1, lost_domains: 0 }]);
  expect(await read(code.id)).toMatchObject({ owner_id: to.id, group: null, has_password: false, js_config_ids: [] });
  expect((await test_app.call(from, 'qr_code_list', 'details', { id: code.id })).status).toBe(404);
  expect((await test_app.call(to, 'qr_code_list', 'details', { id: code.id })).status).toBe(200);
  const events = await test_app.db.execute(sql`SELECT type, owner_id::int, data ->> 'action' AS action FROM event ORDER BY id`);
  expect(events.rows).toEqual([
    { type: 'code.changed', owner_id: to.id, action: 'transferred' },
    { type: 'code.removed', owner_id: from.id, action: 'transferred' },
  ]);
  const history = (await test_app.call(to, 'qr_code_list', 'versions', { id: code.id })).body;
  expect(history).toMatchObject({ total: 1, content: [{ action: 'transferred', changes: [] }] });
  expect((await transfer(administrator, [code.id])).body.affected).toBe(0);
});

test('short links go with their codes, there and back, and each owner is told what he gets and loses', async () => {
  const code = await add();
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO short_code (owner_id, platform_url, live_code_id) VALUES (${from.id}, 'https://short.example/a', ${code.id}) RETURNING id::float8 AS id`);
  const id = rows[0]?.id;
  const happened = async () => {
    const events = await test_app.db.execute<{ type: string; owner_id: number }>(
      sql`SELECT type, owner_id::float8 AS owner_id FROM event WHERE (data ->> 'id')::bigint IN (${code.id}, ${id}) ORDER BY type, owner_id`,
    );
    await test_app.db.execute(sql`DELETE FROM event`);
    return events.rows.map(({ type, owner_id }) => [type, owner_id === from.id ? 'from' : 'to']);
  };
  const linkOwner = async () =>
    (await test_app.call(administrator, 'short_code', 'inquire', { live_code_id: code.id })).body.content[0]?.owner_id;
  await happened();
  const { change_id } = (await transfer(administrator, [code.id])).body;
  expect(await linkOwner()).toBe(to.id);
  expect(await happened()).toEqual([
    ['code.changed', 'to'],
    ['code.removed', 'from'],
    ['short_code.changed', 'to'],
    ['short_code.removed', 'from'],
  ]);
  await test_app.send(administrator, 'qr_code_list/undo', { change_id });
  expect(await linkOwner()).toBe(from.id);
  expect(await happened()).toEqual([
    ['code.changed', 'from'],
    ['code.removed', 'to'],
    ['short_code.changed', 'from'],
    ['short_code.removed', 'to'],
  ]);
  await test_app.call(from, 'qr_code_list', 'update_remove', { ids: [code.id], removed: true });
  expect(await happened()).toEqual([['code.removed', 'from']]);
  await test_app.call(from, 'qr_code_list', 'remove', { id: code.id, name: 'code' });
  expect(await happened()).toEqual([
    ['code.removed', 'from'],
    ['short_code.removed', 'from'],
  ]);
});

test('of domains that the new owner may not use, the caller says what becomes', async () => {
  const codes = [await add({ entry_domain_id: ownDomain }), await add({ entry_domain_id: poolDomain })];
  const ids = codes.map(({ id }) => id);
  const refused = await transfer(administrator, ids);
  expect([refused.status, refused.body.code]).toEqual([409, 'live_code.foreign_domains']);
  expect(await read(ids[0] ?? 0)).toMatchObject({ owner_id: from.id, version: 1 });
  expect((await transfer(administrator, ids, 'take_off')).body).toMatchObject({ affected: 2, lost_domains: 1 });
  expect([(await read(ids[0] ?? 0)).entry_domain_id, (await read(ids[1] ?? 0)).entry_domain_id]).toEqual([null, poolDomain]);
  const another = await add({ entry_domain_id: ownDomain });
  expect((await transfer(administrator, [another.id], 'replace')).body).toMatchObject({ affected: 1, lost_domains: 1 });
  expect((await read(another.id)).entry_domain_id).toBe(theirDomain);
});

test('a transfer is undone whole by who made it: owner, domain and group', async () => {
  const group = (await test_app.call(from, 'group', 'add', { name: 'undone' })).body;
  const code = await add({ entry_domain_id: ownDomain, group_id: group.id });
  const { change_id } = (await transfer(administrator, [code.id], 'take_off')).body;
  const undone = await test_app.send(administrator, 'qr_code_list/undo', { change_id });
  expect(undone.body).toEqual({ affected: 1, changed_since: 0, left_out: [] });
  expect(await read(code.id)).toMatchObject({ owner_id: from.id, entry_domain_id: ownDomain, group_id: group.id });
});

test('only administrators transfer, to users who exist and are not disabled', async () => {
  const code = await add();
  expect((await transfer(from, [code.id])).status).toBe(403);
  await test_app.db.execute(sql`INSERT INTO role_node (role_id, node_id) SELECT user_account.role_id, permission_node.id FROM user_account, permission_node
    WHERE user_account.id = ${from.id} AND permission_node.key = 'qr_code_list_admin.transfer'`);
  expect((await transfer(from, [code.id])).status).toBe(403);
  expect((await transfer(administrator, [code.id], 'refuse', 987_654_321)).body.fields).toEqual({ owner_id: 'unknown_user' });
  const disabled = await test_app.makeUser('customer');
  await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${disabled.id}`);
  expect((await transfer(administrator, [code.id], 'refuse', disabled.id)).body.fields).toEqual({ owner_id: 'unknown_user' });
  expect((await read(code.id)).owner_id).toBe(from.id);
});
