import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { balanceOf } from '../ledger/ledger.public.ts';
import { credit } from '../ledger/testing/money.ts';
import { createPeople, type People } from './testing/people.ts';

let test_app: TestApp;
let people: People;
let chief: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  chief = await test_app.makeUser('super');
});
afterAll(() => test_app.close());

const roleId = async (kind: string) =>
  (await test_app.db.execute<{ id: number }>(sql`SELECT id FROM role WHERE kind = ${kind} AND built_in`)).rows[0]?.id ?? 0;
const found = async (search: string, input: object = {}) => (await test_app.call(chief, 'user_list', 'inquire', { search, ...input })).body;

describe('the list of users', () => {
  test('shows all of a user, and nothing of his password', async () => {
    const agent = await people.makeUser('agent');
    const user = await people.makeUser('customer', { superior_id: agent.id });
    const { content } = await found(user.account);
    expect(content).toEqual([
      {
        id: user.id,
        account: user.account,
        name: '',
        phone: '',
        remark: '',
        role_id: await roleId('customer'),
        role_name: '默认角色',
        role_kind: 'customer',
        superior_id: agent.id,
        superior_account: agent.account,
        invitation_code: expect.stringMatching(/^[A-Za-z0-9]+$/),
        balance: '0.000000',
        share_ratio: 10,
        member_expires_at: null,
        expired: false,
        online_status: 2,
        online_status_at: expect.any(String),
        disabled: 1,
        frozen_at: null,
        frozen_reason: '',
        status: 1,
        removed_at: null,
        removed_by_account: null,
        second_factor: false,
        api_token_number: 0,
        register_ip: null,
        login_ip: null,
        login_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
  });

  test('shows a balance to the last millionth, however great', async () => {
    const user = await people.makeUser();
    for (const [millionths, text] of [
      [1, '0.000001'],
      [1_234_567, '1.234567'],
      [9_007_199_254_740_991, '9007199254.740991'],
    ] as const) {
      const before = await balanceOf(test_app.db, { kind: 'user_available', owner_id: user.id });
      await credit(test_app.db, user.id, BigInt(millionths) - before);
      expect((await found(user.account)).content[0]?.balance).toBe(text);
    }
  });

  test('holds customers and agents only; administrators have their own', async () => {
    const [administrator, customer] = [await people.makeUser('administrator'), await people.makeUser()];
    expect((await found(administrator.account)).total).toBe(0);
    const others = (await test_app.call(chief, 'administrators', 'inquire', { page_size: 200 })).body.content;
    expect(others.map((row) => row.id)).toEqual(expect.arrayContaining([administrator.id, chief.id]));
    expect(others.map((row) => row.id)).not.toContain(customer.id);
  });

  test('is filtered by text, role, superior, state, expiry, online status, code and day', async () => {
    const agent = await people.makeUser('agent');
    const mine = await people.makeUser('customer', { superior_id: agent.id, account: `filter.${agent.account}` });
    const gone = await people.makeUser('customer', { superior_id: agent.id, account: `filter.gone.${agent.account}` });
    await test_app.db.execute(
      sql`UPDATE user_account SET disabled = true, member_expires_at = now() - interval '1 day', phone = '138 0000', created_at = '2020-01-01T20:00:00Z' WHERE id = ${gone.id}`,
    );
    await test_app.db.execute(sql`DELETE FROM session WHERE user_id = ${gone.id}`);
    const ids = async (input: object) => (await found('', { superior_id: agent.id, ...input })).content.map((row) => row.id);
    expect((await ids({})).sort()).toEqual([mine.id, gone.id].sort());
    expect(await ids({ disabled: 2 })).toEqual([gone.id]);
    expect(await ids({ expired: true })).toEqual([gone.id]);
    expect(await ids({ expired: false })).toEqual([mine.id]);
    expect(await ids({ online_status: 2 })).toEqual([mine.id]);
    expect(await ids({ online_status: 1 })).toEqual([gone.id]);
    expect(await ids({ search: '138 0' })).toEqual([gone.id]);
    expect(await ids({ search: '%' })).toEqual([]);
    expect(await ids({ role_id: await roleId('agent') })).toEqual([]);
    // 20:00 UTC is the next day in Shanghai.
    expect(await ids({ created_from: '2020-01-02', created_to: '2020-01-02' })).toEqual([gone.id]);
    expect(await ids({ created_to: '2020-01-01' })).toEqual([]);
    const code = String((await people.stored(mine.id)).invitation_code);
    expect((await found('', { invitation_code: code })).content.map((row) => row.id)).toEqual([mine.id]);
    expect((await found('', { superior_id: agent.id, sort: 'role_name', order: 'asc' })).total).toBe(2);
  });

  test('shows who is online by his own calls of the last two minutes, unless detection is off', async () => {
    const user = await people.makeUser();
    const status = async () => (await found(user.account)).content[0]?.online_status;
    expect(await status()).toBe(2);
    await test_app.db.execute(sql`UPDATE session SET used_at = now() - interval '121 seconds' WHERE user_id = ${user.id}`);
    expect(await status()).toBe(1);
    await test_app.call(chief, 'user_list', 'log_in_as', { id: user.id });
    expect(await status()).toBe(1);
    await people.set('online_detection', false);
    expect(await status()).toBeNull();
    await people.forget();
  });

  test('shows a holder of its node who is no administrator his own row, an agent those of his customers too', async () => {
    const agent = await people.makeUserWith('agent', ['user_list']);
    const customer = await people.makeUser('customer', { superior_id: agent.id });
    await people.makeUser();
    const { content } = (await test_app.call(agent, 'user_list', 'inquire', { page_size: 200 })).body;
    expect(content.map((row) => row.id).sort()).toEqual([agent.id, customer.id].sort());
  });
});

describe('making a user', () => {
  const add = (input: object) => test_app.send(chief, 'user_list/add', { password: 'tea2026', ...input }, { 'accept-language': 'zh-CN' });

  test('follows the rules of registration and takes what an administrator knows of him', async () => {
    const agent = await people.makeUser('agent');
    const { body } = await add({
      account: 'shop.keeper',
      name: '店主',
      phone: '+86 138-0000',
      remark: 'VIP',
      superior_id: agent.id,
      share_ratio: 12.5,
      member_expires_at: '2030-01-01T00:00:00Z',
    });
    expect(body).toMatchObject({ account: 'shop.keeper', name: '店主', share_ratio: 12.5, superior_account: agent.account });
    expect(body.member_expires_at).toBe('2030-01-01T00:00:00.000Z');
    expect((await people.logIn({ account: 'shop.keeper' })).status).toBe(200);
    expect((await add({ account: 'abcd' })).body.message).toBe('用户名需要大于5个字符');
    expect((await add({ account: 'shop.keeper2', password: '123456' })).body.fields).toEqual({ password: 'password_common' });
    expect((await add({ account: 'SHOP.keeper' })).body.fields).toEqual({ account: 'taken' });
    expect((await add({ account: 'shop.keeper3', superior_id: 999_999_999 })).body.fields).toEqual({ superior_id: 'unknown_user' });
    expect((await add({ account: 'shop.keeper4', phone: 'call me' })).body.fields).toEqual({ phone: 'invalid_phone' });
    expect((await add({ account: 'shop.keeper5', role_id: await roleId('administrator') })).body.fields).toEqual({
      role_id: 'not_for_customers',
    });
  });

  test('leaves no trace of the password in logs and kept answers', async () => {
    const request_id = crypto.randomUUID();
    await add({ account: 'traceless', password: 'Secret9876', request_id });
    const { rows } = await test_app.db.execute<{ everything: string }>(
      sql`SELECT (SELECT jsonb_agg(to_jsonb(l)) FROM log l)::text || (SELECT jsonb_agg(to_jsonb(r)) FROM request_answer r)::text AS everything`,
    );
    expect(rows[0]?.everything).toContain('traceless');
    expect(rows[0]?.everything).not.toContain('Secret9876');
  });
});

describe('changing a user', () => {
  test('name, phone and remark; what is not given stays', async () => {
    const user = await people.makeUser();
    await test_app.call(chief, 'user_list', 'update', { id: user.id, name: '张三', remark: '重要' });
    const { body } = await test_app.call(chief, 'user_list', 'update', { id: user.id, phone: '138' });
    expect(body).toMatchObject({ name: '张三', phone: '138', remark: '重要' });
    const { rows } = await test_app.db.execute(sql`SELECT changes FROM log WHERE type = 'user_list/update' ORDER BY id DESC LIMIT 1`);
    expect(rows[0]?.changes).toEqual({ before: { phone: '' }, after: { phone: '138' } });
  });

  test('a share ratio is a number of at least 0, in per cent with two decimals', async () => {
    const [one, other] = [await people.makeUser('agent'), await people.makeUser('agent')];
    const update = (share_ratio: unknown) => test_app.send(chief, 'user_list/update_ratio', { ids: [one.id, other.id], share_ratio });
    expect((await update(33.33)).body.affected).toBe(2);
    expect(await people.stored(one.id)).toMatchObject({ share_ratio: 3333 });
    expect((await found(other.account)).content[0]?.share_ratio).toBe(33.33);
    const told = async (of: TestUser) => {
      const { content } = (await test_app.call(of, 'message_list', 'inquire', {})).body;
      return content.map(({ title, place }) => [title, place]);
    };
    // What stays the same is no change.
    expect((await update(33.33)).body.affected).toBe(2);
    await update(5);
    expect(await told(one)).toEqual([
      ['您的分成比例已改为 5%', 'shares'],
      ['您的分成比例已改为 33.33%', 'shares'],
    ]);
    const { body } = await test_app.call(one, 'agent_divided_into', 'ratios', { agent_id: other.id });
    expect(body).toMatchObject({
      account: one.account,
      ratio: 5,
      changes: [
        { before: 33.33, after: 5 },
        { before: 10, after: 33.33 },
      ],
    });
    for (const wrong of [-0.01, 100.01, 1.005, '5', null]) expect((await update(wrong)).status).toBe(400);
    expect((await update(0)).status).toBe(200);
  });

  test('an invitation code is letters and digits that nobody else has', async () => {
    const [one, other] = [await people.makeUser(), await people.makeUser()];
    const update = (id: number, invitation_code: string) =>
      test_app.call(chief, 'user_list', 'update_invitation_code', { id, invitation_code });
    expect((await update(one.id, 'Tea2026')).body.invitation_code).toBe('Tea2026');
    expect((await update(other.id, 'Tea2026')).body.fields).toEqual({ invitation_code: 'taken' });
    expect((await update(other.id, 'tea-2026')).body.fields).toEqual({ invitation_code: 'code_letters_and_digits' });
  });

  test('an expiry makes a member expired, or not', async () => {
    const user = await people.makeUser();
    const update = (member_expires_at: string | null) =>
      test_app.call(chief, 'user_list', 'update_expiry', { ids: [user.id], member_expires_at });
    await update('2020-01-01T00:00:00Z');
    expect((await found(user.account)).content[0]).toMatchObject({ expired: true });
    await update(null);
    expect((await found(user.account)).content[0]).toMatchObject({ expired: false, member_expires_at: null });
  });

  test('a role of administrators needs the right to add administrators', async () => {
    const user = await people.makeUser();
    const manager = await people.makeUserWith('administrator', ['user_list', 'user_list.role', 'user_list.update']);
    const role_id = manager.role_id;
    const refused = await test_app.call(manager, 'user_list', 'update_role', { ids: [user.id], role_id });
    expect([refused.status, refused.body.code]).toEqual([403, 'role.beyond_own']);
    const agent = await test_app.call(manager, 'user_list', 'update_role', { ids: [user.id], role_id: await roleId('agent') });
    expect(agent.body.affected).toBe(1);
    expect((await test_app.call(chief, 'user_list', 'update_role', { ids: [user.id], role_id })).body.affected).toBe(1);
    expect((await found(user.account)).total).toBe(0);
    const unknown = await test_app.call(chief, 'user_list', 'update_role', { ids: [user.id], role_id: 999_999_999 });
    expect(unknown.body.fields).toEqual({ role_id: 'unknown_role' });
  });

  test('somebody of the other list is not found', async () => {
    const administrator = await people.makeUser('administrator');
    expect((await test_app.call(chief, 'user_list', 'update', { id: administrator.id, name: 'x' })).status).toBe(404);
    expect((await test_app.call(chief, 'user_list', 'update_disabled', { ids: [administrator.id], disabled: 2 })).body.affected).toBe(0);
    expect((await test_app.call(chief, 'user_list', 'log_in_as', { id: administrator.id })).status).toBe(404);
    const customer = await people.makeUser();
    expect((await test_app.call(chief, 'administrators', 'update', { id: customer.id, name: 'x' })).status).toBe(404);
    expect((await test_app.call(chief, 'administrators', 'update_password', { id: customer.id, password: 'tea2027' })).status).toBe(404);
    expect(await people.stored(customer.id)).toMatchObject({ name: '' });
  });
});

describe('superiors', () => {
  const below = (id: number, superior_id: number | null) => test_app.call(chief, 'user_list', 'update_superior', { id, superior_id });

  test('form no circle, however long', async () => {
    const chain = [await people.makeUser('agent')];
    for (let length = 1; length < 6; length += 1) chain.push(await people.makeUser('agent', { superior_id: chain.at(-1)?.id }));
    const [first, second, last] = [chain[0]?.id ?? 0, chain[1]?.id ?? 0, chain.at(-1)?.id ?? 0];
    for (const superior of [first, second, last])
      expect((await below(first, superior)).body.fields).toEqual({ superior_id: 'superior_circle' });
    expect((await below(first, 999_999_999)).body.fields).toEqual({ superior_id: 'unknown_user' });
    expect((await below(second, null)).body.superior_id).toBeNull();
    expect((await below(first, last)).body.superior_account).toBe(chain.at(-1)?.account);
  });

  test('set at the same time, A below B and B below A, leave one of both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await people.makeUser('agent'), await people.makeUser('agent')];
      const answers = await Promise.all([below(one.id, other.id), below(other.id, one.id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('set at the same time all around a ring leave it open', async () => {
    const ring = await Promise.all(Array.from({ length: 6 }, () => people.makeUser('agent')));
    const answers = await Promise.all(ring.map((user, index) => below(user.id, ring[(index + 1) % ring.length]?.id ?? null)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });
});

describe('acting as a user', () => {
  const logInAs = (id: number, as = chief) => test_app.call(as, 'user_list', 'log_in_as', { id });

  test('opens his screens, says who acts, is logged, and marks every change', async () => {
    const user = await people.makeUser();
    const { body } = await logInAs(user.id);
    expect(body).toMatchObject({ user_info: { id: user.id }, impersonator: { id: chief.id, account: chief.account } });
    const acting = { ...user, token: body.token };
    expect((await test_app.call(acting, 'admin', 'get_info', {})).body).toMatchObject({
      user_info: { id: user.id },
      impersonator: { id: chief.id, account: chief.account },
    });
    await test_app.call(acting, 'domain_list', 'add', { host: `${user.account}.example.com`, type: 1 });
    const { rows } = await test_app.db.execute(
      sql`SELECT type, user_id, impersonator_id FROM log WHERE type IN ('user_list/log_in_as', 'domain_list/add') ORDER BY id DESC LIMIT 2`,
    );
    expect(rows).toEqual([
      { type: 'domain_list/add', user_id: user.id, impersonator_id: chief.id },
      { type: 'user_list/log_in_as', user_id: chief.id, impersonator_id: null },
    ]);
    expect(await people.stored(user.id)).toMatchObject({ login_at: null });
  });

  test('changes nothing of what proves who the user is', async () => {
    const user = await people.makeUser();
    const acting = { ...user, token: (await logInAs(user.id)).body.token };
    const inputs = {
      update: { old_password: 'tea2026', new_password: 'tea2027', repeat_password: 'tea2027' },
      sessions: {},
      revoke_session: { id: 1 },
      revoke_other_sessions: {},
      enrol_second_factor: { password: 'tea2026' },
      confirm_second_factor: { totp: '000000' },
      disable_second_factor: { password: 'tea2026', totp: '000000' },
      renew_recovery_codes: { password: 'tea2026', totp: '000000' },
    };
    for (const [action, input] of Object.entries(inputs)) {
      const { status, body } = await test_app.send(acting, `update_password/${action}`, input);
      expect([action, status, body.code]).toEqual([action, 403, 'user.acting']);
    }
    expect(await people.isLoggedIn(user)).toBe(true);
  });

  test('is not possible with a disabled user, nor with one who may do more', async () => {
    const user = await people.makeUser();
    await test_app.call(chief, 'user_list', 'update_disabled', { ids: [user.id], disabled: 2 });
    expect((await logInAs(user.id)).body.code).toBe('user.disabled');
    const helper = await people.makeUserWith('administrator', ['user_list', 'user_list.log_in_as']);
    const strong = await people.makeUserWith('customer', ['user_list', 'user_list.password']);
    expect((await logInAs(strong.id, helper)).body.code).toBe('user.beyond_own');
    expect((await logInAs((await people.makeUser()).id, helper)).status).toBe(200);
  });

  test.each([
    ['logs out', (admin: TestUser) => test_app.call(admin, 'admin', 'logout', {})],
    ['is disabled', (admin: TestUser) => test_app.call(chief, 'administrators', 'update_disabled', { ids: [admin.id], disabled: 2 })],
    ['is refreshed', (admin: TestUser) => test_app.call(chief, 'administrators', 'force_refresh', { ids: [admin.id] })],
    [
      'gets a new password',
      (admin: TestUser) => test_app.call(chief, 'administrators', 'update_password', { id: admin.id, password: 'tea2027' }),
    ],
    [
      'lets his session expire',
      (admin: TestUser) => test_app.db.execute(sql`UPDATE session SET expires_at = now() WHERE user_id = ${admin.id}`),
    ],
  ])('ends at once when the administrator %s', async (_what, end) => {
    const [admin, user] = [await people.makeUser('administrator'), await people.makeUser()];
    const acting = { ...user, token: (await logInAs(user.id, admin)).body.token };
    expect(await people.isLoggedIn(acting)).toBe(true);
    await end(admin);
    expect(await people.isLoggedIn(acting)).toBe(false);
    expect(await people.isLoggedIn(user)).toBe(true);
  });

  test('is not prolonged by use', async () => {
    const user = await people.makeUser();
    const acting = { ...user, token: (await logInAs(user.id)).body.token };
    await test_app.db.execute(sql`UPDATE session SET used_at = now() - interval '5 minutes' WHERE user_id = ${user.id}`);
    await test_app.call(acting, 'admin', 'get_info', {});
    const { rows } = await test_app.db.execute<{ soon: boolean }>(
      sql`SELECT expires_at <= now() + interval '2 hours' AS soon FROM session WHERE user_id = ${user.id} AND impersonator_session_id IS NOT NULL`,
    );
    expect(rows).toEqual([{ soon: true }]);
  });
});
