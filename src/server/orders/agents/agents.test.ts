import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { credit } from '../../ledger/testing/money.ts';

const million = 1_000_000n;
// Noon in Shanghai, so that no test runs over the end of a day.
let now = new Date('2026-05-12T04:00:00Z');
let test_app: TestApp;
let administrator: TestUser;
let [upper, lower, buyer, stranger, foreign]: TestUser[] = [];
let combo_id: number;
let first_order: number;

const user = async (kind: 'agent' | 'customer', superior?: TestUser, ratio = 0) => {
  const made = await test_app.makeUser(kind, superior ? { superior_id: superior.id } : {});
  await test_app.db.execute(
    sql`UPDATE user_account SET share_ratio = ${ratio}, created_at = ${now.toISOString()}::timestamptz WHERE id = ${made.id}`,
  );
  return made;
};

async function buy(as: TestUser | undefined): Promise<number> {
  if (!as) throw new Error('there is no such user');
  await credit(test_app.db, as.id, 100n * million);
  const { content, last_order_id } = (await test_app.call(as, 'buy_vip_combo', 'inquire', {})).body;
  const amount = content.find(({ id }) => id === combo_id)?.amount ?? '';
  const { body } = await test_app.call(as, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id });
  await test_app.db.execute(sql`UPDATE order_share SET created_at = ${now.toISOString()}::timestamptz WHERE order_id = ${body.id}`);
  return body.id;
}

beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('super');
  upper = await user('agent', undefined, 3000);
  lower = await user('agent', upper, 1000);
  buyer = await user('customer', lower);
  foreign = await user('agent', undefined, 2000);
  stranger = await user('customer', foreign);
  const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null };
  combo_id = (await test_app.call(administrator, 'vip_combo', 'add', { name: '年费', price: '100', days: 30, quotas })).body.id;
  first_order = await buy(buyer);
  now = new Date('2026-05-13T04:00:00Z');
  await buy(buyer);
  await buy(stranger);
});
afterAll(() => test_app.close());

const shares = async (as: TestUser | undefined, input = {}) =>
  (await test_app.call(as, 'agent_divided_into', 'inquire', { sort: 'id', order: 'asc', ...input })).body;

describe('shares', () => {
  test('are an agent’s own, with order, buyer, ratio and amount, and for administrators those of all', async () => {
    const { content, total } = await shares(lower);
    expect(total).toBe(2);
    expect(content[0]).toMatchObject({
      agent_account: lower?.account,
      buyer_account: buyer?.account,
      order_amount: '100.000000',
      level: 1,
      ratio: 10,
      amount: '10.000000',
      reversed: '0.000000',
      is_refunded: false,
    });
    expect((await shares(upper)).content.map(({ level, ratio, amount }) => [level, ratio, amount])).toEqual([
      [2, 20, '20.000000'],
      [2, 20, '20.000000'],
    ]);
    expect((await shares(upper, { agent_id: lower?.id ?? 0 })).total).toBe(0);
    expect((await shares(administrator)).total).toBe(5);
    expect((await shares(administrator, { agent_id: foreign?.id ?? 0 })).total).toBe(1);
    expect((await test_app.call(buyer, 'agent_divided_into', 'inquire', {})).status).toBe(403);
  });

  test('are found by buyer, order and day, and summed by the same filters', async () => {
    const order_no = (await shares(foreign)).content[0]?.order_no ?? '';
    expect((await shares(administrator, { search: order_no })).total).toBe(1);
    expect((await shares(administrator, { search: buyer?.account ?? '' })).total).toBe(4);
    expect((await shares(administrator, { created_to: '2026-05-12' })).total).toBe(2);
    const sums = await test_app.call(administrator, 'agent_divided_into', 'sums', { created_from: '2026-05-13' });
    expect(sums.body).toEqual({ number: 3, shares: '50.000000', reversed: '0.000000', left: '50.000000', held: '50.000000' });
  });

  test('of another ratio are set beside them, by administrators', async () => {
    const input = { ids: [foreign?.id ?? 0], share_ratio: 25 };
    expect((await test_app.call(upper, 'user_list', 'update_ratio', input)).status).toBe(403);
    expect((await test_app.call(administrator, 'user_list', 'update_ratio', input)).body).toMatchObject({ affected: 1 });
  });
});

