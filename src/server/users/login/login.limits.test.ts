import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { createVault, readMasterKey } from '../../kit/vault.ts';
import { createPeople, type People, password, type Reply } from '../testing/people.ts';
import { stepOf, totpCode } from './totp.ts';

let now = new Date('2026-03-01T08:00:00Z');
let test_app: TestApp;
let people: People;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  people = await createPeople(test_app);
});
afterAll(() => test_app.close());
/** Each test comes from places of its own: an address may make 60 calls a minute. */
let home: string;
let strangers: string[];
let elsewhere: (place: number) => string;
let tests = 0;
beforeEach(async () => {
  tests += 1;
  home = `203.0.113.${tests}`;
  strangers = [1, 2, 3, 4].map((place) => `198.18.${tests}.${place}`);
  const round = tests;
  elsewhere = (place) => `198.19.${round}.${place}`;
  await people.forget();
});
type Credentials = { password?: string; code?: string; device_token?: string };
const logIn = (user: { account: string }, address: string | undefined, given: Credentials = {}) =>
  people.post('admin/login', { account: user.account, password, ...given }, address);
const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status);
const times = <T>(number: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: number }, (_, index) => act(index)));
const wrong = { password: 'wrong12' };
/** Fails often enough to lock the account for every stranger. */
const lock = async (user: { account: string }) => {
  for (const stranger of strangers) await times(5, () => logIn(user, stranger, wrong));
};
const deviceOf = async (user: { account: string }, address = home): Promise<string> =>
  String((await logIn(user, address)).body.device_token);

const secret = Buffer.alloc(20, 7);
const code = (steps = 0) => totpCode(secret, stepOf(now) + steps);
async function withSecondFactor(): Promise<TestUser> {
  const user = await people.makeUser();
  const enrolled = await test_app.send(user, 'update_password/enrol_second_factor', { password });
  expect(enrolled.status).toBe(200);
  const sealed = createVault(readMasterKey(test_app.dataDir)).seal(secret, `totp:${user.id}`);
  await test_app.db.execute(
    sql`UPDATE second_factor SET secret = ${sealed}, pending_secret = NULL, pending_at = NULL, confirmed_at = now() WHERE user_id = ${user.id}`,
  );
  return user;
}

describe('at the same time', () => {
  test('twelve right logins all succeed', async () => {
    const user = await people.makeUser();
    expect(statusesOf(await times(12, () => logIn(user, home)))).toEqual(Array(12).fill(200));
  });

  test('of twelve wrong ones exactly five are looked at', async () => {
    const user = await people.makeUser();
    const statuses = statusesOf(await times(12, (index) => logIn(user, home, { password: `guess${index}` })));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test('right ones succeed beside wrong ones that are fewer than the limit', async () => {
    const user = await people.makeUser();
    const replies = await times(12, (index) => logIn(user, home, index % 3 === 0 ? wrong : {}));
    expect(statusesOf(replies)).toEqual(Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? 401 : 200)));
  });

  test('a lock ends with its window, though that was opened by a clock that was ahead', async () => {
    const user = await people.makeUser();
    await times(5, () => logIn(user, home, wrong));
    expect((await logIn(user, home)).status).toBe(429);
    await test_app.db.execute(sql`UPDATE attempt SET window_ends_at = window_ends_at + interval '1 day' WHERE key LIKE 'login:%'`);
    expect((await logIn(user, home, wrong)).status).toBe(401);
    expect((await logIn(user, home)).status).toBe(200);
  });

  test('logins that are not counted leave nothing behind', async () => {
    const user = await people.makeUser();
    await times(12, () => logIn(user, home));
    const { rows } = await test_app.db.execute(sql`SELECT key FROM attempt WHERE count <> 0 OR in_flight <> 0`);
    expect(rows).toEqual([]);
  });
});

