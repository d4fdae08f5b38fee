import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
const day = 86_400_000;
const at = (days: number) => new Date(Date.now() + days * day).toISOString();

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
});
afterAll(() => test_app.close());

const daysLeft = async ({ id }: TestUser) => {
  const { rows } = await test_app.db.execute<{ left: number }>(
    sql`SELECT round(extract(epoch FROM member_expires_at - now()) / 86400)::int AS left FROM user_account WHERE id = ${id}`,
  );
  return rows[0]?.left;
};
const give = (users: TestUser[], days: number) =>
  test_app.call(administrator, 'member_gift', 'add', { ids: users.map(({ id }) => id), days, reason: '服务中断补偿' });
const newest = async () => (await test_app.call(administrator, 'member_gift', 'inquire', {})).body.content[0];

test('days come after the end, or from now where it is over; their users are told, and the undo takes them back', async () => {
  const present = await test_app.makeUser('customer', { member_expires_at: at(10) });
  const expired = await test_app.makeUser('agent', { member_expires_at: at(-10) });
  const endless = await test_app.makeUser('customer');
  expect((await give([present, expired, endless, administrator], 7)).body).toEqual({ affected: 2, left_out: 1 });
  expect([await daysLeft(present), await daysLeft(expired)]).toEqual([17, 7]);
  const gift = await newest();
  expect(gift).toMatchObject({ days: 7, users: 2, accounts: [present.account, expired.account], undone_at: null });
  const { rows } = await test_app.db.execute<{ title: string; content: string }>(sql`
    SELECT title, content FROM site_message JOIN site_message_receiver ON message_id = site_message.id WHERE user_id = ${present.id}`);
  expect(rows).toMatchObject([{ title: '管理员送了您 7 天会员' }]);
  expect(rows[0]?.content).toContain('服务中断补偿');

  const undo = () => test_app.call(administrator, 'member_gift', 'undo', { id: gift?.id ?? 0 });
  const answers = await Promise.all([undo(), undo()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect([await daysLeft(present), await daysLeft(expired)]).toEqual([10, -10]);
  expect((await newest())?.undone_by_account).toBe(administrator.account);
});

test('what came after a gift stays when it is undone', async () => {
  const user = await test_app.makeUser('customer', { member_expires_at: at(1) });
  await give([user], 5);
  const gift = await newest();
  await give([user], 30);
  await test_app.call(administrator, 'member_gift', 'undo', { id: gift?.id ?? 0 });
  expect(await daysLeft(user)).toBe(31);
});

test('is nothing for members for ever, and nothing that customers give', async () => {
  const user = await test_app.makeUser('customer');
  expect((await give([user], 5)).body).toMatchObject({ code: 'member_gift.all_endless' });
  expect((await test_app.send(user, 'member_gift/add', { ids: [user.id], days: 5, reason: 'x' })).status).toBe(403);
});
