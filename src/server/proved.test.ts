import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { groups } from '../contract/api.ts';
import type { Call, Group } from '../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';
import { openVault } from './kit/vault.ts';
import { hashPassword } from './users/login/passwords.ts';
import { totpLabel } from './users/login/second-factor.ts';
import { stepOf, totpCode } from './users/login/totp.ts';

const absent = { id: 999_999_999 };
const server = { name: 'a', host: 'a.example.com', port: 22, ssh_user: 'a', auth: 'password' as const };
const schedule = { name: 'a', script_id: 1, server_ids: [1], cron: '0 0 * * *', time_zone: 'UTC' };
const update = { server_ids: [1] };

/** Every call that asks again who is there, with an input that it takes. */
const proved: Record<string, object> = {
  'bill/lift': { ...absent, reason: 'a' },
  'pay_config/update': { url: 'https://node.example.com' },
  'restored_copy/declare_site': {},
  'script/add': { name: 'a', body: 'true' },
  'script/remove': absent,
  'script/run': { ...absent, ...update },
  'script/update': absent,
  'script_schedule/add': schedule,
  'script_schedule/remove': absent,
  'script_schedule/update': absent,
  'script_schedule/update_enabled': { ...absent, enabled: true },
  'server_list/add': server,
  'server_list/pin': { ...absent, host_key: `SHA256:${'a'.repeat(43)}` },
  'server_list/remove': absent,
  'server_list/update': absent,
  'server_list/update_back': update,
  'server_list/update_code': update,
  'server_list/update_front': update,
  'tron/reveal': absent,
  'update_password/disable_second_factor': {},
  'update_password/enrol_second_factor': {},
  'update_password/renew_recovery_codes': {},
  'withdrawal_list/approve': absent,
};

const calls = new Map(
  Object.values(groups as Record<string, Group>).flatMap((group) =>
    Object.entries(group.calls).map(([action, call]): [string, Call] => [`${group.name}/${action}`, call]),
  ),
);
const password = 'correct-horse-1';
const secret = randomBytes(20);
let test_app: TestApp;
let owner: TestUser;
let unenrolled: TestUser;
const code = () => totpCode(secret, stepOf(new Date()));
const tries = async () => (await test_app.db.execute(sql`SELECT key FROM attempt WHERE count > 0`)).rows.length;

beforeAll(async () => {
  test_app = await createTestApp();
  const { db, dataDir } = test_app;
  [owner, unenrolled] = [await test_app.makeUser('super'), await test_app.makeUser('super')];
  const sealed = (await openVault(db, dataDir, undefined)).seal(secret, totpLabel(owner.id));
  await db.execute(
    sql`UPDATE user_account SET password_hash = ${await hashPassword(password)} WHERE id IN (${owner.id}, ${unenrolled.id})`,
  );
  await db.execute(sql`INSERT INTO second_factor (user_id, secret, confirmed_at) VALUES (${owner.id}, ${sealed}, now())`);
  await db.execute(sql`UPDATE pay_config SET network = 'tron'`);
});
afterAll(() => test_app.close());
beforeEach(async () => {
  await test_app.db.execute(sql`DELETE FROM attempt`);
});

test('the calls that ask again who is there are these, and none is for API tokens or tells a log what was given', () => {
  const found = [...calls].filter(([, call]) => call.proved);
  expect(found.map(([path]) => path).toSorted()).toEqual(Object.keys(proved));
  for (const [path, { machines, secrets }] of found)
    expect({ path, machines, secrets }).toEqual({ path, machines: false, secrets: expect.arrayContaining(['password', 'totp']) });
});

describe.each(Object.entries(proved))('%s', (path, input) => {
  const send = async (proof: object, as = owner) => (await test_app.send(as, path, { ...input, ...proof })).body;

  test('is refused without a proof and with a wrong one, and counts what was tried', async () => {
    expect(await send({})).toMatchObject({ code: 'input.invalid', fields: { password: 'required' } });
    expect(await send({ password })).toMatchObject({ code: 'input.invalid', fields: { totp: 'required' } });
    expect(await tries()).toBe(0);
    expect(await send({ password: 'wrong', totp: code() })).toMatchObject({
      code: 'input.invalid',
      fields: { password: 'wrong_password' },
    });
    expect(await tries()).toBeGreaterThan(0);
    expect(await send({ password, totp: '000000' })).toMatchObject({ code: 'input.invalid', fields: { totp: 'wrong_code' } });
  });

  test('looks at rights and input first', async () => {
    const wrong = { password: 'wrong', totp: code() };
    expect(await send({ ...wrong, surplus: 1 })).toMatchObject({ code: 'input.invalid', fields: { surplus: 'unknown' } });
    const terms = calls.get(path)?.proved;
    const needsCode = typeof terms === 'object' && (terms.needs_code || terms.super_only);
    if (needsCode) expect(await send(wrong, unenrolled)).toMatchObject({ code: 'second_factor.not_enabled' });
    const customer = await test_app.makeUser('customer');
    const everybody = path.startsWith('update_password/');
    if (!everybody) expect(await send(wrong, customer)).toMatchObject({ code: 'forbidden' });
    expect(await tries()).toBe(0);
  });
});

test.each([
  ['script/run', { dry: true }],
  ['server_list/update_back', { dry: true }],
  ['script_schedule/update_enabled', { enabled: false }],
])('%s asks nobody again where it says so, and takes super administrators only all the same', async (path, exempt) => {
  const input = { ...proved[path], ...exempt };
  expect((await test_app.send(owner, path, input)).body.fields ?? {}).not.toHaveProperty('password');
  const administrator = await test_app.makeUser('administrator');
  expect(['server_list.super_only', 'forbidden']).toContain((await test_app.send(administrator, path, input)).body.code);
});
