import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MenuItem } from '../../contract/people/admin.ts';
import type { RoleNode } from '../../contract/people/role.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { createPeople, type People } from '../users/testing/people.ts';

let test_app: TestApp;
let people: People;
let chief: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  chief = await test_app.makeUser('super');
});
afterAll(() => test_app.close());

let names = 0;
const newName = () => {
  names += 1;
  return `角色 ${names}`;
};
const add = async (kind: 'administrator' | 'agent' | 'customer' = 'customer', as = chief) =>
  (await test_app.call(as, 'role', 'add', { name: newName(), kind })).body;
const tree = async (id: number, as = chief) => (await test_app.call(as, 'role', 'nodes', { id })).body;
const flat = (nodes: readonly RoleNode[]): RoleNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
const paths = (menu: readonly MenuItem[]): string[] => menu.flatMap((item) => [item.path, ...paths(item.children)]).filter(Boolean);
const builtIn = async (kind: string) =>
  (await test_app.db.execute<{ id: number; version: number }>(sql`SELECT id, version FROM role WHERE kind = ${kind} AND built_in`))
    .rows[0] ?? {
    id: 0,
    version: 0,
  };
const nodeId = async (key: string) =>
  (await test_app.db.execute<{ id: number }>(sql`SELECT id FROM permission_node WHERE key = ${key}`)).rows[0]?.id ?? 0;

/** Sets exactly these nodes, by their keys, on the role's present state. */
async function setNodes(id: number, keys: readonly string[], as = chief) {
  const { role } = await tree(id);
  const node_ids = await Promise.all(keys.map(nodeId));
  return test_app.call(as, 'role', 'update_nodes', { id, version: role.version, node_ids });
}
const heldKeys = async (id: number) =>
  flat((await tree(id)).tree)
    .filter((node) => node.held)
    .map((node) => node.key)
    .sort();

describe('a role', () => {
  test('is made without nodes, renamed, copied with its nodes, and removed', async () => {
    const made = await add('agent');
    expect(made).toMatchObject({ kind: 'agent', built_in: false, user_count: 0 });
    expect(await heldKeys(made.id)).toEqual([]);
    await setNodes(made.id, ['domain_list', 'domain_list.add']);
    const renamed = await test_app.call(chief, 'role', 'update', { id: made.id, remark: '备注' });
    expect(renamed.body).toMatchObject({ name: made.name, remark: '备注' });
    const copy = (await test_app.call(chief, 'role', 'copy', { id: made.id, name: newName() })).body;
    expect(await heldKeys(copy.id)).toEqual(['domain_list', 'domain_list.add']);
    expect((await test_app.call(chief, 'role', 'remove', { id: copy.id })).body.affected).toBe(1);
    expect((await test_app.call(chief, 'role', 'nodes', { id: copy.id })).status).toBe(404);
  });

  test('needs a name that no other one has', async () => {
    const { body } = await test_app.send(chief, 'role/add', { name: ' ', kind: 'customer' }, { 'accept-language': 'zh-CN' });
    expect(body.fields).toEqual({ name: 'role_name_required' });
    const one = await add();
    const taken = await test_app.call(chief, 'role', 'add', { name: one.name, kind: 'agent' });
    expect([taken.status, taken.body.fields]).toEqual([400, { name: 'taken' }]);
    const other = await add();
    expect((await test_app.call(chief, 'role', 'update', { id: other.id, name: one.name })).body.fields).toEqual({ name: 'taken' });
  });

  test('that somebody has, or that is built in, is not removed', async () => {
    const { role_id } = await people.makeUserWith('customer', []);
    const used = await test_app.call(chief, 'role', 'remove', { id: role_id });
    expect([used.status, used.body.message]).toEqual([409, '仍有 1 个用户使用此角色，不能删除']);
    const { id } = await builtIn('agent');
    await test_app.db.execute(sql`DELETE FROM user_account WHERE role_id = ${id}`);
    expect((await test_app.call(chief, 'role', 'remove', { id })).body.code).toBe('role.built_in');
  });

  test('of the super administrator never changes', async () => {
    const { id, version } = await builtIn('super');
    const answers = [
      await test_app.call(chief, 'role', 'update', { id, name: 'x' }),
      await test_app.call(chief, 'role', 'update_nodes', { id, version, node_ids: [] }),
      await test_app.call(chief, 'role', 'copy', { id, name: 'x' }),
      await test_app.call(chief, 'role', 'remove', { id }),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'role.super']);
    expect((await test_app.send(chief, 'role/add', { name: 'x', kind: 'super' })).status).toBe(400);
  });

  test('is listed with the number of its users', async () => {
    const { role_id, account } = await people.makeUserWith('customer', []);
    const { body } = await test_app.call(chief, 'role', 'inquire', { search: account });
    expect(body.content).toMatchObject([{ id: role_id, user_count: 1 }]);
    const sorted = await test_app.call(chief, 'role', 'inquire', { sort: 'user_count', order: 'desc', page_size: 200 });
    const counts = sorted.body.content.map((row) => row.user_count);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
  });
});