describe('guesses of strangers', () => {
  test('from one network lock that network only', async () => {
    const user = await people.makeUser();
    await times(40, () => logIn(user, strangers[0], wrong));
    expect((await logIn(user, strangers[0])).body.code).toBe('login.locked');
    expect((await logIn(user, home)).status).toBe(200);
  });

  test('from four networks lock every stranger, but neither a known device nor the network of the last login', async () => {
    const user = await people.makeUser();
    const device_token = await deviceOf(user);
    await lock(user);
    expect((await logIn(user, elsewhere(50))).body.code).toBe('login.locked');
    expect((await logIn(user, home)).status).toBe(200);
    expect((await logIn(user, elsewhere(51), { device_token })).status).toBe(200);
    expect((await logIn(user, strangers[0], { device_token })).status).toBe(200);
  });

  test('lock an account that exists and one that does not alike', async () => {
    const user = await people.makeUser();
    await lock(user);
    await lock({ account: 'surely.nobody' });
    const given = { ...wrong, code: '123456' };
    await people.set('login_failure_minutes', 15);
    for (const more of [{}, given]) {
      const [known, unknown] = [await logIn(user, elsewhere(60), more), await logIn({ account: 'surely.nobody' }, elsewhere(61), more)];
      expect(known).toEqual(unknown);
    }
  });
});

describe('a known device', () => {
  test('has as many guesses as the limit, and locks nobody else', async () => {
    const user = await people.makeUser();
    const device_token = await deviceOf(user);
    const statuses = statusesOf(await times(12, () => logIn(user, home, { ...wrong, device_token })));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect((await logIn(user, home, { device_token })).body.code).toBe('login.locked');
    expect((await logIn(user, home)).status).toBe(200);
  });

  test('stays the same device at every login', async () => {
    const user = await people.makeUser();
    const first = await deviceOf(user);
    const second = String((await logIn(user, home, { device_token: first })).body.device_token);
    expect(second.split('.')[0]).toBe(first.split('.')[0]);
    expect((await deviceOf(user)).split('.')[0]).not.toBe(first.split('.')[0]);
  });

  test('is a stranger to other accounts, after 90 days, with a forged token and after another password', async () => {
    const [user, other] = [await people.makeUser(), await people.makeUser()];
    const own = await deviceOf(user);
    const [id, ends, mac] = own.split('.');
    const forged = [await deviceOf(other), `${id}.${Number(ends) + 1}.${mac}`, `${id}x.${ends}.${mac}`.slice(1), 'x', `${own}x`, ''];
    await people.forget();
    await lock(user);
    for (const device_token of forged) expect((await logIn(user, elsewhere(70), { device_token })).body.code).toBe('login.locked');
    const today = now;
    now = new Date(now.getTime() + 90 * 86_400_000);
    expect((await logIn(user, elsewhere(70), { device_token: own })).status).toBe(429);
    now = today;
    const changed = await test_app.send(user, 'update_password/update', {
      old_password: password,
      new_password: 'coffee2026',
      repeat_password: 'coffee2026',
    });
    const given = { password: 'coffee2026' };
    expect((await logIn(user, elsewhere(70), { ...given, device_token: own })).status).toBe(429);
    expect((await logIn(user, elsewhere(70), { ...given, device_token: String(changed.body.device_token) })).status).toBe(200);
  });

  test('is not made by who acts as somebody', async () => {
    const [administrator, user] = [await people.makeUser('super'), await people.makeUser()];
    const { body } = await test_app.call(administrator, 'user_list', 'log_in_as', { id: user.id });
    expect(Object.keys(body).sort()).toEqual(['impersonator', 'must_enrol', 'token', 'user_info']);
  });
});

