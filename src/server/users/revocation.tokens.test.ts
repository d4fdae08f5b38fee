import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { createPeople, type People, password } from './testing/people.ts';

let test_app: TestApp;
let people: People;
let administrator: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  administrator = await people.makeUser('super');
});
afterAll(() => test_app.close());
beforeEach(() => people.forget());

const tokenOf = async (user: TestUser, expires_at: string | null = null) =>
  (await test_app.call(user, 'api_token', 'add', { name: 'nightly', nodes: ['domain_list'], expires_at })).body.token;
const works = async (user: TestUser, token: string) =>
  (await test_app.call({ ...user, token }, 'domain_list', 'inquire', {})).status === 200;
const lastLog = async (type: string) => {
  const { rows } = await test_app.db.execute<{ content: object; changes: object }>(
    sql`SELECT content, changes FROM log WHERE type = ${type} ORDER BY id DESC LIMIT 1`,
  );
  return rows[0];
};
const fresh = 'coffee2026';

describe('a password that an administrator gives', () => {
  test.each([
    ['ends the tokens where nothing is said', {}, false],
    ['ends them where that is said', { revoke_api_tokens: true }, false],
    ['leaves them where that is said', { revoke_api_tokens: false }, true],
  ])('%s', async (_claim, more, stays) => {
    const [user, other] = [await people.makeUser(), await people.makeUser()];
    const [token, others] = [await tokenOf(user), await tokenOf(other)];
    const { status } = await test_app.call(administrator, 'user_list', 'update_password', { id: user.id, password: fresh, ...more });
    expect([status, await works(user, token), await works(other, others)]).toEqual([200, stays, true]);
    const row = await lastLog('user_list/update_password');
    expect(row?.changes).toMatchObject({ after: { revoke_api_tokens: !stays } });
    if (!stays)
      expect(row?.changes).toMatchObject({ before: { api_tokens: { number: 1, tokens: [{ name: 'nightly', user_id: user.id }] } } });
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test('does the same for administrators', async () => {
    const user = await people.makeUser('administrator');
    const token = await tokenOf(user);
    await test_app.call(administrator, 'administrators', 'update_password', { id: user.id, password: fresh });
    expect(await works(user, token)).toBe(false);
  });

  test('lets in who was locked out', async () => {
    const user = await people.makeUser();
    const from = '198.51.100.30';
    for (let guess = 0; guess < 6; guess += 1) await people.post('admin/login', { account: user.account, password: 'wrong12' }, from);
    await test_app.call(administrator, 'user_list', 'update_password', { id: user.id, password: fresh });
    expect((await people.post('admin/login', { account: user.account, password: fresh }, from)).status).toBe(200);
  });
});

describe('a forced refresh', () => {
  test('leaves the tokens, unless they are to end', async () => {
    const [one, two] = [await people.makeUser(), await people.makeUser()];
    const [first, second] = [await tokenOf(one), await tokenOf(two)];
    await test_app.call(administrator, 'user_list', 'force_refresh', { ids: [one.id, two.id] });
    expect([await works(one, first), await works(two, second)]).toEqual([true, true]);
    await test_app.call(administrator, 'user_list', 'force_refresh', { ids: [one.id], revoke_api_tokens: true });
    expect([await works(one, first), await works(two, second)]).toEqual([false, true]);
    expect(await lastLog('user_list/force_refresh')).toMatchObject({ changes: { before: { api_tokens: { number: 1 } } } });
  });

  test('of everybody reaches those of the list only, and not the caller’s own', async () => {
    const [customer, colleague] = [await people.makeUser(), await people.makeUser('administrator')];
    const [token, colleagues, own] = [await tokenOf(customer), await tokenOf(colleague), await tokenOf(administrator)];
    await test_app.call(administrator, 'user_list', 'force_refresh_all', {});
    expect(await works(customer, token)).toBe(true);
    await test_app.call(administrator, 'user_list', 'force_refresh_all', { revoke_api_tokens: true });
    expect([await works(customer, token), await works(colleague, colleagues)]).toEqual([false, true]);
    await test_app.call(administrator, 'administrators', 'force_refresh_all', { revoke_api_tokens: true });
    expect([await works(colleague, colleagues), await works(administrator, own)]).toEqual([false, true]);
  });
});

test('a password of one’s own leaves the tokens, unless they are to end', async () => {
  const user = await people.makeUser();
  const token = await tokenOf(user);
  const change = (old_password: string, new_password: string, more: { revoke_api_tokens?: boolean } = {}) =>
    test_app.call(user, 'update_password', 'update', { old_password, new_password, repeat_password: new_password, ...more });
  expect((await change(password, fresh)).status).toBe(200);
  expect(await works(user, token)).toBe(true);
  expect((await change(fresh, password, { revoke_api_tokens: true })).status).toBe(200);
  expect(await works(user, token)).toBe(false);
  expect(await lastLog('update_password/update')).toMatchObject({ content: { revoke_api_tokens: true } });
});

test('only the tokens that may be used are counted', async () => {
  const user = await people.makeUser();
  const counts = async () => [
    (await test_app.call(user, 'update_password', 'api_tokens', {})).body.number,
    (await test_app.call(administrator, 'user_list', 'inquire', { search: user.account })).body.content[0]?.api_token_number,
  ];
  await tokenOf(user);
  await tokenOf(user);
  await tokenOf(user, new Date(Date.now() + 3_600_000).toISOString());
  expect(await counts()).toEqual([3, 3]);
  await test_app.db.execute(sql`UPDATE api_token SET expires_at = now() WHERE user_id = ${user.id} AND expires_at IS NOT NULL`);
  await test_app.db.execute(
    sql`UPDATE api_token SET revoked_at = now() WHERE id = (SELECT min(id) FROM api_token WHERE user_id = ${user.id})`,
  );
  expect(await counts()).toEqual([1, 1]);
});