describe('statistics of agents', () => {
  const course = async (as: TestUser | undefined, input = {}) => (await test_app.call(as, 'agent_daily_statistics', 'course', input)).body;
  const dayOf = async (as: TestUser | undefined, day: string, input = {}) =>
    (await course(as, input)).series.find(({ period }) => period === day);

  test('count direct customers, all orders below, what they came to, and the own shares', async () => {
    expect(await dayOf(upper, '2026-05-12')).toMatchObject({ customers: 1, orders: 1, revenue: '100.000000', shares: '20.000000' });
    expect(await dayOf(lower, '2026-05-12')).toMatchObject({ customers: 1, orders: 1, revenue: '100.000000', shares: '10.000000' });
    expect(await dayOf(administrator, '2026-05-13')).toMatchObject({ customers: 0, orders: 2, revenue: '200.000000', shares: '50.000000' });
    expect(await dayOf(administrator, '2026-05-13', { agent_id: foreign?.id })).toMatchObject({ orders: 1, shares: '20.000000' });
    // An agent who names another one gets his own.
    expect(await dayOf(lower, '2026-05-13', { agent_id: foreign?.id })).toMatchObject({ orders: 1, shares: '10.000000' });
  });

  test('have each day of the range, the last thirty unless said, and sums that are those of the days', async () => {
    const { series, from, to, totals } = await course(administrator);
    expect([series.length, from, to, series.at(-1)?.period]).toEqual([30, '2026-04-14', '2026-05-13', '2026-05-13']);
    expect(totals).toEqual({ customers: 3, orders: 3, revenue: '300.000000', shares: '80.000000', reversed: '0.000000' });
    expect(series.at(-1)?.at).toBe('2026-05-12T16:00:00.000Z');
  });

  test('come by week and month, newest first in the list, page by page', async () => {
    const history = async (input: object) => (await test_app.call(administrator, 'agent_historical_statistics', 'inquire', input)).body;
    const weeks = await history({ from: '2026-04-27', to: '2026-05-13', by: 'week', page_size: 2 });
    expect([weeks.total, weeks.content.map(({ period, orders }) => [period, orders])]).toEqual([
      3,
      [
        ['2026-05-11', 3],
        ['2026-05-04', 0],
      ],
    ]);
    const months = await history({ from: '2026-04-01', to: '2026-05-31', by: 'month', order: 'asc' });
    expect(months.content.map(({ period, shares: got }) => [period, got])).toEqual([
      ['2026-04-01', '0.000000'],
      ['2026-05-01', '80.000000'],
    ]);
    expect((await history({ from: '2020-01-01', to: '2026-01-01', by: 'day' })).fields).toEqual({ from: 'range_too_long' });
    expect((await history({ from: '2026-02-01', to: '2026-01-01' })).fields).toEqual({ to: 'share_range' });
  });

  test('stand on the start pages of agents alone', async () => {
    const money = async (as: TestUser | undefined) => (await test_app.call(as, 'home', 'money', {})).body;
    expect(await money(administrator)).toEqual({ agent: null });
    const site = (await test_app.call(administrator, 'home', 'site', {})).body;
    expect(site.orders).toMatchObject({ paid: { today: 2 }, revenue: { today: '200.000000' } });
    const agent = { shares_today: '20.000000', shares_month: '40.000000', shares_total: '40.000000', available: '0.000000' };
    expect(await money(upper)).toEqual({ agent });
    expect(await money(buyer)).toEqual({ agent: null });
  });

  test('leave out what was refunded, and tell what was taken back', async () => {
    // Only the last paid order can be refunded.
    const orders = (await test_app.call(administrator, 'order', 'inquire', { user_id: buyer?.id ?? 0 })).body.content;
    const last = orders.find(({ id }) => id !== first_order)?.id ?? 0;
    expect((await test_app.call(administrator, 'order', 'refund', { id: last, reason: '退款' })).status).toBe(200);
    expect(await dayOf(lower, '2026-05-13')).toMatchObject({ orders: 0, revenue: '0.000000', shares: '0.000000', reversed: '10.000000' });
    expect((await shares(lower, { is_refunded: true })).content).toMatchObject([{ amount: '10.000000', reversed: '10.000000' }]);
    const { body } = await test_app.call(lower, 'agent_divided_into', 'sums', {});
    expect(body).toEqual({ number: 2, shares: '20.000000', reversed: '10.000000', left: '10.000000', held: '10.000000' });
  });
});
