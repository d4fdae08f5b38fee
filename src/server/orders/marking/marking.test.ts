import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transactAgain } from '../../kit/postgres/database.ts';
import type { TestUser } from '../../kit/testing/app.ts';
import { balanceOf } from '../../ledger/ledger.public.ts';
import { findFaults } from '../../ledger/ledger.verify.ts';
import { availableOf, credit } from '../../ledger/testing/money.ts';
import { createTronSite, type TronSite } from '../../tron/testing/site.ts';
import { usdt_transaction } from '../../tron/tron.table.ts';
import { siteWallet } from '../../tron/wallets/wallets.ts';
import { expireOrders } from '../orders.public.ts';

const million = 1_000_000n;
const price = 30n * million;

let site: TronSite;
let administrator: TestUser;
let agent: TestUser;
let buyer: TestUser;
let combo: number;

beforeAll(async () => {
  site = await createTronSite();
  administrator = await site.makeUser('super');
  const quotas = { live_codes: 2, domains: null, short_codes: null, monitors: null };
  combo = (await site.call(administrator, 'vip_combo', 'add', { name: '基础版', price: '30', days: 30, quotas })).body.id;
});
afterAll(async () => {
  expect((await findFaults(site.db)).faults).toEqual([]);
  await site.close();
});
beforeEach(async () => {
  agent = await site.makeUser('agent');
  await site.db.execute(sql`UPDATE user_account SET share_ratio = 1000 WHERE id = ${agent.id}`);
  buyer = await site.makeUser('customer', { superior_id: agent.id });
});

async function order(as = buyer): Promise<number> {
  const { content, last_order_id } = (await site.call(as, 'buy_vip_combo', 'inquire', {})).body;
  const amount = content.find(({ id }) => id === combo)?.amount ?? '';
  const { body } = await site.call(as, 'buy_vip_combo', 'buy', { combo_id: combo, amount, last_order_id });
  expect(body.state).toBe('waiting');
  return body.id;
}
type Method = 'chain' | 'payment' | 'gift';
const mark = (id: number, method: Method, more: { reason?: string; transaction_hash?: string } = {}) =>
  site.call(administrator, 'order', 'mark_paid', { id, method, ...more });
const refund = (id: number) => site.call(administrator, 'order', 'refund', { id, reason: '退款' });
const balance = (of = buyer) => availableOf(site.db, of.id);
const held = () => balanceOf(site.db, { kind: 'share_hold', owner_id: agent.id });
const aside = () => balanceOf(site.db, { kind: 'suspense' });
const billOf = async (of = buyer) =>
  (await site.call(of, 'bill', 'inquire', { sort: 'id', order: 'asc' })).body.content.map(({ type, change_amount }) => [
    type,
    change_amount,
  ]);

