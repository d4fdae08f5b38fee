import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../kit/testing/app.ts';
import { sealAsBrowser } from '../../kit/testing/sealing.ts';
import { createPeople, type People, type Reply } from '../testing/people.ts';

let test_app: TestApp;
let people: People;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
});
afterAll(() => test_app.close());
beforeEach(() => people.forget());

let accounts = 0;
const newAccount = () => {
  accounts += 1;
  return `new.user${accounts}`;
};
const register = (input: object, address?: string) =>
  people.post('admin/register', { account: newAccount(), password: 'tea2026', ...input }, address);
const idOf = ({ body }: Reply) => (body.user_info as { id: number }).id;

describe('registering', () => {
  test('makes a customer of the default role who is logged in at once, with his menu', async () => {
    const { status, body } = await register({ account: 'ZhangWei', language: 'en-US' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_info: { account: 'ZhangWei', role: { kind: 'customer', name: '默认角色' } }, must_enrol: false });
    const as = { id: idOf({ status, body }), account: 'ZhangWei', token: String(body.token) };
    const menu = await test_app.call(as, 'admin', 'get_token_menu', {});
    expect(menu.body.tree_menu_arr.length).toBeGreaterThan(0);
    expect(await people.stored(as.id)).toMatchObject({ share_ratio: 1000, language: 'en-US', superior_id: null, disabled: false });
    expect(JSON.stringify(await people.stored(as.id))).not.toContain('tea2026');
    expect((await test_app.call(undefined, 'admin', 'login', { account: 'zhangwei', password: 'tea2026' })).status).toBe(200);
  });

  // The literal texts of the specification, section 5.
  test.each([
    [{ account: '' }, 'account', '请输入用户名'],
    [{ account: 'abcd' }, 'account', '用户名需要大于5个字符'],
    [{ password: '' }, 'password', '请输入密码'],
    [{ account: 'samesame', password: 'samesame' }, 'password', '密码不能与用户名相同'],
    [{ password: 'abc12' }, 'password', '密码需要大于6个字符'],
    [{ password: 'abc-1234' }, 'password', '密码只能是英文+数字的组合'],
    [{ code: 'a-b' }, 'code', '邀请码只能是英文+数字的组合'],
    [{ account: 'adm\u200bin' }, 'account', '用户名只能包含中文、英文、数字和 . _ @ + -'],
    [{ password: 'Iloveyou1' }, 'password', '密码过于常见，请换一个'],
    [{ password: '12345678' }, 'password', '密码过于常见，请换一个'],
  ])('%j is refused beside %s with the text "%s"', async (wrong, field, text) => {
    const { status, body } = await register(wrong);
    expect(status).toBe(400);
    expect(body.message).toBe(text);
    expect(Object.keys(body.fields ?? {})).toEqual([field]);
  });

  test('an account is taken whatever its letter case or width', async () => {
    await register({ account: 'TakenName' });
    for (const account of ['TakenName', 'takenname', 'ＴａｋｅｎＮａｍｅ', ' TAKENNAME ', 'ADMIN']) {
      const { status, body } = await register({ account });
      expect([status, body.fields ?? body.message]).toEqual([400, { account: 'taken' }]);
    }
  });

  test('of 20 who want one account at the same time, one gets it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => register({ account: index % 2 ? 'wantedone' : 'WantedOne' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.fields?.account === 'taken')).toHaveLength(19);
  });

  test('an invitation code puts the new user below its owner; an unknown or a disabled owner’s one is refused', async () => {
    const agent = await test_app.makeUser('agent');
    const invitation_code = String((await people.stored(agent.id)).invitation_code);
    const made = await register({ code: ` ${invitation_code} ` });
    expect(await people.stored(idOf(made))).toMatchObject({ superior_id: agent.id });
    expect((await register({ code: 'nobodys' })).body.fields).toEqual({ code: 'unknown_invitation_code' });
    await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${agent.id}`);
    expect((await register({ code: invitation_code })).body.fields).toEqual({ code: 'unknown_invitation_code' });
  });

  test.each([
    ['customer', false],
    ['agent', true],
    ['administrator', true],
    ['super', true],
  ] as const)('the code of one whose role is of the kind %s is worth an invitation: %s', async (kind, isWorth) => {
    const owner = await test_app.makeUser(kind);
    const made = await register({ code: String((await people.stored(owner.id)).invitation_code) });
    if (isWorth) return expect(await people.stored(idOf(made))).toMatchObject({ superior_id: owner.id });
    expect(made).toMatchObject({ status: 400, body: { message: '邀请码不存在', fields: { code: 'unknown_invitation_code' } } });
  });

  test('an agent who became a customer invites nobody any more', async () => {
    const [agent, chief] = [await test_app.makeUser('agent'), await test_app.makeUser('super')];
    const code = String((await people.stored(agent.id)).invitation_code);
    const role_id = Number((await people.stored((await test_app.makeUser('customer')).id)).role_id);
    await test_app.call(chief, 'user_list', 'update_role', { ids: [agent.id], role_id });
    expect((await register({ code })).body.fields).toEqual({ code: 'unknown_invitation_code' });
  });

  test('the default share ratio is the one of the settings', async () => {
    await people.set('default_share_ratio', 12.34);
    const made = await register({});
    expect(await people.stored(idOf(made))).toMatchObject({ share_ratio: 1234 });
  });

  test('where it is switched off it is refused, in the operator’s words where he has some', async () => {
    await people.set('admin_register', false);
    expect(await register({})).toMatchObject({ status: 403, body: { code: 'register.closed', message: '暂未开放注册' } });
    await people.set('no_registration_hint', '请联系客服开通 {{x}}');
    expect((await register({})).body.message).toBe('请联系客服开通 {{x}}');
    const site = await test_app.call(undefined, 'website', 'info', {});
    expect(site.body).toMatchObject({ admin_register: false, no_registration_hint: '请联系客服开通 {{x}}' });
  });

  test('takes no role, ratio or other field that a user cannot choose', async () => {
    for (const field of ['role_id', 'share_ratio', 'superior_id', 'balance'])
      expect((await register({ [field]: 1 })).body.fields).toEqual({ [field]: 'unknown' });
  });

  test('a password can be sealed to the key of the website info, then no log or request shows it', async () => {
    const { socket_public_key } = (await test_app.call(undefined, 'website', 'info', {})).body;
    const seal = (call: string, password = 'tea2026') => sealAsBrowser(password, socket_public_key, call, 'password');
    const { status, body } = await register({ account: 'sealedone', password: seal('admin/register'), encrypted: true });
    expect([status, body.user_info]).toMatchObject([200, { account: 'sealedone' }]);
    const login = (password: string, encrypted?: boolean) => people.post('admin/login', { account: 'sealedone', password, encrypted });
    expect((await login('tea2026')).status).toBe(200);
    expect((await login(seal('admin/login'), true)).status).toBe(200);
    expect((await login(seal('admin/register'), true)).body.fields).toEqual({ password: 'not_sealed' });
    expect((await register({ password: seal('admin/register', 'short'), encrypted: true })).body.message).toBe('密码需要大于6个字符');
    expect((await register({ password: 'tea2026', encrypted: true })).body.fields).toEqual({ password: 'not_sealed' });
  });

  test('from one network, thirty accounts an hour are enough; wrong tries are not counted', async () => {
    const from = async (address: string, password = 'tea2026') => (await register({ password }, address)).status;
    expect(await from('2001:db8:0:1::1', 'x')).toBe(400);
    await test_app.db.execute(sql`INSERT INTO attempt VALUES ('register:ip:2001:db8:0:1::/64', 29, now() + interval '1 hour')`);
    const statuses = [await from('2001:db8:0:1::2'), await from('2001:db8:0:1:ffff::3'), await from('2001:db8:0:2::1')];
    expect(statuses).toEqual([200, 429, 200]);
  });
});
