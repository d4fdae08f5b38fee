import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { expectWithin, timeOf } from '../kit/testing/within.ts';
import { purgeClearedMessages } from './messages.jobs.ts';

let test_app: TestApp;
let sender: TestUser;
let customer: TestUser;
let other: TestUser;
let agent: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  sender = await test_app.makeUser('administrator');
  [customer, other, agent] = await Promise.all([test_app.makeUser('customer'), test_app.makeUser('customer'), test_app.makeUser('agent')]);
});
afterEach(() => test_app.db.execute(sql`DELETE FROM site_message`));
afterAll(() => test_app.close());

const roleOf = async (user: TestUser) =>
  (await test_app.db.execute<{ role_id: number }>(sql`SELECT role_id FROM user_account WHERE id = ${user.id}`)).rows[0]?.role_id ?? 0;
const send = (fields: { audience: 'all' | 'role' | 'users'; role_id?: number; user_ids?: number[]; title?: string; content?: string }) =>
  test_app.call(sender, 'message_list', 'send', { title: '通知', content: '第一行\n第二行', ...fields });
const inbox = async (as: TestUser, input: { notify_status?: 1 | 2; page?: number; page_size?: number } = {}) =>
  (await test_app.call(as, 'message_list', 'inquire', input)).body;
const unread = async (as: TestUser) => (await test_app.call(as, 'message_list', 'unread', {})).body.count;
const view = (as: TestUser, id: number) => test_app.call(as, 'message_list', 'update_status', { id });
const sentRow = async (id: number) =>
  (await test_app.call(sender, 'message_list', 'inquire_sent', {})).body.content.find((row) => row.id === id);