describe('where strangers are locked out', () => {
  test('the password lets in together with a code or a recovery code, and nothing less does', async () => {
    const user = await withSecondFactor();
    await lock(user);
    const refused = [{}, wrong, { ...wrong, code: code() }, { code: '000000' }, { ...wrong, code: '000000' }];
    const answers: unknown[] = [];
    for (const given of refused) {
      const { status, body } = await logIn(user, elsewhere(80), given);
      answers.push({ status, body });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: 429, body: { code: 'login.locked' } });
    expect((await logIn(user, elsewhere(80), { code: code() })).status).toBe(200);
    await lock(user);
    expect((await logIn(user, elsewhere(81), { code: code() })).status).toBe(429);
  });

  test('a code helps nobody who has none set up, nor a disabled account', async () => {
    const [plain, disabled] = [await people.makeUser(), await withSecondFactor()];
    await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${disabled.id}`);
    for (const user of [plain, disabled]) {
      await lock(user);
      expect((await logIn(user, elsewhere(82), { code: code() })).body.code).toBe('login.locked');
    }
  });

  test('guesses at both end at the limit of the network, and those without the password use up nobody’s codes', async () => {
    const user = await withSecondFactor();
    await lock(user);
    await times(30, () => logIn(user, elsewhere(83), { ...wrong, code: '000000' }));
    expect((await logIn(user, elsewhere(83), { code: code() })).body.code).toBe('too_many_attempts');
    const { rows } = await test_app.db.execute(sql`SELECT key FROM attempt WHERE key = ${`totp:${user.id}`}`);
    expect(rows).toEqual([]);
    expect((await logIn(user, elsewhere(84), { code: code() })).status).toBe(200);
  });
});

describe('the tries of others', () => {
  test('at the second factor use up neither a known device’s nor a session’s', async () => {
    const user = await withSecondFactor();
    const device_token = String((await logIn(user, home, { code: code() })).body.device_token);
    await test_app.db.execute(
      sql`INSERT INTO attempt (key, count, window_ends_at) VALUES (${`totp:${user.id}`}, 20, now() + interval '1 day')`,
    );
    expect((await logIn(user, home, { code: code(1) })).body.code).toBe('too_many_attempts');
    expect((await logIn(user, home, { code: code(1), device_token })).status).toBe(200);
    now = new Date(now.getTime() + 120_000);
    expect((await test_app.send(user, 'update_password/renew_recovery_codes', { password, totp: code() })).status).toBe(200);
  });

  test('in a stolen session do not keep the owner from changing his password', async () => {
    const user = await people.makeUser();
    const stolen = { ...user, token: String((await logIn(user, strangers[0])).body.token) };
    const change = (as: TestUser, old_password: string) =>
      test_app.send(as, 'update_password/update', { old_password, new_password: 'coffee2026', repeat_password: 'coffee2026' });
    await times(6, () => change(stolen, 'wrong12'));
    expect((await change(stolen, password)).status).toBe(429);
    expect((await change(user, password)).status).toBe(200);
  });
});

describe('the owner', () => {
  const messages = async (user: TestUser) =>
    (await test_app.call(user, 'message_list', 'inquire', { page: 1, page_size: 20 })).body.content.filter(({ kind }) => kind === 'alert');

  test('is told of many failures once a day, with their number and addresses', async () => {
    const user = await people.makeUser();
    await times(4, () => logIn(user, strangers[0], wrong));
    expect(await messages(user)).toEqual([]);
    await times(3, () => logIn(user, strangers[0], wrong));
    await expect.poll(() => messages(user)).toHaveLength(1);
    const [message] = await messages(user);
    expect(message?.title).toBe('您的账号有 5 次登录失败');
    expect(message?.content).toContain(strangers[0]);
    await times(5, () => logIn(user, strangers[1], wrong));
    await test_app.db.execute(sql`UPDATE attempt SET window_ends_at = now() WHERE key LIKE 'login:told:%'`);
    await times(5, () => logIn(user, strangers[2], wrong));
    await expect.poll(() => messages(user)).toHaveLength(2);
  });

  test('is shown at his next login what happened since the last one', async () => {
    const user = await people.makeUser();
    expect((await logIn(user, home)).body.failures).toBeNull();
    await logIn(user, home, wrong);
    expect((await logIn(user, home)).body.failures).toBeNull();
    await lock(user);
    expect((await logIn(user, home)).body.failures).toMatchObject({ number: 20, addresses: expect.arrayContaining([strangers[0]]) });
    expect((await logIn(user, home)).body.failures).toBeNull();
  });
});
