import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { verifyNightly } from './ledger.jobs.ts';
import { findFaults } from './ledger.verify.ts';
import { availableOf, credit } from './testing/money.ts';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let customer: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  agent = await test_app.makeUser('agent');
  customer = await test_app.makeUser('customer', { superior_id: agent.id });
});
afterAll(() => test_app.close());

const edit = (amount: string, more: object = {}) =>
  test_app.send(administrator, 'user_list/update_balance', { id: customer.id, amount, ...more });
const bills = async (as: TestUser, filters = {}) => (await test_app.call(as, 'bill', 'inquire', filters)).body;

describe('an administrator edits a balance', () => {
  test('a positive amount adds and a negative one subtracts, to the last millionth', async () => {
    expect((await edit('12.5', { remark: '赠送' })).body.balance).toBe('12.500000');
    expect((await edit('-0.000001')).body.balance).toBe('12.499999');
    expect((await bills(customer)).content).toMatchObject([
      { type: 'balance_edit', change_amount: '-0.000001', balance_before: '12.500000', balance_after: '12.499999', remark: '' },
      { change_amount: '12.500000', balance_before: '0.000000', remark: '赠送', actor_account: administrator.account },
    ]);
  });

  test('it is a gift unless it is said to be a payment, and the bill says which', async () => {
    const user = await test_app.makeUser('customer');
    const add = (kind?: string) => test_app.send(administrator, 'user_list/update_balance', { id: user.id, amount: '1', kind });
    for (const kind of [undefined, 'gift', 'payment']) expect((await add(kind)).status).toBe(200);
    expect((await add('deposit')).status).toBe(400);
    expect((await bills(user)).content.map(({ type }) => type)).toEqual(['balance_payment', 'balance_edit', 'balance_edit']);
  });

  test('it never becomes less than nothing', async () => {
    const { status, body } = await edit('-12.5');
    expect([status, body.fields]).toEqual([400, { amount: 'exceeds_balance' }]);
    expect(await availableOf(test_app.db, customer.id)).toBe(12_499_999n);
  });

  test.each(['0', '-0.0', '1.1234567', '1e3', '', '９', '1'.repeat(13)])('%s is no amount', async (amount) => {
    expect((await edit(amount)).status).toBe(400);
  });

  test('repeated with the same request it is done once', async () => {
    const request_id = crypto.randomUUID();
    const [one, other] = [await edit('1', { request_id }), await edit('1', { request_id })];
    expect(other.body).toEqual(one.body);
    expect(await availableOf(test_app.db, customer.id)).toBe(13_499_999n);
  });

  test('twenty at once that would take more than there is stop at nothing', async () => {
    const user = await test_app.makeUser('customer');
    await credit(test_app.db, user.id, 5_000_000n);
    const take = () => test_app.send(administrator, 'user_list/update_balance', { id: user.id, amount: '-1' });
    const statuses = (await Promise.all(Array.from({ length: 20 }, take))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 400)).toHaveLength(15);
    expect(await availableOf(test_app.db, user.id)).toBe(0n);
  });
});

describe('bills', () => {
  test('are the own ones of customers and agents, and those of everybody for administrators', async () => {
    await credit(test_app.db, agent.id, 1n);
    expect((await bills(customer)).content.every(({ user_id }) => user_id === customer.id)).toBe(true);
    expect((await bills(agent)).content).toMatchObject([{ user_id: agent.id }]);
    expect((await bills(agent, { user_id: customer.id })).content).toEqual([]);
    expect((await bills(administrator, { user_id: customer.id })).total).toBe((await bills(customer)).total);
  });

  test('are filtered by type and day, and summed by the same filters', async () => {
    const sums = async (filters = {}) => (await test_app.call(customer, 'bill', 'sums', filters)).body;
    expect(await sums({ type: 'balance_edit' })).toEqual({ number: 3, came: '13.500000', went: '-0.000001' });
    expect(await sums({ type: 'order' })).toEqual({ number: 0, came: '0.000000', went: '0.000000' });
    expect(await sums({ created_to: '2020-01-01' })).toMatchObject({ number: 0 });
  });

  test('an administrator alone verifies the ledger', async () => {
    expect((await test_app.call(customer, 'bill', 'verify', {})).status).toBe(403);
    expect((await test_app.call(administrator, 'bill', 'verification', {})).body.last).toBeNull();
    const { body } = await test_app.call(administrator, 'bill', 'verify', {});
    expect(body).toMatchObject({ faults: [] });
    expect((await test_app.call(administrator, 'bill', 'verification', {})).body.last).toEqual(body);
  });
});

describe('the verification', () => {
  const now = new Date();
  const nightly = (at = now) => verifyNightly(test_app.db, { now: at, time_zone: 'Asia/Shanghai' });
  /** What somebody does who has the database's keys. */
  async function tamper(...statements: string[]) {
    const { rows } = await test_app.db.execute<{ id: number }>(sql`SELECT max(id)::float8 AS id FROM ledger_entry`);
    for (const rule of ['ledger_entry_unchanged', 'ledger_account_unchanged'])
      await test_app.db.execute(sql.raw(`ALTER TABLE ${rule.replace('_unchanged', '')} DISABLE TRIGGER ${rule}`));
    for (const statement of statements) await test_app.db.execute(sql.raw(statement.replaceAll('$last', String(rows[0]?.id))));
    for (const rule of ['ledger_entry_unchanged', 'ledger_account_unchanged'])
      await test_app.db.execute(sql.raw(`ALTER TABLE ${rule.replace('_unchanged', '')} ENABLE TRIGGER ${rule}`));
  }
  const codes = async () => [...new Set((await findFaults(test_app.db)).faults.map(({ code }) => code))].sort();

  test('runs once a night', async () => {
    const tomorrow = new Date(now.getTime() + 86_400_000);
    expect(await nightly()).toBe(false);
    expect(await nightly(tomorrow)).toBe(true);
  });

  test('finds a balance that was changed by hand', async () => {
    await tamper(`UPDATE ledger_account SET balance = balance + 1 WHERE owner_id = ${customer.id}`);
    expect(await codes()).toEqual(['asset_sum', 'balance']);
    await tamper(`UPDATE ledger_account SET balance = balance - 1 WHERE owner_id = ${customer.id}`);
  });

  test('finds an entry that was changed, and one that is gone', async () => {
    await tamper('UPDATE ledger_entry SET amount = amount + 1 WHERE id = $last');
    expect(await codes()).toEqual(['balance', 'transfer_sum', 'version']);
    await tamper('UPDATE ledger_entry SET amount = amount - 1 WHERE id = $last');
    expect(await codes()).toEqual([]);
    await tamper('DELETE FROM ledger_entry WHERE id = $last');
    expect(await codes()).toEqual(['balance', 'transfer_sum', 'version']);
  });

  test('tells every administrator what does not add up', async () => {
    await nightly(new Date(now.getTime() + 5 * 86_400_000));
    const { body } = await test_app.call(administrator, 'message_list', 'inquire', {});
    expect(body.content.map(({ title }) => title)).toEqual([expect.stringMatching(/^账目不符：\d+ 处$/)]);
    expect((await test_app.call(customer, 'message_list', 'inquire', {})).body.total).toBe(0);
  });

  test('finds a rule that was switched off', async () => {
    await test_app.db.execute(sql`ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_balances`);
    expect(await codes()).toContain('rule_off');
  });
});
