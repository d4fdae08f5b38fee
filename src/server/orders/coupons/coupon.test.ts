import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transactAgain } from '../../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { findFaults } from '../../ledger/ledger.verify.ts';
import { availableOf, credit } from '../../ledger/testing/money.ts';
import { expireOrders, settleOpenOrders } from '../orders.public.ts';

let test_app: TestApp;
let administrator: TestUser;
let user: TestUser;
let basic: number;
let large: number;
let number = 0;
const million = 1_000_000n;
const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null };

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  const combo = async (name: string, price: string) =>
    (await test_app.call(administrator, 'vip_combo', 'add', { name, price, days: 30, quotas })).body.id;
  basic = await combo('基础版', '30');
  large = await combo('专业版', '90');
});
beforeEach(async () => {
  user = await test_app.makeUser('customer');
});
afterAll(async () => {
  expect((await findFaults(test_app.db)).faults).toEqual([]);
  await test_app.close();
});

type Terms = Parameters<typeof test_app.call<'coupon', 'add'>>[3];
async function makeCoupon(terms: Omit<Terms, 'code'>): Promise<{ id: number; code: string }> {
  number += 1;
  const { body } = await test_app.call(administrator, 'coupon', 'add', { code: `SAVE-${number}`, ...terms });
  return { id: body.id, code: body.code };
}
const usedOf = async (id: number) =>
  (await test_app.call(administrator, 'coupon', 'inquire', { page_size: 200 })).body.content.find((row) => row.id === id)?.used;
const ask = (code: string, as = user) => test_app.call(as, 'buy_vip_combo', 'coupon', { code });
const faultOf = (answer: { body: object }) => ('fields' in answer.body ? (answer.body.fields as Record<string, string>).coupon : undefined);
async function buy(code: string, amount: string, { combo_id = basic, as = user } = {}) {
  const { last_order_id } = (await test_app.call(as, 'buy_vip_combo', 'inquire', {})).body;
  return test_app.call(as, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id, coupon: code });
}

describe('a coupon', () => {
  test('takes per cent or an amount off, which is shown before and paid then', async () => {
    const { code, id } = await makeCoupon({ percent: 1500 });
    expect((await ask(code.toLowerCase())).body).toMatchObject({
      code,
      discounts: [
        { combo_id: basic, discount: '4.500000', amount: '25.500000' },
        { combo_id: large, discount: '13.500000', amount: '76.500000' },
      ],
    });
    await credit(test_app.db, user.id, 30n * million);
    expect((await buy(code, '25.500000')).body).toMatchObject({ state: 'paid', coupon: code, discount: '4.500000', amount: '25.500000' });
    expect(await availableOf(test_app.db, user.id)).toBe(4_500_000n);
    expect((await test_app.call(administrator, 'coupon', 'inquire', { code })).body.content).toMatchObject([
      { id, used: 1, saved: '4.500000' },
    ]);
  });

  test('never makes a price less than nothing', async () => {
    const { code } = await makeCoupon({ amount: '50', combo_ids: [basic] });
    expect((await ask(code)).body.discounts).toEqual([{ combo_id: basic, discount: '30.000000', amount: '0.000000' }]);
    expect((await buy(code, '0.000000')).body).toMatchObject({ state: 'paid', amount: '0.000000' });
  });

  test('is refused beside its field where it is not good for the caller', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const earlier = new Date(Date.now() - 3_600_000).toISOString();
    expect(faultOf(await ask('NO-SUCH'))).toBe('coupon_unknown');
    expect(faultOf(await ask((await makeCoupon({ percent: 100, enabled: false })).code))).toBe('coupon_unknown');
    expect(faultOf(await ask((await makeCoupon({ percent: 100, valid_from: later })).code))).toBe('coupon_not_yet');
    expect(faultOf(await ask((await makeCoupon({ percent: 100, valid_to: earlier })).code))).toBe('coupon_over');
    const { code } = await makeCoupon({ percent: 1000, combo_ids: [large] });
    expect(faultOf(await buy(code, '27.000000'))).toBe('coupon_other_combo');
  });

  test('buys nothing at another price than the one shown', async () => {
    const { code, id } = await makeCoupon({ percent: 1000 });
    expect((await buy(code, '30.000000')).body).toMatchObject({ code: 'order.offer_changed' });
    expect(await usedOf(id)).toBe(0);
  });

  test('is used once a user; the order that waits with it is asked for again without a second use', async () => {
    const { code, id } = await makeCoupon({ percent: 1000 });
    const first = (await buy(code, '27.000000')).body;
    expect((await buy(code, '27.000000')).body.id).toBe(first.id);
    expect(await usedOf(id)).toBe(1);
    await credit(test_app.db, user.id, 27n * million);
    await transactAgain(test_app.db, (tx) => settleOpenOrders(tx, user.id));
    expect(faultOf(await buy(code, '27.000000'))).toBe('coupon_used');
  });

  test('comes back where its order expires, is cancelled, or makes way', async () => {
    const { code, id } = await makeCoupon({ percent: 1000, max_uses: 1 });
    await buy(code, '27.000000');
    await transactAgain(test_app.db, (tx) => expireOrders(tx, new Date(Date.now() + 3_600_000)));
    expect(await usedOf(id)).toBe(0);
    const { body } = await buy(code, '27.000000');
    await test_app.call(user, 'buy_vip_combo', 'cancel', { id: body.id });
    expect(await usedOf(id)).toBe(0);
    await buy(code, '27.000000');
    expect((await buy(code, '81.000000', { combo_id: large })).body).toMatchObject({ state: 'waiting', amount: '81.000000' });
    expect(await usedOf(id)).toBe(1);
  });

  test('is either per cent or an amount', async () => {
    const add = (terms: object) => test_app.send(administrator, 'coupon/add', { code: 'EITHER', ...terms });
    expect((await add({})).body).toMatchObject({ fields: { percent: 'required' } });
    expect((await add({ percent: 10, amount: '1' })).body).toMatchObject({ fields: { amount: 'coupon_one_of' } });
    expect((await test_app.send(user, 'coupon/inquire', {})).status).toBe(403);
  });
});

test('of 200 buyers at once, as many get it as there are uses', async () => {
  const { code, id } = await makeCoupon({ percent: 5000, max_uses: 50 });
  const buyers = await Promise.all(Array.from({ length: 200 }, () => test_app.makeUser('customer')));
  // A busy server says 503, after which a page asks again.
  const insist = async (as: TestUser): ReturnType<typeof buy> => {
    const answer = await buy(code, '15.000000', { as });
    return answer.status === 503 ? insist(as) : answer;
  };
  const answers = await Promise.all(buyers.map(insist));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(faultOf))).toEqual(new Set(['coupon_used_up']));
  expect(await usedOf(id)).toBe(50);
});