describe('an order that is marked as paid by a payment on the chain', () => {
  test('is paid by one that was not read yet, which counts once', async () => {
    const id = await order();
    const transaction_hash = site.tron.sendTokens(await site.addressOf(buyer), price + million);
    site.tron.makeSolid();
    const { body } = await mark(id, 'chain', { transaction_hash: `0x${transaction_hash.toUpperCase()}` });
    expect(body).toMatchObject({ state: 'paid', paid_from: 'chain', transaction_hash });
    await site.read();
    expect([await balance(), await held()]).toEqual([million, 3n * million]);
    expect(await billOf()).toEqual([
      ['deposit', '31.000000'],
      ['order', '-30.000000'],
    ]);
    expect((await refund(id)).status).toBe(200);
    expect([await balance(), await held()]).toEqual([31n * million, 0n]);
  });

  test('takes what was kept aside because its wallet has no user', async () => {
    const wallet = await siteWallet(site.db, site.means.vault, 'payout');
    const before = await aside();
    const transaction_hash = site.tron.sendTokens(wallet.address, price);
    site.tron.makeSolid();
    await site.read();
    expect((await aside()) - before).toBe(price);
    const id = await order();
    expect((await mark(id, 'chain', { transaction_hash })).body).toMatchObject({ state: 'paid', paid_from: 'chain' });
    expect([(await aside()) - before, await balance(), await held()]).toEqual([0n, 0n, 3n * million]);
    const rows = await site.db.select().from(usdt_transaction).where(eq(usdt_transaction.transaction_hash, transaction_hash));
    expect(rows).toMatchObject([{ state: 'credited', user_id: buyer.id }]);
  });

  test('is paid by one that came too late and waits on the balance', async () => {
    const id = await order();
    await transactAgain(site.db, (tx) => expireOrders(tx, new Date(Date.now() + 86_400_000)));
    const transaction_hash = await site.pay(buyer, price);
    expect(await balance()).toBe(price);
    expect((await mark(id, 'chain', { transaction_hash })).body.state).toBe('paid');
    expect(await balance()).toBe(0n);
  });

  test('is refused beside the hash where that is none, unknown, not solid, of somebody else, too small or used', async () => {
    const id = await order();
    const refusal = async (transaction_hash?: string, of = id) =>
      (await mark(of, 'chain', transaction_hash === undefined ? {} : { transaction_hash })).body.fields?.transaction_hash;
    const other = await site.makeUser('customer');
    const foreign = await site.pay(other, price);
    const small = site.tron.sendTokens(await site.addressOf(buyer), price - 1n);
    const elsewhere = site.tron.sendTokens('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', price);
    site.tron.makeSolid();
    const fresh = site.tron.sendTokens(await site.addressOf(buyer), price);
    site.tron.makeBlock();
    expect(await refusal()).toBe('required');
    expect(await refusal('abc')).toBe('transaction_hash');
    expect(await refusal('f'.repeat(64))).toBe('payout_missing');
    expect(await refusal(fresh)).toBe('payment_confirming');
    expect(await refusal(elsewhere)).toBe('payment_wrong');
    expect(await refusal(foreign)).toBe('payment_of_another');
    expect(await refusal(small)).toBe('payment_too_small');
    expect([await balance(), await balance(other)]).toEqual([0n, price]);
    site.tron.makeSolid();
    expect((await mark(id, 'chain', { transaction_hash: fresh })).status).toBe(200);
    const second = await order();
    await credit(site.db, buyer.id, price);
    expect(await refusal(fresh, second)).toBe('order_hash_used');
  });

  test('by two administrators at once is paid once', async () => {
    const id = await order();
    const transaction_hash = site.tron.sendTokens(await site.addressOf(buyer), price);
    site.tron.makeSolid();
    const answers = await Promise.all(Array.from({ length: 5 }, () => mark(id, 'chain', { transaction_hash })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await balance(), await held()]).toEqual([0n, 3n * million]);
  });
});

describe('an order that is marked as paid', () => {
  test.each(['payment', 'gift'] as const)('as a %s needs a reason', async (method) => {
    expect((await mark(await order(), method)).body.fields).toEqual({ reason: 'required' });
  });

  test('as received another way counts as a deposit and pays shares, also beside a gift; a refund takes all of it back', async () => {
    await credit(site.db, buyer.id, 5n * million, 'gift');
    const id = await order();
    const { body } = await mark(id, 'payment', { reason: '银行转账' });
    expect(body).toMatchObject({ state: 'paid', paid_from: 'payment', reason: '银行转账' });
    expect([await balance(), await held()]).toEqual([5n * million, 3n * million]);
    expect((await refund(id)).body.state).toBe('refunded');
    expect([await balance(), await held()]).toEqual([5n * million, 0n]);
    expect(await billOf()).toEqual([
      ['balance_edit', '5.000000'],
      ['balance_payment', '30.000000'],
      ['order', '-30.000000'],
      ['order_refund', '30.000000'],
      ['balance_payment', '-30.000000'],
    ]);
    // The gift is a gift still: of what it pays, shares are paid on the rest alone.
    const again = await order();
    await site.pay(buyer, 25n * million);
    expect((await site.call(administrator, 'order', 'inquire', {})).body.content.find((row) => row.id === again)?.state).toBe('paid');
    expect(await held()).toBe(2_500_000n);
  });

  test('as a gift pays no shares; a refund takes the gift back', async () => {
    const id = await order();
    expect((await mark(id, 'gift', { reason: '老客户' })).body).toMatchObject({ state: 'paid', paid_from: 'gift', transaction_hash: null });
    expect([await balance(), await held()]).toEqual([0n, 0n]);
    await refund(id);
    expect(await balance()).toBe(0n);
    expect(await billOf()).toEqual([
      ['balance_edit', '30.000000'],
      ['order', '-30.000000'],
      ['order_refund', '30.000000'],
      ['balance_edit', '-30.000000'],
    ]);
  });
});
