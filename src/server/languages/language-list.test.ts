import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../contract/enums.ts';
import { translate } from '../kit/messages/messages.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  [administrator, customer] = await Promise.all([test_app.makeUser('administrator'), test_app.makeUser('customer')]);
});
afterEach(async () => {
  await test_app.db.execute(sql`DELETE FROM language_text`);
  await test_app.db.execute(sql`DELETE FROM language WHERE code NOT IN ('zh-CN', 'zh-TW', 'en-US', 'vi-VN', 'th-TH', 'ja-JP')`);
  await test_app.db.execute(
    sql`UPDATE language SET show_status = true, sort = 70 - 10 * array_position(ARRAY['zh-CN', 'zh-TW', 'en-US', 'vi-VN', 'th-TH', 'ja-JP'], code)`,
  );
  await test_app.db.execute(sql`DELETE FROM setting`);
});
afterAll(() => test_app.close());

const offered = async () => (await test_app.call(undefined, 'language_list', 'inquire', { show_status: 1 })).body.content;
const codes = async () => (await offered()).map(({ code }) => code);
const update = (input: Parameters<typeof test_app.call<'language_list', 'update'>>[3]) =>
  test_app.call(administrator, 'language_list', 'update', input);
const korean = {
  code: 'ko-KR',
  base: 'en-US',
  title: '한국어',
  icon: '🇰🇷',
  country: 'KR',
  abbreviation: 'KO',
  phone_area_code: '+82',
  sort: 5,
} as const;
const add = (input: object = {}) => test_app.send(administrator, 'language_list/add', { ...korean, ...input });

describe('the languages of a new site', () => {
  test('are the six complete ones, Chinese first and default, open to anybody', async () => {
    expect(await codes()).toEqual(languages);
    expect((await offered())[0]).toEqual({
      code: 'zh-CN',
      base: 'zh-CN',
      title: '简体中文',
      icon: '',
      country: 'CN',
      abbreviation: '简',
      phone_area_code: '+86',
      default_language: 2,
      version: 0,
    });
    expect((await offered()).filter((language) => language.default_language === 2)).toHaveLength(1);
    const { body } = await test_app.call(undefined, 'website', 'info', {});
    expect(body.languages.map(({ code }) => code)).toEqual(languages);
  });

  test.each(languages)('%s answers with its own words, and its whole catalogue is there', async (code) => {
    const answer = await test_app.send(undefined, 'user_list/inquire', {}, { 'accept-language': code });
    expect(answer.status).toBe(401);
    expect(answer.body.message).toBe(translate(code, 'errors.not_logged_in'));
    expect(answer.body.message).not.toBe('errors.not_logged_in');
  });

  test.each([
    ['de-DE,th;q=0.9', 'th-TH'],
    ['zh-HK', 'zh-TW'],
    ['zh-Hant-MO', 'zh-TW'],
    ['zh-SG', 'zh-CN'],
    ['ja', 'ja-JP'],
    ['xx', 'zh-CN'],
    ['', 'zh-CN'],
  ])('the header %o is answered in %s', async (header, code) => {
    const { body } = await test_app.send(undefined, 'user_list/inquire', {}, { 'accept-language': header });
    expect(body.message).toBe(translate(code, 'errors.not_logged_in'));
  });
});

