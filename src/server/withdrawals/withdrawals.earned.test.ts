import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transact } from '../kit/postgres/database.ts';
import type { TestUser } from '../kit/testing/app.ts';
import { post } from '../ledger/ledger.public.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { availableOf, credit, earn } from '../ledger/testing/money.ts';
import { million, newAddress, type Office, openOffice } from './testing/office.ts';

let office: Office;
let site: Office['site'];
let agent: TestUser;
let combo_id: number;
beforeAll(async () => {
  office = await openOffice();
  ({ site } = office);
  await office.set({ withdrawal_cool_off_hours: 0 });
  const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null };
  combo_id = (await site.call(office.admin, 'vip_combo', 'add', { name: 'combo', price: '30', days: 30, quotas })).body.id;
});
afterAll(async () => {
  expect((await findFaults(site.db)).faults).toEqual([]);
  await site.close();
});
beforeEach(async () => {
  agent = await site.makeUser('agent');
});

const ask = (amount: string) => site.call(agent, 'acting_withdrawal_list', 'add', { amount, address: newAddress() });
const withdrawable = async () => Number((await site.call(agent, 'acting_withdrawal_list', 'terms', {})).body.withdrawable);
async function buy() {
  const { content, last_order_id } = (await site.call(agent, 'buy_vip_combo', 'inquire', {})).body;
  const amount = content.find(({ id }) => id === combo_id)?.amount ?? '';
  expect((await site.call(agent, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id })).status).toBe(200);
}
async function refundLast() {
  const { content } = (await site.call(office.admin, 'order', 'inquire', { user_id: agent.id, state: 'paid' })).body;
  const id = Math.max(...content.map((order) => order.id));
  expect((await site.call(office.admin, 'order', 'refund', { id, reason: 'refund' })).status).toBe(200);
}

test('money that was paid in or given is never withdrawn, whatever was earned beside it', async () => {
  await credit(site.db, agent.id, 100n * million);
  expect((await ask('10')).body.fields).toEqual({ amount: 'exceeds_withdrawable' });
  await earn(site.db, agent.id, 50n * million);
  expect((await ask('50.000001')).body.fields).toEqual({ amount: 'exceeds_withdrawable' });
  expect((await site.call(agent, 'acting_withdrawal_list', 'terms', {})).body).toMatchObject({
    balance: '150.000000',
    withdrawable: '50.000000',
  });
  expect((await ask('50')).status).toBe(200);
  expect([await withdrawable(), await availableOf(site.db, agent.id)]).toEqual([0, 100n * million]);
});

test('what is spent is paid-in money first, and a refund returns what was earned as earned', async () => {
  await credit(site.db, agent.id, 40n * million);
  await earn(site.db, agent.id, 50n * million);
  await buy();
  expect(await withdrawable()).toBe(50);
  await buy();
  expect(await withdrawable()).toBe(30);
  // What is paid in afterwards does not fill up what was earned and spent.
  await credit(site.db, agent.id, 100n * million);
  expect(await withdrawable()).toBe(30);
  await refundLast();
  expect(await withdrawable()).toBe(50);
  await refundLast();
  expect([await withdrawable(), await availableOf(site.db, agent.id)]).toEqual([50, 190n * million]);
});

test('what was taken back returns as earned, and what is owed for refunded shares is not withdrawn', async () => {
  await credit(site.db, agent.id, 100n * million);
  await earn(site.db, agent.id, 50n * million);
  const { id } = (await ask('50')).body;
  expect(await withdrawable()).toBe(0);
  await site.call(agent, 'acting_withdrawal_list', 'cancel', { id });
  expect(await withdrawable()).toBe(50);
  await transact(site.db, (tx) =>
    post(tx, {
      kind: 'share_refund',
      ref: { type: 'test', id: randomUUID() },
      entries: [
        { account: { kind: 'share_debt', owner_id: agent.id }, amount: -20n * million },
        { account: { kind: 'revenue' }, amount: 20n * million },
      ],
    }),
  );
  expect(await withdrawable()).toBe(30);
  expect((await ask('31')).body.fields).toEqual({ amount: 'exceeds_withdrawable' });
});

test('of many at once no more is reserved than was earned, though the balance has more', async () => {
  await credit(site.db, agent.id, 1000n * million);
  await earn(site.db, agent.id, 35n * million);
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('10')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(await withdrawable()).toBe(5);
});
