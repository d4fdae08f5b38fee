import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { packCounts } from '../../visits/maintenance/packing.ts';

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

const addCode = async (as: TestUser, input: object = {}) =>
  (await test_app.call(as, 'qr_code_list', 'add', { name: 'code', targets: [{ kind: 'text', content: 'x' }], ...input })).body;
const addGroup = async (as: TestUser, name: string, input: object = {}) =>
  (await test_app.call(as, 'group', 'add', { name, ...input })).body;
const details = async (as: TestUser, id: number) => (await test_app.call(as, 'qr_code_list', 'details', { id })).body;

test('groups are listed in their order with their codes in use and the visits of these', async () => {
  const user = await test_app.makeUser('customer');
  const [first, second] = [await addGroup(user, '甲', { color: '#AABBCC', sort: 1 }), await addGroup(user, '乙', { sort: 2 })];
  expect(first).toMatchObject({ color: '#aabbcc', owner_id: user.id, owner_account: user.account, code_count: 0, view_number: 0 });
  const codes = [await addCode(user, { group_id: first.id }), await addCode(user, { group_id: first.id }), await addCode(user)];
  const removed = await addCode(user, { group_id: first.id });
  await test_app.call(user, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
  for (const { id } of codes) await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${id}, 10, 5)`);
  await test_app.db.execute(sql`UPDATE live_code SET visible_from = '2026-03-02T00:00:00Z' WHERE id = ${codes[1]?.id}`);
  await test_app.db.execute(sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES
    (${codes[1]?.id}, '2026-03-01T10:00:00Z', 0, 7, 1, 1), (${codes[1]?.id}, '2026-03-02T10:00:00Z', 0, 3, 1, 1)`);
  const inquire = async (input: object) => (await test_app.call(user, 'group', 'inquire', input)).body;
  for (const isPacked of [false, true]) {
    if (isPacked) await packCounts(test_app.pool, { now: new Date('2026-05-01T00:00:00Z') });
    expect((await inquire({ sort: 'sort', order: 'desc' })).content).toMatchObject([
      { name: '乙', code_count: 0 },
      { name: '甲', code_count: 2, view_number: 13 },
    ]);
  }
  expect((await inquire({ sort: 'view_number', order: 'desc', search: '甲' })).content.map(({ id }) => id)).toEqual([first.id]);
  expect((await test_app.call(user, 'group', 'update_sort', { ids: [first.id, second.id, 999_999] })).body).toEqual({ affected: 2 });
  const offered = await test_app.call(user, 'group', 'options', {});
  expect(offered.body.content.map(({ name }) => name)).toEqual(['甲', '乙']);
});