describe('who gets a message', () => {
  test('a message says what kind it is, to who gets it and to who sends it; without one it is an alert', async () => {
    const to = { audience: 'users' as const, user_ids: [other.id] };
    for (const kind of ['info', 'reminder', undefined] as const) {
      const { body } = await send({ ...to, ...(kind ? { kind } : {}) });
      const told = { id: body.id, kind: kind ?? 'alert' };
      expect(body).toMatchObject(told);
      expect((await inbox(other)).content[0]).toMatchObject(told);
      expect(await sentRow(body.id)).toMatchObject(told);
    }
    expect((await test_app.send(sender, 'message_list/send', { title: 'a', content: 'b', kind: 'loud', ...to })).status).toBe(400);
    expect((await test_app.call(sender, 'message_list', 'clear', {})).status).toBe(200);
  });

  test('a message to everybody reaches every user, those who write later ones too, but nobody who came after it', async () => {
    const { body } = await send({ audience: 'all' });
    expect(body).toMatchObject({ audience: 'all', sender_id: sender.id, sender_account: sender.account, viewed_number: 0 });
    expect(body.receiver_number).toBeGreaterThanOrEqual(4);
    for (const user of [customer, other, agent, sender])
      expect((await inbox(user)).content).toMatchObject([{ id: body.id, notify_status: 1 }]);
    const latecomer = await test_app.makeUser('customer');
    expect((await inbox(latecomer)).content).toEqual([]);
    expect((await view(latecomer, body.id)).status).toBe(404);
  });

  test('a message to a role reaches those who have the role at the moment', async () => {
    const { body } = await send({ audience: 'role', role_id: await roleOf(agent) });
    expect(body).toMatchObject({ role_name: expect.any(String), receiver_number: 1 });
    expect((await inbox(agent)).total).toBe(1);
    expect((await inbox(customer)).total).toBe(0);
    const promoted = await test_app.makeUser('agent');
    await test_app.db.execute(sql`UPDATE user_account SET created_at = now() - interval '1 day' WHERE id = ${promoted.id}`);
    expect((await inbox(promoted)).total).toBe(1);
    await test_app.db.execute(sql`UPDATE user_account SET role_id = ${await roleOf(customer)} WHERE id = ${promoted.id}`);
    expect((await inbox(promoted)).total).toBe(0);
  });

  test('a message to chosen users reaches them and nobody else', async () => {
    const { body } = await send({ audience: 'users', user_ids: [customer.id, agent.id, customer.id] });
    expect(body.receiver_number).toBe(2);
    expect([await unread(customer), await unread(agent), await unread(other)]).toEqual([1, 1, 0]);
    expect((await view(other, body.id)).status).toBe(404);
    expect((await sentRow(body.id))?.viewed_number).toBe(0);
  });

  test('unknown receivers, a missing choice and an empty text are refused beside their field', async () => {
    const fields = async (input: Parameters<typeof send>[0]) => (await send(input)).body.fields;
    expect(await fields({ audience: 'users', user_ids: [customer.id, 999_999] })).toEqual({ user_ids: 'unknown_user' });
    expect(await fields({ audience: 'users' })).toEqual({ user_ids: 'required' });
    expect(await fields({ audience: 'role' })).toEqual({ role_id: 'required' });
    expect(await fields({ audience: 'role', role_id: 999_999 })).toEqual({ role_id: 'unknown_role' });
    expect(await fields({ audience: 'all', content: ' \n ' })).toEqual({ content: 'required' });
    expect(await fields({ audience: 'all', title: '' })).toEqual({ title: 'required' });
    expect(await fields({ audience: 'all', content: 'x'.repeat(4001) })).toEqual({ content: 'too_long' });
  });

  test('customers send nothing and see nothing of what was sent to others', async () => {
    await send({ audience: 'users', user_ids: [other.id], title: 'of the other' });
    for (const action of ['send', 'clear', 'inquire_sent'] as const)
      expect(
        (await test_app.send(customer, `message_list/${action}`, action === 'send' ? { title: 'a', content: 'b', audience: 'all' } : {}))
          .status,
      ).toBe(403);
    expect(JSON.stringify(await inbox(customer))).not.toContain('of the other');
  });

  test('whoever may send but sees only his own people writes to those, not to everybody', async () => {
    const child = await test_app.makeUser('customer', { superior_id: agent.id });
    await test_app.db.execute(
      sql`INSERT INTO role_node SELECT ${await roleOf(agent)}, id FROM permission_node WHERE key = 'message_list.send' ON CONFLICT DO NOTHING`,
    );
    await test_app.db.execute(sql`UPDATE role SET version = version + 1 WHERE id = ${await roleOf(agent)}`);
    const as = (input: object) => test_app.send(agent, 'message_list/send', { title: 'a', content: 'b', ...input });
    expect((await as({ audience: 'all' })).status).toBe(403);
    expect((await as({ audience: 'role', role_id: await roleOf(customer) })).status).toBe(403);
    expect((await as({ audience: 'users', user_ids: [child.id, customer.id] })).body.fields).toEqual({ user_ids: 'unknown_user' });
    expect((await as({ audience: 'users', user_ids: [child.id] })).status).toBe(200);
  });
});

