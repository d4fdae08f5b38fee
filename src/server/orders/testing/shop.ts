import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { transactAgain } from '../../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { findFaults } from '../../ledger/ledger.verify.ts';
import { availableOf, credit } from '../../ledger/testing/money.ts';
import { settleOpenOrders } from '../orders.public.ts';

export const dayMilliseconds = 86_400_000;
export const million = 1_000_000n;
/** The site's clock, see `pass`. */
export let now = new Date();
export let test_app: TestApp;
export let administrator: TestUser;
/** Who buys where a test names nobody. */
export let user: TestUser;
/** Combos of 30 days: for 30 with `quotas`, and for 90 without bounds of codes. */
export let basic: number;
export let large: number;

export const quotas = { live_codes: 2, domains: 1, short_codes: null, monitors: 1 };
export const combo = async (name: string, price: string, live_codes: number | null = 2): Promise<number> =>
  (await test_app.call(administrator, 'vip_combo', 'add', { name, price, days: 30, quotas: { ...quotas, live_codes } })).body.id;

/** An app with two combos for the tests of a file, with a new customer and the present time for each; what they did must add up. */
export function prepareShop(): void {
  beforeAll(async () => {
    test_app = await createTestApp({ now: () => now });
    administrator = await test_app.makeUser('super');
    basic = await combo('基础版', '30');
    large = await combo('专业版', '90', null);
  });
  afterAll(async () => {
    expect((await findFaults(test_app.db)).faults).toEqual([]);
    await test_app.close();
  });
  beforeEach(async () => {
    now = new Date();
    user = await test_app.makeUser('customer');
  });
}

export const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
export const inDays = (days: number) => later(days * dayMilliseconds).toISOString();
/** Lets so much time pass. */
export function pass(milliseconds: number): void {
  now = later(milliseconds);
}

export const shop = async (as = user) => (await test_app.call(as, 'buy_vip_combo', 'inquire', {})).body;
export const offerFor = async (combo_id: number, as = user) => {
  const { content, last_order_id } = await shop(as);
  const offer = content.find(({ id }) => id === combo_id);
  if (!offer) throw new Error('not on sale');
  return { offer, input: { combo_id, amount: offer.amount, last_order_id } };
};
export const buy = async (combo_id: number, as = user) => test_app.call(as, 'buy_vip_combo', 'buy', (await offerFor(combo_id, as)).input);
export const give = (amount: bigint, as = user) => credit(test_app.db, as.id, amount * million);
export const deposit = (amount: bigint, as = user) =>
  give(amount, as).then(() => transactAgain(test_app.db, (tx) => settleOpenOrders(tx, as.id)));
export const balance = (as = user) => availableOf(test_app.db, as.id);
export const expiryOf = async (as = user) => (await shop(as)).member_expires_at;
export const stateOf = async (id: number) =>
  (await test_app.call(administrator, 'order', 'inquire', {})).body.content.find((row) => row.id === id)?.state;
