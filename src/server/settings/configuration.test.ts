import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../contract/enums.ts';
import { type SettingKey, settingGroups, settingKeys, settings } from '../../contract/settings.ts';
import { translate } from '../kit/messages/messages.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { expectWithin, timeOf } from '../kit/testing/within.ts';

let test_app: TestApp;
let owner: TestUser;
let administrator: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  [owner, administrator] = await Promise.all([test_app.makeUser('super'), test_app.makeUser('administrator')]);
});
afterEach(() => test_app.db.execute(sql`DELETE FROM setting`));
afterAll(() => test_app.close());

const rowOf = async (as: TestUser, key: SettingKey) =>
  (await test_app.call(as, 'configuration', 'inquire', {})).body.content.find((row) => row.key === key);
const update = (as: TestUser, values: Record<string, unknown>) => test_app.send(as, 'configuration/update', { values });

test.each(languages)('every setting and group has its name and help in %s', (language) => {
  const keys = [...settingKeys.flatMap((key) => [`${key}.title`, `${key}.help`]), ...settingGroups.map((name) => `groups.${name}`)];
  for (const key of keys) expect(translate(language, `settings.${key}`)).not.toBe(`settings.${key}`);
});

test('every default fits its own schema and has a form field', async () => {
  for (const key of settingKeys) expect(settings[key].schema.parse(settings[key].default)).toEqual(settings[key].default);
  const { content } = (await test_app.call(owner, 'configuration', 'inquire', {})).body;
  expect(content.map((row) => row.key)).toEqual(settingKeys);
  const types = Object.fromEntries(content.map((row) => [row.key, row.type]));
  expect(types).toMatchObject({
    admin_title: 'text',
    default_language: 'choice',
    maintenance: 'boolean',
    jump_schemes: 'list',
    login_failure_limit: 'number',
  });
  expect(content.find((row) => row.key === 'login_failure_limit')?.schema).toMatchObject({ minimum: 1, maximum: 1000 });
});

describe('changing settings', () => {
  test('a value is stored with who changed it, logged with before and after, and put back by a reset', async () => {
    expect(await rowOf(owner, 'admin_title')).toMatchObject({ value: '活码系统', default: '活码系统', updated_at: null, updated_by: null });
    const { status, body } = await update(administrator, { admin_title: '  新名称  ', login_failure_limit: 7 });
    expect([status, (body.content as unknown[]).length]).toEqual([200, 2]);
    const row = await rowOf(owner, 'admin_title');
    expect(row).toMatchObject({ value: '新名称', updated_by: administrator.id, updated_by_account: administrator.account });
    expect(Date.now() - Date.parse(row?.updated_at ?? '')).toBeLessThan(60_000);
    const { rows } = await test_app.db.execute(sql`SELECT changes FROM log WHERE type = 'configuration/update' ORDER BY id DESC LIMIT 1`);
    expect(rows[0]?.changes).toEqual({
      before: { admin_title: '活码系统', login_failure_limit: 5 },
      after: { admin_title: '新名称', login_failure_limit: 7 },
    });
    await test_app.call(owner, 'configuration', 'reset', { keys: ['admin_title', 'color'] });
    expect(await rowOf(owner, 'admin_title')).toMatchObject({ value: '活码系统', updated_at: null });
    expect(await rowOf(owner, 'login_failure_limit')).toMatchObject({ value: 7 });
  });

  test('what does not fit is named field by field, and then nothing at all is changed', async () => {
    const { status, body } = await update(owner, {
      maintenance: true,
      admin_title: '',
      login_failure_limit: 0,
      color: 'red',
      time_zone: 'Mars/Olympus',
      jump_schemes: ['ok', 'NOT OK'],
      socket_url: 'javascript:alert(1)',
      surely_unknown: 1,
      __proto__x: {},
    });
    expect(status).toBe(400);
    expect(body.fields).toEqual({
      'values.admin_title': 'too_short',
      'values.login_failure_limit': 'too_small',
      'values.color': 'invalid_color',
      'values.time_zone': 'invalid_time_zone',
      'values.jump_schemes.1': 'invalid_format',
      'values.socket_url': 'invalid_url',
      'values.surely_unknown': 'unknown',
      'values.__proto__x': 'unknown',
    });
    expect(await test_app.db.execute(sql`SELECT FROM setting`)).toMatchObject({ rowCount: 0 });
  });

  test.each([
    ['null', { admin_title: null }],
    ['a wrong type', { login_failure_limit: '7' }],
    ['a fraction', { login_failure_limit: 1.5 }],
    ['an overlong text', { admin_title: 'x'.repeat(61) }],
    ['a list that is none', { jump_schemes: 'weixin' }],
    ['a time zone of a file path', { time_zone: '../../etc/passwd' }],
  ])('%s is refused', async (_what, values) => {
    expect((await update(owner, values)).status).toBe(400);
  });

  test('a name that every object has is no setting', async () => {
    const answer = await test_app.send(owner, 'configuration/update', '{"values":{"__proto__":1,"constructor":2,"toString":3}}');
    expect([answer.status, answer.body.content]).not.toEqual([200, expect.anything()]);
    expect(answer.status).toBe(400);
  });

  test('two administrators changing different settings at once both succeed, and the log tells each change alone', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, index) => update(owner, { login_failure_limit: 10 + index })),
      ...Array.from({ length: 5 }, (_, index) =>
        update(administrator, { login_failure_minutes: 20 + index, login_failure_limit: 30 + index }),
      ),
    ]);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const { rows } = await test_app.db.execute<{ before: number; after: number }>(sql`
      SELECT (changes->'before'->>'login_failure_limit')::int AS before, (changes->'after'->>'login_failure_limit')::int AS after
      FROM log WHERE type = 'configuration/update' AND changes->'after' ? 'login_failure_limit' AND (changes->'after'->>'login_failure_limit')::int >= 10
      ORDER BY id DESC LIMIT 10`);
    // Every value but the first and the last is the one before of exactly one change and the one after of another.
    expect(new Set(rows.map((row) => row.before)).size).toBe(10);
    expect(new Set(rows.map((row) => row.after)).size).toBe(10);
  });
});

