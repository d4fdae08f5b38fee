import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { createPeople, type People, password } from '../testing/people.ts';

let test_app: TestApp;
let people: People;
let chief: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  chief = await test_app.makeUser('super');
});
afterAll(() => test_app.close());
beforeEach(() => people.forget());

const another = async (user: TestUser): Promise<TestUser> => ({ ...user, token: String((await people.logIn(user)).body.token) });
const roleId = async (kind: string) =>
  (await test_app.db.execute<{ id: number }>(sql`SELECT id FROM role WHERE kind = ${kind} AND built_in`)).rows[0]?.id ?? 0;

// That a session ends for calls and open pages, whatever ended it, stands in revocation.test.ts.
describe('the end of a session', () => {
  test('after its user changed the password elsewhere; there he stays logged in', async () => {
    const user = await people.makeUser();
    const other = await another(user);
    const input = { old_password: password, new_password: 'tea2027', repeat_password: 'tea2027' };
    expect((await test_app.call(user, 'update_password', 'update', input)).body.affected).toBe(1);
    expect([await people.isLoggedIn(user), await people.isLoggedIn(other)]).toEqual([true, false]);
  });

  test('its open pages are told to load anew', async () => {
    const user = await people.makeUser();
    const { rows } = await test_app.db.execute<{ id: number }>(sql`SELECT id FROM session WHERE user_id = ${user.id}`);
    const client = await test_app.pool.connect();
    try {
      const heard = new Promise((resolve) => client.once('notification', ({ payload }) => resolve(JSON.parse(payload ?? ''))));
      await client.query('LISTEN livecode');
      await test_app.call(chief, 'user_list', 'force_refresh', { ids: [user.id] });
      await client.query('SELECT 1');
      expect(await heard).toEqual({ topic: 'push', payload: { to: { session_ids: [rows[0]?.id] }, type: 2 } });
    } finally {
      client.release(true);
    }
  });

  test('a login that was under way while the password changed opens none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await people.makeUser();
      const logins = Array.from({ length: 4 }, () => people.logIn(user));
      await test_app.call(chief, 'user_list', 'update_password', { id: user.id, password: 'tea2027' });
      for (const { body } of await Promise.all(logins))
        if (body.token) expect(await people.isLoggedIn({ ...user, token: body.token })).toBe(false);
    }
  });

  test('refreshing all administrators spares the one who does it, and those whom he may not touch', async () => {
    const weak = await people.makeUserWith('administrator', ['administrators', 'administrators.refresh']);
    const equal = await people.makeUserWith('administrator', ['administrators']);
    expect((await test_app.call(weak, 'administrators', 'force_refresh_all', {})).status).toBe(200);
    expect([await people.isLoggedIn(weak), await people.isLoggedIn(equal), await people.isLoggedIn(chief)]).toEqual([true, false, true]);
  });

  test('many at once are ended and told in pieces', async () => {
    await test_app.db.execute(sql`INSERT INTO user_account (account, password_hash, role_id, invitation_code)
      SELECT 'mass' || n, '', ${await roleId('customer')}, 'mass' || n FROM generate_series(1, 2000) n`);
    await test_app.db.execute(sql`INSERT INTO session (token_hash, user_id, expires_at)
      SELECT sha256(account::bytea), id, now() + interval '1 day' FROM user_account WHERE account LIKE 'mass%'`);
    const { status, body } = await test_app.call(chief, 'user_list', 'force_refresh_all', {});
    expect(status).toBe(200);
    expect(body.affected).toBeGreaterThanOrEqual(2000);
  });
});

