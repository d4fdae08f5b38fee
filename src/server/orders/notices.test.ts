import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { credit } from '../ledger/testing/money.ts';
import { tellOfMemberships } from './membership-notices.ts';
import { expireOrders } from './orders.public.ts';

let test_app: TestApp;
let administrator: TestUser;
let user: TestUser;
let combo_id: number;

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null };
  combo_id = (await test_app.call(administrator, 'vip_combo', 'add', { name: '基础版', price: '5', days: 30, quotas })).body.id;
});
beforeEach(async () => {
  user = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const told = async (of = user) => {
  const { rows } = await test_app.db.execute<{ title: string; place: string; place_id: number | null }>(sql`
    SELECT title, place, place_id::float8 AS place_id FROM site_message JOIN site_message_receiver ON message_id = site_message.id
    WHERE user_id = ${of.id} ORDER BY site_message.id`);
  return rows;
};
const events = async (of = user) => {
  const { rows } = await test_app.db.execute<{ type: string }>(sql`SELECT type FROM event WHERE owner_id = ${of.id} ORDER BY id`);
  return rows.map(({ type }) => type);
};
const buy = async () => {
  const { content, last_order_id } = (await test_app.call(user, 'buy_vip_combo', 'inquire', {})).body;
  const amount = content.find(({ id }) => id === combo_id)?.amount ?? '';
  return (await test_app.call(user, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id })).body.id;
};

describe('a buyer is told what became of his order', () => {
  test('that it was paid, and refunded', async () => {
    await credit(test_app.db, user.id, 5_000_000n);
    const id = await buy();
    await test_app.call(administrator, 'order', 'refund', { id, reason: 'asked for' });
    expect(await told()).toEqual([
      { title: '“基础版”已付款，会员已生效', place: 'order', place_id: id },
      { title: '“基础版”的订单已退款', place: 'order', place_id: id },
    ]);
    expect(await events()).toEqual(['order.paid', 'order.refunded']);
  });

  test('that it expired', async () => {
    const id = await buy();
    await test_app.db.transaction((tx) => expireOrders(tx, new Date(Date.now() + 3_600_000)));
    expect(await told()).toEqual([{ title: '“基础版”的订单已失效', place: 'order', place_id: id }]);
    expect(await events()).toEqual(['order.expired']);
  });
});

describe('a member is told of the end of his time', () => {
  const endsIn = (hours: number) =>
    test_app.db.execute(sql`UPDATE user_account SET member_expires_at = now() + make_interval(hours => ${hours}) WHERE id = ${user.id}`);
  const tell = () => tellOfMemberships(test_app.db);
  const titles = async () => (await told()).map(({ title }) => title);

  test('seven, three and one day before, and when it is over: once each, by however many workers', async () => {
    await endsIn(24 * 8);
    await tell();
    expect(await titles()).toEqual([]);
    await endsIn(24 * 6);
    await Promise.all([tell(), tell(), tell()]);
    expect(await titles()).toEqual(['会员还有 7 天到期']);
    await tell();
    expect(await titles()).toHaveLength(1);
    await test_app.db.execute(
      sql`UPDATE user_account SET member_told_expiry = now() + interval '1 hour', member_expires_at = now() + interval '1 hour' WHERE id = ${user.id}`,
    );
    await tell();
    expect(await titles()).toEqual(['会员还有 7 天到期', '会员还有 1 天到期']);
    await endsIn(-1);
    await tell();
    await tell();
    expect((await titles()).at(-1)).toBe('会员已到期');
    expect(await events()).toEqual(['membership.ending', 'membership.ending', 'membership.ended']);
  });

  test('who renewed is told of the new end only', async () => {
    await endsIn(24);
    await tell();
    await endsIn(24 * 31);
    await tell();
    expect(await titles()).toEqual(['会员还有 1 天到期']);
  });

  test('not of what ended long ago, and nobody who is disabled', async () => {
    await endsIn(-24 * 10);
    await tell();
    expect(await titles()).toEqual([]);
    await test_app.db.execute(
      sql`UPDATE user_account SET disabled = true, member_expires_at = now() + interval '1 day' WHERE id = ${user.id}`,
    );
    await tell();
    expect(await titles()).toEqual([]);
  });
});

test('who has run out sees until when his codes answer, where they stop', async () => {
  const end = new Date(Date.now() - 86_400_000).toISOString();
  await test_app.db.execute(sql`UPDATE user_account SET member_expires_at = ${end} WHERE id = ${user.id}`);
  expect((await test_app.call(user, 'buy_vip_combo', 'inquire', {})).body.codes_until).toBeNull();
  await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('expired_codes', '"stop"')`);
  const { member_expires_at, codes_until } = (await test_app.call(user, 'buy_vip_combo', 'inquire', {})).body;
  expect(member_expires_at).toBe(end);
  expect(Date.parse(codes_until ?? '')).toBeGreaterThanOrEqual(Date.parse(end));
});