describe('nodes of a role', () => {
  test('are set as a whole; what changed is answered and audited by name', async () => {
    const { id } = await add();
    expect((await setNodes(id, ['domain_list', 'domain_list.add', 'qr_code_list'])).body).toMatchObject({
      added: ['domain_list', 'domain_list.add', 'qr_code_list'],
      removed: [],
    });
    const second = await setNodes(id, ['domain_list', 'domain_list.update']);
    expect(second.body).toMatchObject({ added: ['domain_list.update'], removed: ['domain_list.add', 'qr_code_list'] });
    const { rows } = await test_app.db.execute(sql`SELECT changes FROM log WHERE type = 'role/update_nodes' ORDER BY id DESC LIMIT 1`);
    expect(rows[0]?.changes).toEqual({
      before: { nodes: ['domain_list.add', 'qr_code_list'] },
      after: { nodes: ['domain_list.update'] },
    });
  });

  test('a button brings its screen', async () => {
    const { id } = await add();
    await setNodes(id, ['domain_list.add']);
    expect(await heldKeys(id)).toEqual(['domain_list', 'domain_list.add']);
  });

  test('that this version has no screen for are not shown, and stay', async () => {
    const { id } = await add();
    await test_app.db.execute(sql`
      WITH screen AS (INSERT INTO permission_node (key, name, path, type) VALUES ('of_later', '', 'of_later', 1) RETURNING id),
        button AS (INSERT INTO permission_node (key, name, path, type, parent_id) SELECT 'of_later.run', '', '', 2, id FROM screen RETURNING id)
      INSERT INTO role_node SELECT ${id}::bigint, id FROM (SELECT id FROM screen UNION SELECT id FROM button) AS node`);
    await setNodes(id, ['domain_list']);
    expect(flat((await tree(id)).tree).map((node) => node.key)).not.toContain('of_later');
    const { rows } = await test_app.db.execute(
      sql`SELECT key FROM role_node JOIN permission_node ON id = node_id WHERE role_id = ${id} ORDER BY key`,
    );
    expect(rows.map((row) => row.key)).toEqual(['domain_list', 'of_later', 'of_later.run']);
  });

  test('decided on an outdated state are refused; of two at once one is', async () => {
    const { id, version } = await add();
    const node_ids = [await nodeId('domain_list')];
    const answers = await Promise.all([1, 2, 3].map(() => test_app.call(chief, 'role', 'update_nodes', { id, version, node_ids })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('conflict.changed');
    const unknown = await test_app.call(chief, 'role', 'update_nodes', { id, version: version + 1, node_ids: [999_999_999] });
    expect(unknown.body.fields).toEqual({ node_ids: 'unknown_node' });
  });

  test('that are taken away are refused at the very next call and gone from the menu', async () => {
    const user = await people.makeUserWith('customer', ['domain_list', 'domain_list.add']);
    const addDomain = () => test_app.call(user, 'domain_list', 'add', { host: `${user.account}.example.com`, type: 1 });
    const menu = async () => paths((await test_app.call(user, 'admin', 'get_token_menu', {})).body.tree_menu_arr);
    expect(await menu()).toContain('domain_list.add');
    expect((await setNodes(user.role_id, ['domain_list'])).status).toBe(200);
    expect((await addDomain()).status).toBe(403);
    expect(await menu()).toEqual(['domain_list']);
    await setNodes(user.role_id, ['domain_list', 'domain_list.add']);
    expect((await addDomain()).status).toBe(200);
  });

  test('nobody gives what he has not, but customers get their own screens from any administrator', async () => {
    const editor = await people.makeUserWith('administrator', ['role', 'role.nodes', 'domain_list', 'domain_list.update']);
    const forAdministrators = await add('administrator');
    const forCustomers = await add('customer');
    const refused = await setNodes(forAdministrators.id, ['qr_code_list'], editor);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([403, 'role.beyond_own', '不能授予自己没有的权限']);
    expect((await setNodes(forCustomers.id, ['domain_list.assign'], editor)).status).toBe(403);
    expect((await setNodes(forAdministrators.id, ['domain_list.update'], editor)).status).toBe(200);
    expect((await setNodes(forCustomers.id, ['qr_code_list', 'qr_code_list.add'], editor)).status).toBe(200);
    const offered = flat((await tree(forAdministrators.id, editor)).tree).filter((node) => node.grantable);
    expect(offered.map((node) => node.key).sort()).toEqual(expect.arrayContaining(['domain_list', 'domain_list.update']));
    expect(offered.map((node) => node.key)).not.toContain('qr_code_list');
  });

  test('nobody changes, copies or gives a role that may do more than he', async () => {
    const editor = await people.makeUserWith('administrator', ['role', 'role.nodes', 'role.copy', 'role.update', 'role.remove']);
    const { id, version } = await builtIn('administrator');
    const answers = [
      await test_app.call(editor, 'role', 'update_nodes', { id, version, node_ids: [] }),
      await test_app.call(editor, 'role', 'copy', { id, name: newName() }),
      await test_app.call(editor, 'role', 'update', { id, name: newName() }),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([403, 'role.beyond_own']);
    const offered = (await test_app.call(editor, 'role', 'options', {})).body.content.map((row) => row.id);
    expect(offered).not.toContain(id);
    expect(offered).toContain(editor.role_id);
    expect(offered).toContain((await builtIn('customer')).id);
  });

  test('that cannot be chosen are neither given nor taken', async () => {
    const { id } = await add();
    await setNodes(id, ['domain_list', 'domain_list.open']);
    const fixed = await nodeId('domain_list.open');
    await test_app.call(chief, 'role', 'node_update', { id: fixed, allow_selection: false });
    expect((await setNodes(id, ['domain_list'])).body.code).toBe('role.not_selectable');
    expect((await setNodes(id, ['domain_list', 'domain_list.open', 'domain_list.add'])).status).toBe(200);
    await test_app.call(chief, 'role', 'node_update', { id: fixed, allow_selection: true });
  });
});

describe('a customer', () => {
  test('whose role got the nodes of the role screen by mistake still changes nothing', async () => {
    const customer = await people.makeUserWith('customer', ['role', 'role.add', 'role.nodes', 'role.update', 'role.remove', 'role.copy']);
    const { id, version } = await add();
    const answers = [
      await test_app.call(customer, 'role', 'add', { name: newName(), kind: 'administrator' }),
      await test_app.call(customer, 'role', 'update', { id, name: newName() }),
      await test_app.call(customer, 'role', 'copy', { id, name: newName() }),
      await test_app.call(customer, 'role', 'remove', { id }),
      await test_app.call(customer, 'role', 'update_nodes', { id, version, node_ids: [] }),
      await test_app.call(customer, 'role', 'node_update', { id: 1, name: 'x' }),
      await test_app.call(customer, 'role', 'node_add', { path: 'tron', name: 'x' }),
    ];
    for (const { status } of answers) expect(status).toBe(403);
  });
});

describe('looking at roles', () => {
  test('a preview shows the menu the role opens, and what it would open', async () => {
    const user = await people.makeUserWith('customer', ['domain_list', 'domain_list.add']);
    const preview = async (input: object) =>
      paths((await test_app.send(chief, 'role/preview', { id: user.role_id, ...input })).body.tree_menu_arr as MenuItem[]);
    const own = paths((await test_app.call(user, 'admin', 'get_token_menu', {})).body.tree_menu_arr);
    expect(await preview({})).toEqual(own);
    expect(await preview({ node_ids: [await nodeId('qr_code_list.add')] })).toEqual(['qr_code_list', 'qr_code_list.add']);
    expect(await preview({ node_ids: [] })).toEqual([]);
  });

  test('who may do this: roles and users of a node, super administrators always', async () => {
    const holder = await people.makeUserWith('customer', ['domain_list.assign']);
    const { body } = await test_app.call(chief, 'role', 'holders', { node_id: await nodeId('domain_list.assign'), page_size: 200 });
    expect(body.roles.map((row) => row.kind)).toEqual(expect.arrayContaining(['super', 'administrator', 'customer']));
    expect(body.roles.map((row) => row.id)).not.toContain((await builtIn('customer')).id);
    expect(body.content.map((row) => row.id)).toEqual(expect.arrayContaining([chief.id, holder.id]));
    expect(body.total).toBe(body.content.length);
    expect((await test_app.call(chief, 'role', 'holders', { node_id: 999_999_999 })).status).toBe(404);
  });
});

describe('the editor of nodes', () => {
  test('names, orders and hides; what a node permits stays', async () => {
    const id = await nodeId('domain_list');
    const empty = await test_app.send(chief, 'role/node_update', { id, name: ' ' }, { 'accept-language': 'zh-CN' });
    expect(empty.body.fields).toEqual({ name: 'node_name_required' });
    const { body } = await test_app.call(chief, 'role', 'node_update', { id, name: '我的域名', language_variables: '', sort: 999_999 });
    expect(body).toMatchObject({ key: 'domain_list', path: 'domain_list', name: '我的域名', sort: 999_999 });
    for (const field of ['path', 'key', 'type', 'parent_id'])
      expect((await test_app.send(chief, 'role/node_update', { id, [field]: 'x' })).body.fields).toEqual({ [field]: 'unknown' });
  });

  test('the greater sort ranks first in the menu', async () => {
    const order = async () =>
      paths((await test_app.call(chief, 'admin', 'get_token_menu', {})).body.tree_menu_arr).filter((path) => /^qr_code_list\./.test(path));
    const before = await order();
    const last = before.at(-1) ?? '';
    await test_app.call(chief, 'role', 'node_update', { id: await nodeId(last), sort: 1_000_000 });
    expect(await order()).toEqual([last, ...before.slice(0, -1)]);
  });

  test('adds only what this version knows and the tree lacks; super administrators hold it at once', async () => {
    const unknown = await test_app.call(chief, 'role', 'node_add', { path: 'surely_not', name: 'x' });
    expect(unknown.body.fields).toEqual({ path: 'unknown_route' });
    expect((await test_app.call(chief, 'role', 'node_add', { path: 'domain_list', name: 'x' })).body.fields).toEqual({ path: 'taken' });
    await test_app.db.execute(sql`DELETE FROM role_node WHERE node_id = ${await nodeId('domain_list.check')}`);
    await test_app.db.execute(sql`DELETE FROM permission_node WHERE key = 'domain_list.check'`);
    expect((await test_app.call(chief, 'role', 'node_list', {})).body.missing_paths).toEqual(['domain_list.check']);
    const added = await test_app.call(chief, 'role', 'node_add', { path: 'domain_list.check', name: '检测' });
    expect(added.body).toMatchObject({ type: 2, parent_id: await nodeId('domain_list') });
    expect(paths((await test_app.call(chief, 'admin', 'get_token_menu', {})).body.tree_menu_arr)).toContain('domain_list.check');
  });
});
