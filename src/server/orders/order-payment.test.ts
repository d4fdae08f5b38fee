import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestUser } from '../kit/testing/app.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { availableOf, credit } from '../ledger/testing/money.ts';
import { configure, createTronSite, type TronSite } from '../tron/testing/site.ts';
import { toSend } from '../tron/tron.public.ts';
import { expireOrders } from './orders.public.ts';

let site: TronSite;
let user: TestUser;
let combo_id: number;
const quotas = { live_codes: 2, domains: 1, short_codes: null, monitors: 1 };

beforeAll(async () => {
  site = await createTronSite();
  const administrator = await site.makeUser('super');
  combo_id = (await site.call(administrator, 'vip_combo', 'add', { name: '基础版', price: '30', days: 30, quotas })).body.id;
});
beforeEach(async () => {
  await configure(site, { minimum_deposit: 1_000_000n });
  user = await site.makeUser('customer');
});
afterAll(async () => {
  expect((await findFaults(site.db)).faults).toEqual([]);
  await site.close();
});

async function order(as = user): Promise<number> {
  const { content, last_order_id } = (await site.call(as, 'buy_vip_combo', 'inquire', {})).body;
  const amount = content.find(({ id }) => id === combo_id)?.amount ?? '';
  return (await site.call(as, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id })).body.id;
}
const look = async (id: number, as = user) => (await site.call(as, 'order_payment', 'inquire', { id })).body;
/** In a block that is not solid yet, and read. */
async function see(millionths: bigint): Promise<void> {
  site.tron.sendTokens(await site.addressOf(user), millionths);
  site.tron.makeBlock();
  await site.read();
}

describe('the page of an order', () => {
  test('says where to pay how much, sees a payment in its block, and has it paid once it is solid', async () => {
    const id = await order();
    expect(await look(id)).toMatchObject({
      order: { state: 'waiting' },
      address: await site.addressOf(user),
      to_send: '30.000000',
      confirming: [],
      arrived: [],
      on_sale: true,
    });
    await see(30_000_000n);
    const seen = await look(id);
    expect(seen).toMatchObject({ to_send: '0.000000', confirming: [{ amount: '30.000000' }], order: { state: 'waiting' } });
    expect(seen.confirming[0]?.block).toBeGreaterThan(0);
    site.tron.makeSolid();
    await site.read();
    expect(await look(id)).toMatchObject({
      order: { state: 'paid' },
      confirming: [],
      arrived: [{ amount: '30.000000', state: 'credited' }],
    });
  });

  test('asks for the rest of what was too little', async () => {
    const id = await order();
    await site.pay(user, 12_500_000n);
    expect(await look(id)).toMatchObject({ to_send: '17.500000', balance: '12.500000', order: { state: 'waiting' } });
    await site.pay(user, 17_500_000n);
    expect((await look(id)).order.state).toBe('paid');
  });

  test('asks for no less than the minimum, for less would be kept aside', async () => {
    const id = await order();
    await site.pay(user, 29_900_000n);
    expect((await look(id)).to_send).toBe('1.000000');
    await site.pay(user, 400_000n);
    expect(await look(id)).toMatchObject({ to_send: '0.600000', aside: '0.400000' });
    await site.pay(user, 600_000n);
    expect([(await look(id)).order.state, await availableOf(site.db, user.id)]).toEqual(['paid', 900_000n]);
  });

  test('what comes after its time stays on the balance, and pays the next order at once', async () => {
    const id = await order();
    await site.db.transaction((tx) => expireOrders(tx, new Date(Date.now() + 3_600_000)));
    await site.pay(user, 30_000_000n);
    expect(await look(id)).toMatchObject({ order: { state: 'expired' }, balance: '30.000000', to_send: '0.000000' });
    expect((await look(await order())).order.state).toBe('paid');
  });

  test('is shown to nobody else', async () => {
    const id = await order();
    const other = await site.makeUser('customer');
    expect((await site.call(other, 'order_payment', 'inquire', { id })).status).toBe(404);
    expect((await site.call(other, 'order_payment', 'pay', { id })).status).toBe(404);
  });
});

describe('paying from the balance', () => {
  test('is refused while it is short, and answers the same to a second page', async () => {
    const id = await order();
    expect((await site.call(user, 'order_payment', 'pay', { id })).body).toMatchObject({ code: 'order.balance_short' });
    // Not as payments come, which pay what waits.
    await credit(site.db, user.id, 40_000_000n);
    expect((await look(id)).to_send).toBe('0.000000');
    const answers = await Promise.all([1, 2].map(() => site.call(user, 'order_payment', 'pay', { id })));
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual([
      [200, 'paid'],
      [200, 'paid'],
    ]);
    expect(await availableOf(site.db, user.id)).toBe(10_000_000n);
  });

  test('is refused for an order that is over', async () => {
    const id = await order();
    await site.call(user, 'buy_vip_combo', 'cancel', { id });
    expect((await site.call(user, 'order_payment', 'pay', { id })).body).toMatchObject({ code: 'order.not_waiting' });
  });
});

test('what is still to be sent counts what is on its way, and what is kept', () => {
  const base = { balance: 0n, aside: 0n, minimum: 10n, coming: [] };
  expect(toSend(30n, base)).toBe(30n);
  expect(toSend(30n, { ...base, coming: [20n] })).toBe(10n);
  expect(toSend(30n, { ...base, coming: [30n] })).toBe(0n);
  expect(toSend(30n, { ...base, balance: 27n })).toBe(10n);
  expect(toSend(30n, { ...base, balance: 27n, aside: 4n })).toBe(6n);
  expect(toSend(30n, { ...base, balance: 27n, coming: [4n, 6n] })).toBe(0n);
  expect(toSend(30n, { ...base, aside: 9n })).toBe(30n);
  expect(toSend(30n, { ...base, balance: 15n, aside: 9n })).toBe(6n);
});