describe('the own sessions', () => {
  test('are listed with address, device and the present one marked; nobody else’s', async () => {
    const [user, stranger] = [await people.makeUser(), await people.makeUser()];
    await test_app.app.inject({
      method: 'POST',
      url: '/api/admin/login',
      headers: {
        'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      },
      payload: { account: user.account, password },
      remoteAddress: '::ffff:203.0.113.9',
    });
    const { content } = (await test_app.call(user, 'update_password', 'sessions', {})).body;
    expect(content.map(({ current, ip, device }) => ({ current, ip, device }))).toEqual([
      { current: false, ip: '203.0.113.9', device: 'Chrome · Windows' },
      { current: true, ip: null, device: '' },
    ]);
    const others = (await test_app.call(stranger, 'update_password', 'sessions', {})).body.content;
    expect(others).toHaveLength(1);
    expect(JSON.stringify(content)).not.toMatch(/token|hash/);
  });

  test('one can be ended, or all others; a stranger’s cannot', async () => {
    const [user, stranger] = [await people.makeUser(), await people.makeUser()];
    const [second, third] = [await another(user), await another(user)];
    const { content } = (await test_app.call(user, 'update_password', 'sessions', {})).body;
    const own = content.find((row) => row.current)?.id ?? 0;
    expect((await test_app.call(stranger, 'update_password', 'revoke_session', { id: own })).body.affected).toBe(0);
    expect(await people.isLoggedIn(user)).toBe(true);
    expect((await test_app.call(third, 'update_password', 'revoke_session', { id: own })).body.affected).toBe(1);
    expect([await people.isLoggedIn(user), await people.isLoggedIn(second)]).toEqual([false, true]);
    expect((await test_app.call(third, 'update_password', 'revoke_other_sessions', {})).body.affected).toBe(1);
    expect([await people.isLoggedIn(second), await people.isLoggedIn(third)]).toEqual([false, true]);
    expect(await people.isLoggedIn(stranger)).toBe(true);
  });

  test('one that an administrator opened shows who, and can be ended', async () => {
    const user = await people.makeUser();
    const acting = { ...user, token: (await test_app.call(chief, 'user_list', 'log_in_as', { id: user.id })).body.token };
    const { content } = (await test_app.call(user, 'update_password', 'sessions', {})).body;
    const theirs = content.find((row) => row.impersonator_account === chief.account);
    await test_app.call(user, 'update_password', 'revoke_session', { id: theirs?.id ?? 0 });
    expect(await people.isLoggedIn(acting)).toBe(false);
  });
});

describe('changing the own password', () => {
  const change = (as: TestUser, input: object, language = 'zh-CN') =>
    test_app.send(
      as,
      'update_password/update',
      { old_password: password, new_password: 'tea2027', repeat_password: 'tea2027', ...input },
      { 'accept-language': language },
    );

  // The specification, section 5.
  test.each([
    [{ old_password: '' }, 'old_password', '请输入旧密码', 'Enter the old password'],
    [{ new_password: '' }, 'new_password', '请输入新密码', 'Enter the new password'],
    [
      { repeat_password: 'tea2028' },
      'repeat_password',
      '两次输入的密码不一致，请重新输入',
      'The passwords entered twice are inconsistent, please try again',
    ],
    [{ new_password: 'tea27', repeat_password: 'tea27' }, 'new_password', '密码需要大于6个字符', undefined],
    [{ new_password: 'tea 2027', repeat_password: 'tea 2027' }, 'new_password', '密码只能是英文+数字的组合', undefined],
    [{ new_password: 'qwerty123', repeat_password: 'qwerty123' }, 'new_password', '密码过于常见，请换一个', undefined],
    [{ new_password: password, repeat_password: password }, 'new_password', '新密码不能与旧密码相同', undefined],
  ])('%j is refused beside %s', async (wrong, field, chinese, english) => {
    const user = await people.makeUser();
    const { status, body } = await change(user, wrong);
    expect([status, Object.keys(body.fields ?? {}), body.message]).toEqual([400, [field], chinese]);
    if (english) expect((await change(user, wrong, 'en-US')).body.message).toBe(english);
    expect((await people.logIn(user)).status).toBe(200);
  });

  test('needs the old one, which cannot be guessed with a stolen session', async () => {
    const user = await people.makeUser();
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, index) => change(user, { old_password: `guess${index}` })));
    expect(guesses.filter(({ body }) => body.fields?.old_password === 'wrong_password')).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await change(user, {})).status).toBe(429);
    await people.forget();
    expect((await change(user, {})).status).toBe(200);
    expect((await people.logIn(user)).status).toBe(401);
    expect((await people.logIn(user, { password: 'tea2027' })).status).toBe(200);
  });

  test('of two changes at the same time one counts', async () => {
    const user = await people.makeUser();
    const answers = await Promise.all(
      ['tea2027', 'tea2028', 'tea2029'].map((fresh) => change(user, { new_password: fresh, repeat_password: fresh })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
