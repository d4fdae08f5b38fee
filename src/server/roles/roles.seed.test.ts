import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MenuItem } from '../../contract/people/admin.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { seedRoles } from './roles.seed.ts';

let test_app: TestApp;
let chief: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  chief = await test_app.makeUser('super');
});
afterAll(() => test_app.close());

type Held = { role_id: string; key: string };
const held = async () =>
  (
    await test_app.db.execute<Held>(
      sql`SELECT role_id, key FROM role_node JOIN permission_node ON permission_node.id = node_id WHERE path <> '' ORDER BY role_id, key`,
    )
  ).rows;
const menu = async (): Promise<MenuItem[]> => (await test_app.call(chief, 'admin', 'get_token_menu', {})).body.tree_menu_arr;
const shapeOf = (groups: readonly MenuItem[]) => groups.map((group) => [group.name, ...group.children.map(({ path }) => path)]);

test('screens of a database that was arranged otherwise move into their groups, and no role loses or gains a right', async () => {
  const [rights, wanted] = [await held(), shapeOf(await menu())];
  // As an earlier version had it: groups by table, a screen in another one, one that an administrator ranked and named.
  await test_app.db.execute(sql`
    INSERT INTO permission_node (key, name, path, type, sort) VALUES ('group:short_links', '短链', '', 1, 5)`);
  await test_app.db.execute(sql`
    UPDATE permission_node SET parent_id = (SELECT id FROM permission_node WHERE key = 'group:short_links'), sort = 900000
    WHERE key IN ('short_code', 'url_key_platform')`);
  await test_app.db.execute(sql`UPDATE permission_node SET name = '我的短码' WHERE key = 'short_code'`);
  expect(shapeOf(await menu())).not.toEqual(wanted);

  await seedRoles(test_app.db);
  expect(shapeOf(await menu())).toEqual(wanted);
  expect(await held()).toEqual(rights);
  const { rows } = await test_app.db.execute(sql`SELECT name FROM permission_node WHERE key IN ('short_code', 'group:short_links')`);
  expect(rows).toEqual([{ name: '我的短码' }]);
});

test('seeding again changes nothing: what an administrator ranked and named within a group stays', async () => {
  await test_app.db.execute(sql`UPDATE permission_node SET sort = 900000, name = '转发规则' WHERE key = 'forward'`);
  const before = await menu();
  expect(before[0]?.children[0]?.name).toBe('转发规则');
  await seedRoles(test_app.db);
  expect(await menu()).toEqual(before);
});

test('the editor of a role shows the groups of the menu', async () => {
  const { rows } = await test_app.db.execute<{ id: number }>(sql`SELECT id FROM role WHERE kind = 'super'`);
  const { body } = await test_app.call(chief, 'role', 'nodes', { id: Number(rows[0]?.id) });
  expect(body.tree.map(({ key }) => key)).toEqual([
    'group:daily',
    'group:domains',
    'group:statistics',
    'group:money',
    'group:people',
    'group:content',
    'group:system',
  ]);
});
