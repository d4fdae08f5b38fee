import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSettings } from '../../detection/testing/setup.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { credit } from '../../ledger/testing/money.ts';

let now = new Date('2026-12-31T15:00:00Z');
let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let user: TestUser;
let combo_id: number;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('super');
  agent = await test_app.makeUser('agent');
  user = await test_app.makeUser('customer', { superior_id: agent.id });
  const quotas = { live_codes: 2, domains: 1, short_codes: null, monitors: 1 };
  combo_id = (await test_app.call(administrator, 'vip_combo', 'add', { name: '基础版', price: '30', days: 30, quotas })).body.id;
});
afterAll(() => test_app.close());

async function order(as = user, paid = true): Promise<number> {
  if (paid) await credit(test_app.db, as.id, 30_000_000n);
  const { content, last_order_id } = (await test_app.call(as, 'buy_vip_combo', 'inquire', {})).body;
  const [{ amount } = { amount: '' }] = content;
  return (await test_app.call(as, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id })).body.id;
}
const issue = (order_id: number, as = user, name = '上海某某有限公司') =>
  test_app.call(as, 'invoice', 'issue', { order_id, name, tax_number: '91310000', address: '上海市\n人民路 1 号' });
const inquire = (order_id: number, as = user) => test_app.call(as, 'invoice', 'inquire', { order_id });

test('a paid order has one invoice, which stays as it was issued', async () => {
  await setSettings(test_app, { invoice_issuer: '活码科技\n税号 1' });
  const id = await order();
  expect((await inquire(id)).body).toMatchObject({ invoice: null, buyer: { name: user.account }, order: { amount: '30.000000' } });
  const { body } = await issue(id);
  expect(body.invoice).toMatchObject({ number: '2026-000001', issuer: '活码科技\n税号 1', buyer: { tax_number: '91310000' } });
  await setSettings(test_app, { invoice_issuer: '别的公司' });
  expect((await issue(id, user, '另一家公司')).body.invoice).toEqual(body.invoice);
  expect((await inquire(id, administrator)).body.invoice).toEqual(body.invoice);
  expect((await inquire(await order())).body).toMatchObject({ invoice: null, buyer: { name: '上海某某有限公司' } });
});

test('numbers have no gap, however many are issued at once, and begin anew with the site’s year', async () => {
  const ids: number[] = [];
  for (let number = 0; number < 4; number += 1) ids.push(await order());
  const made = await Promise.all([...ids, ...ids].map((id) => issue(id)));
  expect([...new Set(made.map(({ body }) => body.invoice.number))].sort()).toEqual([2, 3, 4, 5].map((serial) => `2026-00000${serial}`));
  const next = await order();
  // 31 December in UTC is the first of January in Shanghai.
  now = new Date('2026-12-31T16:30:00Z');
  expect((await issue(next)).body.invoice.number).toBe('2027-000001');
});

test('there is none of what is not paid, and none of anybody else’s', async () => {
  const waiting = await order(user, false);
  expect([(await issue(waiting)).body.code, (await inquire(waiting)).status]).toEqual(['invoice.not_paid', 409]);
  const other = await test_app.makeUser('customer');
  const id = await order(other);
  for (const as of [user, agent]) expect([(await inquire(id, as)).status, (await issue(id, as)).status]).toEqual([404, 404]);
  expect((await issue(id, other, ' ')).body.fields).toEqual({ name: 'required' });
});

test('a refunded order keeps its invoice, which says so', async () => {
  const buyer = await test_app.makeUser('customer');
  const id = await order(buyer);
  await issue(id, buyer);
  await test_app.call(administrator, 'order', 'refund', { id, reason: '退订' });
  expect((await inquire(id, buyer)).body).toMatchObject({ order: { state: 'refunded' }, invoice: { number: expect.any(String) } });
});
