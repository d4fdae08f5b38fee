import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MenuItem } from '../../contract/people/admin.ts';
import { screens } from '../../contract/permissions.ts';
import { createTestApp, type TestApp } from '../kit/testing/app.ts';
import { administratorPassword } from '../kit/testing/template.ts';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());

const logIn = (account: string, password: string) => test_app.call(undefined, 'admin', 'login', { account, password });
const paths = (menu: readonly MenuItem[]): string[] => menu.flatMap((item) => [item.path, ...paths(item.children)]).filter(Boolean);

describe('logging in', () => {
  test('the first administrator logs in, whatever the letter case of his account, and reads his info', async () => {
    const { status, body } = await logIn('ADMIN', administratorPassword);
    expect(status).toBe(200);
    expect(body.user_info).toMatchObject({ account: 'admin', role: { kind: 'super' } });
    const info = await test_app.call({ id: 1, account: 'admin', token: body.token }, 'admin', 'get_info', {});
    expect(info.body.token).toBe(body.token);
    expect(JSON.stringify(info.body)).not.toMatch(/password/);
  });

  test('an unknown account and a wrong password get the same answer', async () => {
    const [unknown, wrong] = [await logIn('nobody', 'x'), await logIn('admin', 'x')];
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
    await test_app.db.execute(sql`DELETE FROM attempt`);
  });

  test('of 50 parallel guesses no more than the limit are looked at, and then not even the right password helps', async () => {
    const user = await test_app.makeUser('customer', { account: 'guessed' });
    const guesses = await Promise.all(Array.from({ length: 50 }, (_, index) => logIn(user.account, `guess${index}`)));
    expect(guesses.filter((guess) => guess.status === 401)).toHaveLength(5);
    const refused = guesses.find((guess) => guess.status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(60);
    expect((await logIn('guessed', 'anything')).status).toBe(429);
    await test_app.db.execute(sql`DELETE FROM attempt`);
  });

  test('after logging out the token is worth nothing', async () => {
    const user = await test_app.makeUser('customer');
    expect((await test_app.call(user, 'admin', 'logout', {})).status).toBe(200);
    expect((await test_app.call(user, 'admin', 'get_info', {})).status).toBe(401);
  });

  test('a disabled user is out at once', async () => {
    const user = await test_app.makeUser('customer');
    await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${user.id}`);
    expect((await test_app.call(user, 'admin', 'get_info', {})).status).toBe(401);
  });
});

describe('the menu', () => {
  test('an administrator sees every built screen with its buttons, a customer no assignment of domains', async () => {
    const administrator = await test_app.makeUser('super');
    const customer = await test_app.makeUser('customer');
    const all = paths((await test_app.call(administrator, 'admin', 'get_token_menu', {})).body.tree_menu_arr);
    const own = paths((await test_app.call(customer, 'admin', 'get_token_menu', {})).body.tree_menu_arr);
    expect(all).toEqual(expect.arrayContaining(screens.map((screen) => screen.path)));
    expect(all).toContain('domain_list.assign');
    expect(own).toContain('domain_list.add');
    expect(own).not.toContain('domain_list.assign');
  });

  test('a screen that is not built is not in the menu, nor is an empty group', async () => {
    const administrator = await test_app.makeUser('super');
    await test_app.db.execute(sql`INSERT INTO permission_node (key, name, path, type) VALUES ('of_later', '', 'of_later', 1)`);
    const { tree_menu_arr } = (await test_app.call(administrator, 'admin', 'get_token_menu', {})).body;
    expect(paths(tree_menu_arr)).not.toContain('of_later');
    expect(tree_menu_arr.every((group) => group.children_number > 0)).toBe(true);
  });

  test('a permission taken from a role is refused at the next call', async () => {
    const customer = await test_app.makeUser('customer');
    expect((await test_app.call(customer, 'domain_list', 'inquire', {})).status).toBe(200);
    await test_app.db.execute(
      sql`DELETE FROM role_node USING role, permission_node WHERE role.id = role_id AND kind = 'customer' AND node_id = permission_node.id AND key = 'domain_list'`,
    );
    await test_app.db.execute(sql`UPDATE role SET version = version + 1 WHERE kind = 'customer'`);
    const refused = await test_app.call(customer, 'domain_list', 'inquire', {});
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  });
});