describe('the list', () => {
  test('is for holders of its node, and changes are for holders of its buttons', async () => {
    for (const action of [
      'inquire_all',
      'inquire_texts',
      'update',
      'add',
      'update_text',
      'import_texts',
      'check_texts',
      'export_texts',
      'reset_texts',
      'remove',
    ])
      expect([action, (await test_app.send(customer, `language_list/${action}`, {})).status]).toEqual([action, 403]);
  });

  test('shows hidden languages too, finds by code and title, and sorts', async () => {
    await update({ code: 'th-TH', show_status: 2 });
    const all = (await test_app.call(administrator, 'language_list', 'inquire_all', {})).body;
    expect(all.content.map(({ code }) => code)).toEqual(languages);
    expect(all.content.find(({ code }) => code === 'th-TH')).toMatchObject({ show_status: 2, built_in: true, overridden: 0 });
    const found = await test_app.call(administrator, 'language_list', 'inquire_all', { search: 'th-t' });
    expect(found.body.content.map(({ code }) => code)).toEqual(['th-TH']);
    expect((await test_app.call(administrator, 'language_list', 'inquire_all', { show_status: 2 })).body.total).toBe(1);
    expect((await test_app.call(administrator, 'language_list', 'inquire_all', { search: '%' })).body.total).toBe(0);
  });

  test('a hidden language is neither offered nor spoken', async () => {
    expect((await update({ code: 'th-TH', show_status: 2 })).status).toBe(200);
    expect(await codes()).not.toContain('th-TH');
    expect((await test_app.call(undefined, 'website', 'info', {})).body.languages.map(({ code }) => code)).not.toContain('th-TH');
    const { body } = await test_app.send(undefined, 'user_list/inquire', {}, { 'accept-language': 'th-TH' });
    expect(body.message).toBe(translate('zh-CN', 'errors.not_logged_in'));
  });

  test('the default language cannot be hidden, nor can a hidden one become the default', async () => {
    const hidden = await update({ code: 'zh-CN', show_status: 2 });
    expect([hidden.status, hidden.body.fields]).toEqual([400, { show_status: 'default_stays_shown' }]);
    await update({ code: 'ja-JP', show_status: 2 });
    const made = await update({ code: 'ja-JP', default_language: 2 });
    expect([made.status, made.body.fields]).toEqual([400, { show_status: 'default_stays_shown' }]);
    const set = await test_app.send(administrator, 'configuration/update', { values: { default_language: 'ja-JP' } });
    expect([set.status, set.body.fields]).toEqual([400, { 'values.default_language': 'language_hidden' }]);
  });

  test('another default is the one of the settings, of the website info and of callers without a language', async () => {
    expect((await update({ code: 'en-US', default_language: 2 })).body).toMatchObject({ default_language: 2 });
    expect((await test_app.call(undefined, 'website', 'info', {})).body.default_language).toBe('en-US');
    const { body } = await test_app.send(undefined, 'user_list/inquire', {}, { 'accept-language': 'xx' });
    expect(body.message).toBe(translate('en-US', 'errors.not_logged_in'));
    expect((await update({ code: 'zh-CN', show_status: 2 })).status).toBe(200);
    const reset = await test_app.call(administrator, 'configuration', 'reset', { keys: ['default_language'] });
    expect([reset.status, reset.body.fields]).toEqual([400, { 'values.default_language': 'language_hidden' }]);
  });

  test('hiding a language and making it the default at the same moment never both succeed', async () => {
    for (let round = 0; round < 6; round++) {
      const [hide, make] = await Promise.all([
        update({ code: 'vi-VN', show_status: 2 }),
        test_app.send(administrator, 'configuration/update', { values: { default_language: 'vi-VN' } }),
      ]);
      expect([hide.status, make.status].sort()).toEqual([200, 400]);
      await test_app.db.execute(sql`DELETE FROM setting`);
      await update({ code: 'vi-VN', show_status: 1 });
    }
  });

  test('the greater rank stands first, and a language goes before all others on demand', async () => {
    await test_app.call(administrator, 'language_list', 'update_sort', { code: 'ja-JP', sort: null });
    expect((await codes())[0]).toBe('ja-JP');
    const answers = await Promise.all(
      ['th-TH', 'vi-VN', 'en-US'].map((code) => test_app.call(administrator, 'language_list', 'update_sort', { code, sort: null })),
    );
    expect(new Set(answers.map(({ body }) => body.sort)).size).toBe(3);
    await test_app.call(administrator, 'language_list', 'update_sort', { code: 'ja-JP', sort: 0 });
    expect((await codes()).at(-1)).toBe('ja-JP');
  });

  test('the log tells what was changed', async () => {
    await update({ code: 'th-TH', title: 'ภาษาไทย' });
    await update({ code: 'th-TH', title: 'ไทย' });
    const { rows } = await test_app.db.execute(sql`SELECT changes FROM log WHERE type = 'language_list/update' ORDER BY id DESC LIMIT 1`);
    expect(rows[0]?.changes).toEqual({ before: { title: 'ภาษาไทย' }, after: { title: 'ไทย' } });
  });
});

describe('an added language', () => {
  test('is offered, speaks the words of its base until they are overwritten, and can be removed', async () => {
    const { status, body } = await add();
    expect([status, body]).toMatchObject([200, { code: 'ko-KR', base: 'en-US', built_in: false, overridden: 0, default_language: 1 }]);
    expect(await codes()).toEqual([...languages, 'ko-KR']);
    const words = async () => (await test_app.send(undefined, 'user_list/inquire', {}, { 'accept-language': 'ko-KR' })).body.message;
    expect(await words()).toBe(translate('en-US', 'errors.not_logged_in'));
    await test_app.call(administrator, 'language_list', 'update_text', {
      code: 'ko-KR',
      key: 'errors.not_logged_in',
      text: '로그인하세요',
    });
    expect(await words()).toBe('로그인하세요');
    const login = await test_app.send(undefined, 'admin/login', { account: 'nobody-here', password: 'x', language: 'ko-KR' });
    expect(login.body.code).toBe('login.wrong');
    expect((await test_app.call(administrator, 'language_list', 'remove', { code: 'ko-KR' })).body).toEqual({ affected: 1 });
    expect(await codes()).toEqual(languages);
    expect(await words()).toBe(translate('zh-CN', 'errors.not_logged_in'));
    expect(await test_app.db.execute(sql`SELECT FROM language_text`)).toMatchObject({ rowCount: 0 });
  });

  test('of a code that exists is refused, whatever many ask for it at once', async () => {
    expect((await add({ code: 'zh-CN' })).body.fields).toEqual({ code: 'taken' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => add()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.fields).toEqual({ code: 'taken' });
  });

  test.each([
    [{ code: 'KO' }, 'code', 'invalid_language_code'],
    [{ code: '../../etc' }, 'code', 'invalid_language_code'],
    [{ code: '__proto__' }, 'code', 'invalid_language_code'],
    [{ base: 'ko-KR' }, 'base', 'invalid_choice'],
    [{ title: ' ' }, 'title', 'required'],
    [{ country: 'Korea' }, 'country', 'invalid_country'],
    [{ phone_area_code: '82' }, 'phone_area_code', 'invalid_phone_area_code'],
    [{ sort: -1 }, 'sort', 'too_small'],
    [{ show_status: 3 }, 'show_status', 'invalid_choice'],
  ])('with %o is refused beside its field', async (input, field, code) => {
    const { status, body } = await add(input);
    expect([status, body.fields]).toEqual([400, { [field]: code }]);
  });

  test('cannot be the default, and built-in ones cannot be removed', async () => {
    await add();
    expect((await update({ code: 'ko-KR', default_language: 2 })).body.fields).toEqual({ default_language: 'only_built_in' });
    const kept = await test_app.call(administrator, 'language_list', 'remove', { code: 'ja-JP' });
    expect([kept.status, kept.body.code]).toEqual([409, 'language_list.built_in']);
    expect((await test_app.call(administrator, 'language_list', 'remove', { code: 'xx' })).status).toBe(404);
    expect((await update({ code: 'xx', title: 'x' })).status).toBe(404);
  });
});
