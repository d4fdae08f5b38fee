import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

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

const add = async (as: TestUser) =>
  (await test_app.call(as, 'qr_code_list', 'add', { name: 'code', targets: [{ kind: 'text', content: 'x' }] })).body.id;
/** Without their targets, at once. */
async function insertCodes(owner: TestUser, count: number): Promise<number[]> {
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO live_code (file_name, owner_id, name) SELECT 'many-' || ${owner.id} || '-' || n, ${owner.id}, 'many' FROM generate_series(1, ${sql.param(count)}::integer) AS n RETURNING id`);
  return rows.map(({ id }) => id);
}
const read = async (id: number) => (await test_app.call(administrator, 'qr_code_list', 'details', { id })).body;

test('5,000 codes are changed at once, each with a new version, and told to the visit processes', { tags: 'full' }, async () => {
  const user = await test_app.makeUser('customer');
  const ids = await insertCodes(user, 5000);
  await test_app.db.execute(sql`DELETE FROM visit_change`);
  const { status, body } = await test_app.call(user, 'qr_code_list', 'batch_update', { ids, changes: { open: false, remark: 'batch' } });
  expect([status, body]).toMatchObject([200, { affected: 5000 }]);
  const changed = await test_app.db.execute(
    sql`SELECT count(*)::int AS count FROM live_code WHERE owner_id = ${user.id} AND NOT open AND remark = 'batch' AND version = 2`,
  );
  const told = await test_app.db.execute(sql`SELECT count(DISTINCT key)::int AS count FROM visit_change WHERE kind = 'code'`);
  expect([changed.rows, told.rows]).toEqual([[{ count: 5000 }], [{ count: 5000 }]]);
  expect((await test_app.call(user, 'qr_code_list', 'update_open', { ids: [...ids, 1], open: true })).status).toBe(400);
});

test('batches that cross each other end, and each row has one of their values', async () => {
  const user = await test_app.makeUser('customer');
  const ids = await insertCodes(user, 40);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      test_app.call(user, 'qr_code_list', 'update_open', { ids: index % 2 ? ids : [...ids].reverse(), open: index % 2 === 0 }),
    ),
  );
  expect(answers.map(({ body }) => body.affected)).toEqual(Array.from({ length: 8 }, () => 40));
});

test('an id of somebody else counts for nothing and changes nothing', async () => {
  const [own, foreign] = [await add(owner), await add(stranger)];
  const ids = [own, foreign, 987_654_321];
  expect((await test_app.call(owner, 'qr_code_list', 'batch_update', { ids, changes: { name: 'x' } as never })).status).toBe(400);
  for (const { body } of [
    await test_app.call(owner, 'qr_code_list', 'batch_update', { ids, changes: { jump_type: 3 } }),
    await test_app.call(owner, 'qr_code_list', 'update_open', { ids, open: false }),
    await test_app.call(owner, 'qr_code_list', 'update_open_log', { ids, open_log: false }),
    await test_app.call(owner, 'qr_code_list', 'update_restriction_visit', { ids, restriction_visit: 2 }),
    await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids, entry_domain_id: null }),
  ])
    expect(body).toMatchObject({ affected: 1 });
  expect(await read(own)).toMatchObject({ jump_type: 3, open: false, open_log: false, restriction_visit: 2, entry_domain_id: null });
  expect(await read(foreign)).toMatchObject({ jump_type: 1, open: true, open_log: true, restriction_visit: 1, version: 1 });
  expect((await test_app.call(agent, 'qr_code_list', 'update_open', { ids: [own], open: true })).body).toMatchObject({ affected: 0 });
  expect((await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [foreign], removed: true })).body).toMatchObject({
    affected: 0,
  });
  expect((await test_app.call(administrator, 'qr_code_list', 'update_open', { ids, open: true })).body).toMatchObject({ affected: 2 });
});

test('a batch that changes nothing, or sends visitors astray, is refused', async () => {
  const ids = [await add(owner)];
  expect((await test_app.call(owner, 'qr_code_list', 'batch_update', { ids, changes: {} })).body.fields).toEqual({ changes: 'required' });
  expect(
    (await test_app.call(owner, 'qr_code_list', 'batch_update', { ids, changes: { fallback_url: 'javascript:x' } })).body.fields,
  ).toEqual({
    'changes.fallback_url': 'invalid_scheme',
  });
  expect((await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids })).status).toBe(400);
  expect((await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [], open: true })).status).toBe(400);
});

test("a domain goes on codes of its holder only; the platform's on anybody's", async () => {
  const held = (await test_app.call(owner, 'domain_list', 'add', { host: 'held.batch.example.com', type: 1 })).body.id;
  const pool = (await test_app.call(administrator, 'domain_list', 'add', { host: 'pool.batch.example.com', type: 1, holder_id: null })).body
    .id;
  const ids = [await add(owner), await add(stranger)];
  const change = (as: TestUser, entry_domain_id: number) =>
    test_app.call(as, 'qr_code_list', 'change_domain_name', { ids, entry_domain_id });
  expect((await change(stranger, held)).body.fields).toEqual({ entry_domain_id: 'unknown_domain' });
  expect((await change(administrator, held)).body.fields).toEqual({ entry_domain_id: 'unknown_domain' });
  expect((await change(owner, held)).body).toMatchObject({ affected: 1 });
  expect((await change(administrator, pool)).body).toMatchObject({ affected: 2 });
  expect((await read(ids[1] ?? 0)).entry_host).toBe('pool.batch.example.com');
});

test('removing twice removes once; a removed code is out of every other batch', async () => {
  const ids = [await add(owner), await add(owner)];
  const remove = (removed: boolean) => test_app.call(owner, 'qr_code_list', 'update_remove', { ids, removed });
  const answers = await Promise.all([remove(true), remove(true)]);
  expect(answers.map(({ body }) => body.affected).sort()).toEqual([0, 2]);
  expect((await test_app.call(owner, 'qr_code_list', 'update_open', { ids, open: false })).body).toMatchObject({ affected: 0 });
  expect((await remove(false)).body).toMatchObject({ affected: 2 });
  expect(await read(ids[0] ?? 0)).toMatchObject({ removed: false, open: true });
});

test('the audit row of a batch names what each changed code had before', async () => {
  const [changed, same] = [await add(owner), await add(owner)];
  await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [same], open: false });
  await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [changed, same], open: false });
  const { rows } = await test_app.db.execute<{ changes: object }>(
    sql`SELECT changes FROM log WHERE type = 'qr_code_list/update_open' AND user_id = ${owner.id} ORDER BY id DESC LIMIT 1`,
  );
  expect(rows[0]?.changes).toEqual({ before: [{ id: changed, open: true }], after: { open: false } });
  expect((await read(same)).version).toBe(2);
});
