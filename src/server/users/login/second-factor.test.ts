import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RoleKind } from '../../../contract/enums.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { createPeople, type People, password } from '../testing/people.ts';
import { stepOf, totpCode } from './totp.ts';

let test_app: TestApp;
let people: People;
let now = new Date('2026-11-20T12:00:00Z');
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  people = await createPeople(test_app);
});
afterAll(() => test_app.close());
beforeEach(() => people.forget());

const later = (steps = 1) => {
  now = new Date(now.getTime() + steps * 30_000);
};
/** The code that an app would show, some steps from now. */
const codeOf = (key: string, steps = 0) => totpCode(readBase32(key), stepOf(now) + steps);

function readBase32(key: string): Buffer {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const makeUser = (kind?: RoleKind) => people.makeUser(kind);
type Action = 'enrol_second_factor' | 'confirm_second_factor' | 'disable_second_factor' | 'renew_recovery_codes' | 'second_factor';
const call = (as: TestUser, action: Action, input: object) => test_app.send(as, `update_password/${action}`, input);
const logIn = (user: TestUser, code?: string, given = password) => people.logIn(user, { code, password: given });
const mandatory = () => people.set('google_verification', true);

async function enrol(user: TestUser): Promise<{ key: string; recovery_codes: string[] }> {
  const { body } = await call(user, 'enrol_second_factor', { password });
  const key = String(body.secret);
  const confirmed = await call(user, 'confirm_second_factor', { totp: codeOf(key) });
  expect(confirmed.status).toBe(200);
  later();
  return { key, recovery_codes: confirmed.body.recovery_codes as string[] };
}

describe('setting up', () => {
  test('needs the password, waits for a first code, then asks at every login', async () => {
    const user = await makeUser();
    expect((await call(user, 'enrol_second_factor', {})).body.fields).toEqual({ password: 'required' });
    expect((await call(user, 'enrol_second_factor', { password: 'wrong12' })).body.fields).toEqual({ password: 'wrong_password' });
    const { body } = await call(user, 'enrol_second_factor', { password });
    expect(body.url).toMatch(/^otpauth:\/\/totp\//);
    expect(new URL(String(body.url)).searchParams.get('secret')).toBe(body.secret);
    expect((await logIn(user)).status).toBe(200);
    expect((await call(user, 'confirm_second_factor', { totp: '000000' })).body.fields).toEqual({ totp: 'wrong_code' });
    expect((await logIn(user)).status).toBe(200);

    const confirmed = await call(user, 'confirm_second_factor', { totp: codeOf(String(body.secret)) });
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect((await call(user, 'second_factor', {})).body).toMatchObject({ enabled: true, mandatory: false, recovery_codes_left: 10 });
    const asked = await logIn(user);
    expect([asked.status, asked.body.code, asked.body.message]).toEqual([401, 'login.second_factor_required', '请输入两步验证码']);
    later();
    expect((await logIn(user, codeOf(String(body.secret)))).status).toBe(200);
  });

  test('ends the sessions that were opened without it', async () => {
    const user = await makeUser();
    const other = { ...user, token: String((await logIn(user)).body.token) };
    expect((await test_app.call(other, 'admin', 'get_info', {})).status).toBe(200);
    await enrol(user);
    expect((await test_app.call(other, 'admin', 'get_info', {})).status).toBe(401);
    expect((await test_app.call(user, 'admin', 'get_info', {})).status).toBe(200);
  });

  test('is over after 15 minutes, and cannot be confirmed twice', async () => {
    const user = await makeUser();
    const key = String((await call(user, 'enrol_second_factor', { password })).body.secret);
    later(31);
    expect((await call(user, 'confirm_second_factor', { totp: codeOf(key) })).body.code).toBe('second_factor.not_pending');
    const again = String((await call(user, 'enrol_second_factor', { password })).body.secret);
    const totp = codeOf(again);
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(user, 'confirm_second_factor', { totp })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('again, on another phone, needs a code of the present one, which works until the new one is confirmed', async () => {
    const user = await makeUser();
    const { key } = await enrol(user);
    expect((await call(user, 'enrol_second_factor', { password })).body.fields).toEqual({ totp: 'required' });
    expect((await call(user, 'enrol_second_factor', { password, totp: '123123' })).body.fields).toEqual({ totp: 'wrong_code' });
    const fresh = String((await call(user, 'enrol_second_factor', { password, totp: codeOf(key) })).body.secret);
    later();
    expect((await logIn(user, codeOf(key))).status).toBe(200);
    expect((await call(user, 'confirm_second_factor', { totp: codeOf(fresh) })).status).toBe(200);
    later();
    expect((await logIn(user, codeOf(key))).body.code).toBe('login.second_factor_wrong');
    expect((await logIn(user, codeOf(fresh))).status).toBe(200);
  });

  test('keeps the key encrypted and the recovery codes hashed', async () => {
    const user = await makeUser();
    const { key, recovery_codes } = await enrol(user);
    const { rows } = await test_app.db.execute<{ everything: string }>(
      sql`SELECT (SELECT jsonb_agg(to_jsonb(f)) FROM second_factor f)::text || (SELECT jsonb_agg(to_jsonb(c)) FROM recovery_code c)::text
        || (SELECT jsonb_agg(to_jsonb(l)) FROM log l)::text || (SELECT coalesce(jsonb_agg(to_jsonb(r)), '[]') FROM request_answer r)::text AS everything`,
    );
    const everything = rows[0]?.everything ?? '';
    expect(everything).not.toContain(readBase32(key).toString('hex'));
    for (const secret of [key, password, ...recovery_codes]) expect(everything).not.toContain(secret);
  });
});

describe('a code', () => {
  test('used 50 times at once opens one session', async () => {
    const user = await makeUser();
    const { key } = await enrol(user);
    await people.set('login_failure_limit', 1000);
    const codes = Array.from({ length: 50 }, () => codeOf(key));
    const answers = await Promise.all(codes.map((code) => logIn(user, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401 || status === 429)).toHaveLength(49);
    await people.forget();
    expect((await logIn(user, codeOf(key))).body.code).toBe('login.second_factor_wrong');
  });

  test('works neither for somebody else nor with a wrong password, and one before the last used one is worth nothing', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [{ key }, { key: others }] = [await enrol(user), await enrol(other)];
    later();
    expect((await logIn(user, codeOf(others))).body.code).toBe('login.second_factor_wrong');
    expect((await logIn(user, codeOf(key), 'wrong12')).body.code).toBe('login.wrong');
    expect((await logIn(user, codeOf(key, 1))).status).toBe(200);
    expect((await logIn(user, codeOf(key))).body.code).toBe('login.second_factor_wrong');
  });

  test('may be typed with spaces and in full-width digits', async () => {
    const user = await makeUser();
    const { key } = await enrol(user);
    const wide = [...codeOf(key)].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    expect((await logIn(user, ` ${wide.slice(0, 3).join('')} ${wide.slice(3).join('')} `)).status).toBe(200);
  });

  test('is guessed no more often than logins may fail, and the right one still counts afterwards', async () => {
    const user = await makeUser();
    const { key } = await enrol(user);
    const wrong = codeOf(key, 50) === codeOf(key) ? '000001' : codeOf(key, 50);
    const guess = (code: string) => people.post('admin/login', { account: user.account, password, code }, '198.51.100.20');
    const answers = await Promise.all(Array.from({ length: 8 }, () => guess(wrong)));
    expect(answers.filter(({ body }) => body.code === 'login.second_factor_wrong')).toHaveLength(5);
    expect(answers.filter(({ body }) => body.code === 'login.locked')).toHaveLength(3);
    expect((await guess(codeOf(key))).status).toBe(200);
  });

  test('is guessed at most twenty times a day, over any number of windows', async () => {
    const user = await makeUser();
    await enrol(user);
    const codes: (string | undefined)[] = [];
    for (let guess = 0; guess < 22; guess += 1) {
      await test_app.db.execute(sql`DELETE FROM attempt WHERE key LIKE 'login:%'`);
      codes.push((await logIn(user, '000000')).body.code);
    }
    expect(codes.filter((code) => code === 'login.second_factor_wrong')).toHaveLength(20);
    expect(codes.slice(20)).toEqual(['too_many_attempts', 'too_many_attempts']);
  });
});

describe('a recovery code', () => {
  test('works once, whatever its letter case, also when it is used ten times at once', async () => {
    const user = await makeUser();
    const { recovery_codes } = await enrol(user);
    const [one = '', two = ''] = recovery_codes;
    expect((await logIn(user, one.toUpperCase().replace('-', ' '))).status).toBe(200);
    expect((await logIn(user, one)).body.code).toBe('login.second_factor_wrong');
    await people.set('login_failure_limit', 1000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => logIn(user, two)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await call(user, 'second_factor', {})).body.recovery_codes_left).toBe(8);
  });

  test('of somebody else is worth nothing', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    await enrol(user);
    const { recovery_codes } = await enrol(other);
    expect((await logIn(user, recovery_codes[0])).body.code).toBe('login.second_factor_wrong');
  });

  test('new ones need password and code, and replace the former ones', async () => {
    const user = await makeUser();
    const { key, recovery_codes } = await enrol(user);
    expect((await call(user, 'renew_recovery_codes', { password: 'wrong12', totp: codeOf(key) })).body.fields).toEqual({
      password: 'wrong_password',
    });
    expect((await call(user, 'renew_recovery_codes', { password, totp: '000000' })).body.fields).toEqual({ totp: 'wrong_code' });
    const { body } = await call(user, 'renew_recovery_codes', { password, totp: codeOf(key) });
    const fresh = body.recovery_codes as string[];
    expect(new Set([...fresh, ...recovery_codes]).size).toBe(20);
    expect((await logIn(user, recovery_codes[0])).body.code).toBe('login.second_factor_wrong');
    expect((await logIn(user, fresh[0])).status).toBe(200);
  });
});

test('switching it off needs password and code', async () => {
  const user = await makeUser();
  const never = await call(user, 'disable_second_factor', { password, totp: '000000' });
  expect([never.status, never.body.code]).toEqual([409, 'second_factor.not_enabled']);
  const { key } = await enrol(user);
  expect((await call(user, 'disable_second_factor', { password, totp: '000000' })).body.fields).toEqual({ totp: 'wrong_code' });
  expect((await call(user, 'disable_second_factor', { password: 'wrong12', totp: codeOf(key) })).body.fields).toEqual({
    password: 'wrong_password',
  });
  expect((await call(user, 'disable_second_factor', { password, totp: codeOf(key) })).body.affected).toBe(1);
  expect((await logIn(user)).status).toBe(200);
});

describe('where administrators must have one', () => {
  test('an administrator without it can do nothing but set it up; then the same session is whole', async () => {
    const user = await makeUser('administrator');
    await mandatory();
    const login = await logIn(user);
    expect(login.body).toMatchObject({ must_enrol: true });
    const as = { ...user, token: String(login.body.token) };
    for (const [path, input] of [
      ['user_list/inquire', {}],
      ['preference/inquire', {}],
      ['update_password/sessions', {}],
      ['update_password/update', { old_password: password, new_password: 'tea2027', repeat_password: 'tea2027' }],
    ] as const) {
      const refused = await test_app.send(as, path, input);
      expect([refused.status, refused.body.code]).toEqual([403, 'second_factor.enrolment_required']);
    }
    const upload = await test_app.app.inject({
      method: 'POST',
      url: '/api/file/add',
      headers: { authorization: `Bearer ${as.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '',
    });
    expect(upload.statusCode).toBe(403);
    expect((await test_app.call(as, 'admin', 'get_token_menu', {})).body.tree_menu_arr).toEqual([]);
    expect((await test_app.call(as, 'admin', 'get_info', {})).body.must_enrol).toBe(true);

    const { body } = await call(as, 'enrol_second_factor', {});
    expect((await call(as, 'confirm_second_factor', { totp: codeOf(String(body.secret)) })).status).toBe(200);
    expect((await test_app.call(as, 'admin', 'get_info', {})).body.must_enrol).toBe(false);
    expect((await test_app.send(as, 'user_list/inquire', {})).status).toBe(200);
    const off = await call(as, 'disable_second_factor', { password, totp: codeOf(String(body.secret), 1) });
    expect([off.status, off.body.code]).toEqual([409, 'second_factor.mandatory']);
  });

  test('the switch reaches sessions that are open already, and customers not at all', async () => {
    const [administrator, customer] = [await makeUser('super'), await makeUser()];
    expect((await test_app.send(administrator, 'user_list/inquire', {})).status).toBe(200);
    await mandatory();
    expect((await test_app.send(administrator, 'user_list/inquire', {})).body.code).toBe('second_factor.enrolment_required');
    expect((await test_app.call(customer, 'domain_list', 'inquire', {})).status).toBe(200);
    await test_app.db.execute(sql`DELETE FROM setting`);
    expect((await test_app.send(administrator, 'user_list/inquire', {})).status).toBe(200);
  });
});
