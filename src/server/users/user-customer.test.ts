import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { credit } from '../ledger/testing/money.ts';
import { createPeople, type People } from './testing/people.ts';

let test_app: TestApp;
let people: People;
let agent: TestUser;
let mine: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  agent = await test_app.makeUser('agent');
  mine = await test_app.makeUser('customer', { account: 'customer.mine', superior_id: agent.id });
});
afterAll(() => test_app.close());

const accounts = async (as: TestUser, input: object = {}) =>
  (await test_app.call(as, 'user_customer', 'inquire', input)).body.content.map((row) => row.account);

describe('the own customers', () => {
  test('are those whom one invited: nobody else’s, not customers of customers, and not everybody for a super administrator', async () => {
    const [other, chief] = [await test_app.makeUser('agent'), await test_app.makeUser('super')];
    const below = await test_app.makeUser('agent', { superior_id: agent.id });
    await test_app.makeUser('customer', { account: 'customer.of.customer', superior_id: below.id });
    await test_app.makeUser('customer', { account: 'customer.of.other', superior_id: other.id });
    await test_app.makeUser('customer', { account: 'customer.of.chief', superior_id: chief.id });
    expect((await accounts(agent)).sort()).toEqual([mine.account, below.account].sort());
    expect(await accounts(below)).toEqual(['customer.of.customer']);
    expect(await accounts(other)).toEqual(['customer.of.other']);
    expect(await accounts(chief)).toEqual(['customer.of.chief']);
    expect(await accounts(agent, { search: 'of.other' })).toEqual([]);
  });

  test('are shown without what is theirs alone', async () => {
    await test_app.db.execute(sql`UPDATE user_account SET phone = '13800000000', remark = 'secret' WHERE id = ${mine.id}`);
    const { body } = await test_app.call(agent, 'user_customer', 'inquire', { search: 'customer.mine' });
    expect(body.content).toEqual([
      {
        id: mine.id,
        account: 'customer.mine',
        name: '',
        member_expires_at: null,
        expired: false,
        disabled: 1,
        combo: null,
        balance: '0.000000',
        orders: 0,
        paid: '0.000000',
        created_at: expect.any(String),
      },
    ]);
  });

  test('are shown with what they bought and have', async () => {
    const owner = await test_app.makeUser('agent');
    const [rich, poor] = [
      await test_app.makeUser('customer', { superior_id: owner.id }),
      await test_app.makeUser('customer', { superior_id: owner.id }),
    ];
    await credit(test_app.db, rich.id, 100_000_000n);
    const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null };
    const chief = await test_app.makeUser('super');
    const combo = (await test_app.call(chief, 'vip_combo', 'add', { name: '月费', price: '30', days: 30, quotas })).body;
    const input = { combo_id: combo.id, amount: '30.000000', last_order_id: null };
    expect((await test_app.call(rich, 'buy_vip_combo', 'buy', input)).body.state).toBe('paid');
    for (const sort of ['balance', 'orders', 'paid'] as const) {
      const { content } = (await test_app.call(owner, 'user_customer', 'inquire', { sort, order: 'desc' })).body;
      expect(content).toMatchObject([
        { id: rich.id, combo: '月费', balance: '70.000000', orders: 1, paid: '30.000000' },
        { id: poor.id, combo: null, balance: '0.000000', orders: 0, paid: '0.000000' },
      ]);
    }
  });

  test('are found by account and name, by membership and by the day they came; % and _ stand for themselves', async () => {
    const owner = await test_app.makeUser('agent');
    const made = await test_app.makeUser('customer', {
      account: 'tea_shop',
      superior_id: owner.id,
      member_expires_at: '2020-01-01T00:00:00Z',
    });
    await test_app.makeUser('customer', { account: 'teaXshop', superior_id: owner.id });
    await test_app.db.execute(sql`UPDATE user_account SET name = '茶叶店', created_at = '2026-03-14T16:30:00Z' WHERE id = ${made.id}`);
    expect(await accounts(owner, { search: 'tea_s' })).toEqual(['tea_shop']);
    expect(await accounts(owner, { search: '茶' })).toEqual(['tea_shop']);
    expect(await accounts(owner, { search: '%' })).toEqual([]);
    expect(await accounts(owner, { expired: true })).toEqual(['tea_shop']);
    expect(await accounts(owner, { expired: false })).toEqual(['teaXshop']);
    // 16:30 UTC is the next day in the site's time zone.
    expect(await accounts(owner, { created_from: '2026-03-15', created_to: '2026-03-15' })).toEqual(['tea_shop']);
    expect(await accounts(owner, { created_to: '2026-03-14' })).toEqual([]);
    expect(await accounts(owner, { sort: 'member_expires_at', order: 'asc' })).toEqual(['tea_shop', 'teaXshop']);
  });
});

describe('the invitation', () => {
  test('is the own code, with the customers it brought', async () => {
    const owner = await test_app.makeUser('agent');
    const code = String((await people.stored(owner.id)).invitation_code);
    const invitation = async () => (await test_app.call(owner, 'user_customer', 'invitation', {})).body;
    expect(await invitation()).toEqual({ invitation_code: code, customers: 0, joined_this_month: 0 });
    const registered = await people.post('admin/register', { account: 'brought.by.code', password: 'tea2026', code });
    expect(registered.status).toBe(200);
    await test_app.makeUser('customer', { account: 'long.ago', superior_id: owner.id });
    await test_app.db.execute(sql`UPDATE user_account SET created_at = now() - interval '40 days' WHERE account = 'long.ago'`);
    expect(await invitation()).toEqual({ invitation_code: code, customers: 2, joined_this_month: 1 });
    expect((await accounts(owner)).sort()).toEqual(['brought.by.code', 'long.ago']);
  });

  test('is none for a role that may not invite, though it was given the screen', async () => {
    const customer = await people.makeUserWith('customer', ['user_customer']);
    expect((await test_app.call(customer, 'user_customer', 'invitation', {})).body.invitation_code).toBeNull();
  });

  test('is refused to customers of the default role', async () => {
    for (const action of ['inquire', 'invitation'] as const)
      expect((await test_app.call(mine, 'user_customer', action, {})).status).toBe(403);
  });
});