test('a name is unique for its owner, whoever asks at once', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => test_app.call(owner, 'group', 'add', { name: '同名' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  expect((await test_app.call(stranger, 'group', 'add', { name: '同名' })).status).toBe(200);
  const other = await addGroup(owner, '另一个');
  expect((await test_app.call(owner, 'group', 'update', { id: other.id, name: '同名' })).body.fields).toEqual({ name: 'taken' });
  expect((await test_app.call(owner, 'group', 'add', { name: ' ', color: 'red' })).status).toBe(400);
  const twice = [1, 2].map(() => test_app.call(administrator, 'internal_code_grouping', 'add', { name: '内部同名' }));
  expect((await Promise.all(twice)).map(({ status }) => status).sort()).toEqual([200, 400]);
});

test("codes go into groups of their owner only, and 'none' finds those without", async () => {
  const user = await test_app.makeUser('customer');
  const [own, foreign] = [await addGroup(user, 'own'), await addGroup(stranger, 'foreign')];
  const codes = [await addCode(user), await addCode(user)];
  const ids = codes.map(({ id }) => id);
  const unknown = { group_id: 'unknown_group' };
  expect((await test_app.call(user, 'group', 'move', { ids, group_id: foreign.id })).body.fields).toEqual(unknown);
  expect((await test_app.call(administrator, 'qr_code_list', 'update', { id: ids[0] ?? 0, group_id: foreign.id })).body.fields).toEqual(
    unknown,
  );
  expect(
    (await test_app.send(user, 'qr_code_list/add', { name: 'x', targets: [{ kind: 'text', content: 'x' }], group_id: foreign.id })).body
      .fields,
  ).toEqual(unknown);
  expect((await test_app.call(stranger, 'group', 'move', { ids, group_id: foreign.id })).body.affected).toBe(0);
  expect((await test_app.call(user, 'group', 'move', { ids: [ids[0] ?? 0], group_id: own.id })).body.affected).toBe(1);
  expect(await details(user, ids[0] ?? 0)).toMatchObject({ group_id: own.id, group: { id: own.id, name: 'own', color: '#0f766e' } });
  const found = async (group_id: number) =>
    (await test_app.call(user, 'qr_code_list', 'inquire', { group_id, sort: 'id' })).body.content.map(({ id }) => id);
  expect([await found(own.id), await found(0), await found(foreign.id)]).toEqual([[ids[0]], [ids[1]], []]);
  const versions = await test_app.call(user, 'qr_code_list', 'versions', { id: ids[0] ?? 0 });
  expect(versions.body.content[0]).toMatchObject({ action: 'grouped', changes: [{ field: 'group_id', after_name: 'own' }] });
});

test('a removed group leaves its codes without one, which can be undone by versions', async () => {
  const made = await addGroup(owner, 'to remove');
  const code = await addCode(owner, { group_id: made.id });
  expect((await test_app.call(stranger, 'group', 'remove', { ids: [made.id] })).body.affected).toBe(0);
  expect((await test_app.call(agent, 'group', 'remove', { ids: [made.id] })).body.affected).toBe(0);
  expect((await test_app.call(owner, 'group', 'remove', { ids: [made.id] })).body.affected).toBe(1);
  expect(await details(owner, code.id)).toMatchObject({ group_id: null, group: null, removed: false });
  const { body } = await test_app.call(owner, 'qr_code_list', 'versions', { id: code.id });
  expect(body.content[0]).toMatchObject({ action: 'grouped', changes: [{ field: 'group_id', before_name: 'to remove', after: null }] });
});

test("an agent sees his customers' groups and changes none", async () => {
  const made = await addGroup(owner, 'seen by the agent');
  const { body } = await test_app.call(agent, 'group', 'inquire', { search: 'seen by' });
  expect(body.content.map(({ id }) => id)).toEqual([made.id]);
  expect((await test_app.call(agent, 'group', 'update', { id: made.id, name: 'x' })).status).toBe(404);
  expect((await test_app.call(stranger, 'group', 'inquire', { search: 'seen by' })).body.total).toBe(0);
});

test("the administrators' grouping is over all users' codes, and nobody else is told of it", async () => {
  const internal = (await test_app.call(administrator, 'internal_code_grouping', 'add', { name: 'risky' })).body;
  expect(internal).toMatchObject({ owner_id: null, owner_account: null });
  const codes = [await addCode(owner), await addCode(stranger)];
  const ids = codes.map(({ id }) => id);
  const moved = await test_app.call(administrator, 'internal_code_grouping', 'move', { ids, group_id: internal.id });
  expect(moved.body).toEqual({ affected: 2, change_id: null });
  expect((await details(administrator, ids[0] ?? 0)).internal_group).toMatchObject({ name: 'risky' });
  const found = await test_app.call(administrator, 'qr_code_list', 'user_inquire', { internal_group_id: internal.id, sort: 'id' });
  expect(found.body.content.map(({ id }) => id).sort()).toEqual(ids);
  const told = [
    await details(owner, ids[0] ?? 0),
    (await test_app.call(owner, 'qr_code_list', 'inquire', {})).body,
    (await test_app.call(owner, 'qr_code_list', 'versions', { id: ids[0] ?? 0 })).body,
    (await test_app.call(owner, 'group', 'options', {})).body,
    (await test_app.call(owner, 'group', 'inquire', {})).body,
  ];
  expect(JSON.stringify(told)).not.toMatch(/internal|risky/);
  expect((await test_app.send(owner, 'qr_code_list/inquire', { internal_group_id: internal.id })).status).toBe(400);
  expect((await test_app.send(owner, 'qr_code_list/update', { id: ids[0], internal_group_id: internal.id })).status).toBe(400);
  expect((await test_app.call(owner, 'qr_code_list', 'update', { id: ids[0] ?? 0, group_id: internal.id })).status).toBe(400);
  for (const action of ['inquire', 'options', 'add', 'move', 'remove'])
    expect(
      (await test_app.send(owner, `internal_code_grouping/${action}`, { ids, name: 'x', group_id: null })).status,
    ).toBeGreaterThanOrEqual(400);
  // A role that was given the node by mistake changes nothing about it.
  await test_app.db.execute(sql`INSERT INTO role_node (role_id, node_id) SELECT user_account.role_id, permission_node.id FROM user_account, permission_node
    WHERE user_account.id = ${owner.id} AND permission_node.key LIKE 'internal_code_grouping%'`);
  expect((await test_app.call(owner, 'internal_code_grouping', 'inquire', {})).status).toBe(403);
  expect((await test_app.call(owner, 'internal_code_grouping', 'move', { ids, group_id: null })).status).toBe(403);
  expect((await test_app.call(administrator, 'internal_code_grouping', 'remove', { ids: [internal.id] })).body.affected).toBe(1);
  expect((await details(administrator, ids[0] ?? 0)).internal_group).toBeNull();
});