describe('who sees what', () => {
  test('a setting for super administrators does not exist for others, neither to see, to change nor to reset', async () => {
    expect(await rowOf(administrator, 'jump_schemes')).toBeUndefined();
    expect(await rowOf(owner, 'jump_schemes')).toBeDefined();
    expect((await update(administrator, { jump_schemes: ['javascript'] })).body.fields).toEqual({ 'values.jump_schemes': 'unknown' });
    const reset = await test_app.call(administrator, 'configuration', 'reset', { keys: ['admin_title', 'jump_schemes'] });
    expect([reset.status, reset.body.fields]).toEqual([400, { 'keys.1': 'unknown' }]);
  });

  test('a customer sees no settings at all', async () => {
    const customer = await test_app.makeUser('customer');
    expect((await test_app.call(customer, 'configuration', 'inquire', {})).status).toBe(403);
    expect((await test_app.call(customer, 'subscriber_config_default', 'inquire', {})).status).toBe(403);
  });

  test('the website info shows public settings only', async () => {
    const { body } = await test_app.call(undefined, 'website', 'info', {});
    const shown = settingKeys.filter((key) => key in body);
    expect(shown.filter((key) => settings[key].audience !== 'public')).toEqual([]);
    expect(settingKeys.filter((key) => settings[key].audience === 'public' && !(key in body))).toEqual([]);
  });
});

describe('defaults of users', () => {
  test('they are a view of the settings: changed here, they are changed there', async () => {
    const before = (await test_app.call(administrator, 'subscriber_config_default', 'inquire', {})).body;
    expect(before).toEqual({
      default_share_ratio: 10,
      online_detection: true,
      login_failure_limit: 5,
      login_failure_minutes: 15,
      admin_register: true,
      no_registration_hint: '',
    });
    const changed = await test_app.call(administrator, 'subscriber_config_default', 'update', {
      default_share_ratio: 12.5,
      admin_register: false,
      no_registration_hint: '请联系客服',
    });
    expect(changed.body).toEqual({ ...before, default_share_ratio: 12.5, admin_register: false, no_registration_hint: '请联系客服' });
    expect(await rowOf(owner, 'default_share_ratio')).toMatchObject({ value: 12.5 });
    expect((await test_app.call(undefined, 'website', 'info', {})).body).toMatchObject({ admin_register: false });
  });

  test.each([{ default_share_ratio: -1 }, { default_share_ratio: 100.5 }, { login_failure_limit: 0 }, { login_failure_minutes: 1441 }])(
    '%o is refused beside its field',
    async (input) => {
      const { status, body } = await test_app.call(administrator, 'subscriber_config_default', 'update', input);
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, Object.keys(input)]);
    },
  );
});

test('a change reaches a running process that holds its settings within a second, also one made in the database', async () => {
  const held_app = await createTestApp({ heldMilliseconds: 1000 });
  const title = async () => (await held_app.call(undefined, 'website', 'info', {})).body.title;
  expect(await title()).toBe('活码系统');
  const by = await held_app.makeUser('super');
  const until = (expected: string) => eventually(async () => expect(await title()).toBe(expected), { interval: 5 });
  await expectWithin(1000, async () => {
    await held_app.send(by, 'configuration/update', { values: { admin_title: 'by a call' } });
    return timeOf(() => until('by a call'));
  });
  await expectWithin(1000, async () => {
    await held_app.db.execute(sql`UPDATE setting SET value = '"before"' WHERE key = 'admin_title'`);
    await until('before');
    await held_app.db.execute(sql`UPDATE setting SET value = '"by hand"' WHERE key = 'admin_title'`);
    return timeOf(() => until('by hand'));
  });
  await held_app.close();
});