describe('viewing', () => {
  test("the specification's poll gets one unviewed message with id and content, until it is marked", async () => {
    const ids = [(await send({ audience: 'all', title: 'one' })).body.id, (await send({ audience: 'all', title: 'two' })).body.id];
    const poll = async () =>
      (await test_app.call(customer, 'message_list', 'inquire', { notify_status: 1, token: customer.token, page_size: 1, page: 1 })).body;
    expect(await poll()).toMatchObject({ content: [{ id: ids[1], content: '第一行\n第二行' }], total: 2, page: 1, page_size: 1 });
    expect((await view(customer, ids[1] ?? 0)).body).toEqual({ affected: 1 });
    expect(await poll()).toMatchObject({ content: [{ id: ids[0] }], total: 1 });
    await view(customer, ids[0] ?? 0);
    expect(await poll()).toMatchObject({ content: [], total: 0 });
    expect((await inbox(customer, { notify_status: 2 })).content).toMatchObject([
      { id: ids[1], notify_status: 2, viewed_at: expect.any(String) },
      { id: ids[0] },
    ]);
    expect((await inbox(other, { notify_status: 1 })).total).toBe(2);
  });

  test('a message counts a user once, also when 20 of his pages mark it at once', async () => {
    const { body } = await send({ audience: 'all' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => view(customer, body.id)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(answers.reduce((sum, answer) => sum + answer.body.affected, 0)).toBe(1);
    await view(other, body.id);
    expect(await sentRow(body.id)).toMatchObject({ viewed_number: 2 });
  });

  test('all are marked by one call, while others mark theirs', async () => {
    for (let index = 0; index < 5; index += 1) await send({ audience: 'all' });
    const users = [customer, other, agent, sender];
    const answers = await Promise.all(users.map((user) => test_app.call(user, 'message_list', 'view_all', {})));
    expect(answers.map(({ body }) => body.affected)).toEqual([5, 5, 5, 5]);
    expect(await unread(customer)).toBe(0);
    expect((await test_app.call(sender, 'message_list', 'inquire_sent', {})).body.content.map((row) => row.viewed_number)).toEqual([
      4, 4, 4, 4, 4,
    ]);
  });
});

describe('clearing', () => {
  test('chosen messages or all of them are gone for everybody at once, and their rows later', async () => {
    const ids = [(await send({ audience: 'all' })).body.id, (await send({ audience: 'users', user_ids: [customer.id] })).body.id];
    await view(customer, ids[0] ?? 0);
    expect((await test_app.call(sender, 'message_list', 'clear', { ids: [ids[0] ?? 0] })).body).toEqual({ affected: 1 });
    expect((await inbox(customer)).content.map((row) => row.id)).toEqual([ids[1]]);
    expect((await view(other, ids[0] ?? 0)).status).toBe(404);
    expect((await test_app.call(sender, 'message_list', 'clear', {})).body).toEqual({ affected: 1 });
    expect([(await inbox(customer)).total, await unread(customer)]).toEqual([0, 0]);
    const { rows } = await test_app.db.execute(sql`SELECT changes FROM log WHERE type = 'message_list/clear' ORDER BY id DESC LIMIT 1`);
    expect(rows[0]?.changes).toMatchObject({ before: { number: 1, messages: [{ id: ids[1] }] } });
    const kept = (await send({ audience: 'all' })).body.id;
    expect(await purgeClearedMessages(test_app.db)).toBe(2);
    expect((await inbox(customer)).content.map((row) => row.id)).toEqual([kept]);
    expect((await test_app.db.execute(sql`SELECT FROM site_message_view`)).rowCount).toBe(0);
  });
});

test('a message to 100,000 users is one row, is sent at once, and polling stays quick beside 200,000 messages to others', {
  tags: 'full',
}, async () => {
  await test_app.db.execute(sql`
    INSERT INTO user_account (account, password_hash, role_id, invitation_code, created_at)
    SELECT 'many' || n, '', ${await roleOf(customer)}, 'many' || n, now() - interval '1 day' FROM generate_series(1, 100000) AS n`);
  // Cleared before each try, so that one message is left to be found.
  await expectWithin(1000, async () => {
    await test_app.call(sender, 'message_list', 'clear', {});
    return timeOf(async () => expect((await send({ audience: 'all' })).body.receiver_number).toBeGreaterThan(100_000));
  });
  expect((await test_app.db.execute(sql`SELECT FROM site_message_receiver`)).rowCount).toBe(0);
  await test_app.db.execute(sql`
    WITH made AS (INSERT INTO site_message (title, content, audience, receiver_number) SELECT 'x', 'y', 'users', 1 FROM generate_series(1, 200000) RETURNING id)
    INSERT INTO site_message_receiver SELECT user_account.id, made.id FROM made JOIN user_account ON user_account.account = 'many' || (made.id % 100000 + 1)`);
  await test_app.db.execute(sql`ANALYZE site_message, site_message_receiver, user_account`);
  // The median of twenty polls.
  await expectWithin(50, async () => {
    const polls: number[] = [];
    for (let poll = 0; poll < 20; poll += 1)
      polls.push(await timeOf(async () => expect((await inbox(customer, { notify_status: 1, page: 1, page_size: 1 })).total).toBe(1)));
    return polls.sort((a, b) => a - b)[10] ?? Number.POSITIVE_INFINITY;
  });
});
