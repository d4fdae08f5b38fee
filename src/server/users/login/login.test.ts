import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../kit/testing/app.ts';
import { createPeople, type People, password, type Reply } from '../testing/people.ts';

let test_app: TestApp;
let people: People;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
});
afterAll(() => test_app.close());
beforeEach(() => people.forget());

const failures = async () => {
  const { rows } = await test_app.db.execute<{ count: number }>(sql`SELECT count(*) FROM log WHERE type = 'admin/login_failed'`);
  return rows[0]?.count ?? 0;
};

/** Few enough that a burst does not end at the limit of calls a minute before any password is looked at. */
const atOnce = 20;

/** Makes all calls, some at a time. */
async function inTurn(count: number, call: (index: number) => Promise<number>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let from = 0; from < count; from += atOnce) {
    const some = await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => call(from + index)));
    for (const status of some) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

describe('guessing', () => {
  test('10,000 times from one place, under forged addresses, is looked at no more often than the limit', { tags: 'full' }, async () => {
    const user = await people.makeUser();
    const before = await failures();
    const statuses = await inTurn(10_000, async (index) => {
      const forged = `${index & 255}.${(index >> 8) & 255}.7.9`;
      const response = await test_app.app.inject({
        method: 'POST',
        url: '/api/admin/login',
        headers: { 'x-forwarded-for': forged, 'x-real-ip': forged, forwarded: `for=${forged}`, 'cf-connecting-ip': forged },
        payload: { account: user.account, password: `guess${index}` },
      });
      return response.statusCode;
    });
    expect(statuses.get(401)).toBe(5);
    expect(statuses.get(429)).toBe(9_995);
    expect((await failures()) - before).toBe(5);
    // The place is kept out; the account's owner elsewhere is not.
    expect((await people.post('admin/login', { account: user.account, password }, '127.0.0.1')).status).toBe(429);
    expect((await people.logIn(user)).status).toBe(200);
  });

  const burst = '2,000 times in one burst, from %s, is looked at %i times at most';
  async function expectFewLookedAt(from: string, limit: number): Promise<void> {
    const user = await people.makeUser();
    const before = await failures();
    const guesses = Array.from({ length: 2000 }, (_, index) => {
      const address = from === 'one address' ? '198.51.100.77' : `198.18.${index >> 8}.${index & 255}`;
      return people.post('admin/login', { account: user.account, password: `guess${index}` }, address);
    });
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    // A machine that cannot keep up says so with 503, having looked at nothing.
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    // The limit of calls a minute may count the whole burst before any password is looked at.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(limit);
    expect((await failures()) - before).toBe(statuses.filter((status) => status === 401).length);
  }
  test.each([['one address', 5]])(burst, expectFewLookedAt);
  test.each([['an address each', 20]])(burst, { tags: 'full' }, expectFewLookedAt);

  test('one account from a thousand real addresses ends at four times the limit', async () => {
    const user = await people.makeUser();
    const before = await failures();
    const statuses = await inTurn(1000, async (index) => (await people.logIn(user, { password: `guess${index}` })).status);
    expect([statuses.get(401), statuses.get(429)]).toEqual([20, 980]);
    expect((await failures()) - before).toBe(20);
  });

  test('an account in other letters, widths and with spaces counts as the same', async () => {
    await people.makeUser('customer', { account: 'counted.one' });
    const spellings = ['counted.one', 'COUNTED.ONE', ' counted.one ', 'ｃｏｕｎｔｅｄ.one', 'Counted.One', 'cOUNTED.oNE'];
    const statuses = [];
    for (const account of spellings)
      statuses.push((await people.post('admin/login', { account, password: 'wrong12' }, '198.51.100.9')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('many accounts from one network ends at four times the limit, in IPv6 whatever address of the /64', async () => {
    const statuses = await inTurn(40, async (index) => {
      const address = `2001:db8:0:1::${(index + 1).toString(16)}`;
      return (await people.post('admin/login', { account: `nobody${index}`, password: 'wrong12' }, address)).status;
    });
    expect([statuses.get(401), statuses.get(429)]).toEqual([20, 20]);
    expect((await people.post('admin/login', { account: 'nobody', password: 'wrong12' }, '2001:db8:0:2::1')).status).toBe(401);
  });

  test('gets no new tries by logging in to an own account in between', async () => {
    const own = await people.makeUser();
    const victims = await Promise.all(Array.from({ length: 6 }, () => people.makeUser()));
    const from = (account: string, given: string) => people.post('admin/login', { account, password: given }, '198.51.100.7');
    const looked: Reply[] = [];
    for (const victim of victims) {
      for (let guess = 0; guess < 4; guess += 1) looked.push(await from(victim.account, `guess${guess}`));
      await from(own.account, password);
    }
    expect(looked.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(looked.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

test('a whole office behind one address logs in', async () => {
  const users = await Promise.all(Array.from({ length: 25 }, () => people.makeUser()));
  const logIn = async (index: number) =>
    (await people.post('admin/login', { account: users[index]?.account, password }, '198.51.100.8')).status;
  expect(await inTurn(users.length, logIn)).toEqual(new Map([[200, 25]]));
});

test('the limits are the settings’', async () => {
  await people.set('login_failure_limit', 2);
  const user = await people.makeUser();
  const statuses = [];
  const logIn = async (given: string) =>
    (await people.post('admin/login', { account: user.account, password: given }, '198.51.100.6')).status;
  for (let guess = 0; guess < 3; guess += 1) statuses.push(await logIn('wrong12'));
  expect(statuses).toEqual([401, 401, 429]);
  await test_app.db.execute(sql`UPDATE attempt SET window_ends_at = now()`);
  expect(await logIn(password)).toBe(200);
});

test('wrong, unknown and disabled accounts are told nothing they could not know', async () => {
  const user = await people.makeUser();
  await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${user.id}`);
  const [wrong, unknown, right] = [
    await people.logIn(user, { password: 'wrong12' }),
    await people.logIn({ account: 'surely.nobody' }),
    await people.logIn(user),
  ];
  expect(wrong).toEqual(unknown);
  expect([wrong.status, wrong.body.message, wrong.body.detail]).toEqual([401, '登录失败', '账号或密码不正确。']);
  expect([right.status, right.body.code]).toEqual([403, 'login.disabled']);
});

test('a login keeps language, address and time', async () => {
  const user = await people.makeUser();
  const { status } = await people.post('admin/login', { account: user.account, password, language: 'en-US' }, '203.0.113.5');
  expect(status).toBe(200);
  expect(await people.stored(user.id)).toMatchObject({ language: 'en-US', login_ip: '203.0.113.5', login_at: expect.any(String) });
});
