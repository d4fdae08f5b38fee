import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ImportedTexts, maxText } from '../../contract/system/language-list.ts';
import { builtInTexts } from '../kit/messages/messages.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { readTexts, textFault } from './languages.rules.ts';

let test_app: TestApp;
let administrator: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
});
afterEach(() => test_app.db.execute(sql`DELETE FROM language_text`));
afterAll(() => test_app.close());

const code = 'en-US';
const write = (key: string, text: string) => test_app.call(administrator, 'language_list', 'update_text', { code, key, text });
const given = async () => (await test_app.call(undefined, 'language_list', 'texts', { code })).body;
const rows = async (input: object = {}) => (await test_app.call(administrator, 'language_list', 'inquire_texts', { code, ...input })).body;
const stored = async () => {
  const found = await test_app.db.execute<{ key: string; text: string }>(sql`SELECT key, text FROM language_text ORDER BY key`);
  return Object.fromEntries(found.rows.map(({ key, text }) => [key, text]));
};
const check = async (json: unknown) =>
  (
    await test_app.call(administrator, 'language_list', 'check_texts', {
      code,
      json: typeof json === 'string' ? json : JSON.stringify(json),
    })
  ).body;
const take = async (json: unknown) =>
  (
    await test_app.call(administrator, 'language_list', 'import_texts', {
      code,
      json: typeof json === 'string' ? json : JSON.stringify(json),
    })
  ).body;
const states = ({ results }: ImportedTexts) => Object.fromEntries(results.map(({ key, state }) => [key, state]));

describe('a text in the place of a built-in one', () => {
  test('is what the server says from then on, with its gaps filled, until it is put back', async () => {
    expect((await write('errors.too_many_attempts', 'Slow down for {{minutes}} min')).body).toMatchObject({
      key: 'errors.too_many_attempts',
      text: 'Slow down for {{minutes}} min',
      updated_by_account: administrator.account,
    });
    await write('errors.not_logged_in', 'Come in first');
    const message = async () => (await test_app.send(undefined, 'user_list/inquire', {}, { 'accept-language': code })).body.message;
    expect(await message()).toBe('Come in first');
    const { texts, version } = await given();
    expect(texts).toEqual({ 'errors.not_logged_in': 'Come in first', 'errors.too_many_attempts': 'Slow down for {{minutes}} min' });
    expect(
      (await test_app.call(administrator, 'language_list', 'reset_texts', { code, keys: ['errors.not_logged_in', 'common.save'] })).body,
    ).toEqual({ affected: 1 });
    expect(await message()).toBe(builtInTexts(code).get('errors.not_logged_in'));
    expect((await given()).version).toBeGreaterThan(version);
  });

  test('that equals the built-in one takes the other away', async () => {
    await write('common.save', 'Keep');
    expect((await write('common.save', builtInTexts(code).get('common.save') ?? '')).body.text).toBeNull();
    expect(await stored()).toEqual({});
  });

  test.each([
    ['common.save', '{{surprise}}', 'text', 'text_unknown_gap'],
    ['errors.too_many_attempts', 'Later', 'text', 'text_missing_gap'],
    ['errors.too_many_attempts', 'In {{minutes}} {{ minutes', 'text', 'text_malformed_gap'],
    ['errors.too_many_attempts', '{{minutes, uppercase}}', 'text', 'text_malformed_gap'],
    ['common.save', '$t(common.save)', 'text', 'text_malformed_gap'],
    ['common.save', ' \n ', 'text', 'text_empty'],
    ['common.save', '', 'text', 'required'],
    ['common.save', 'a\u0007b', 'text', 'text_invalid_characters'],
    ['common.save', 'x'.repeat(maxText + 1), 'text', 'too_long'],
    ['common.unheard_of', 'x', 'key', 'text_unknown_key'],
    ['__proto__', 'x', 'key', 'text_unknown_key'],
    ['common', 'x', 'key', 'text_unknown_key'],
  ])('at %s, %o is refused beside its field', async (key, text, field, fault) => {
    const { status, body } = await write(key, text);
    expect([status, body.fields]).toEqual([400, { [field]: fault }]);
    expect(await stored()).toEqual({});
  });

  test('of a language that does not exist is not found', async () => {
    const { status } = await test_app.call(administrator, 'language_list', 'update_text', { code: 'xx', key: 'common.save', text: 'x' });
    expect(status).toBe(404);
    expect((await test_app.call(undefined, 'language_list', 'texts', { code: 'xx' })).status).toBe(404);
  });

  test('that no longer fits its key is left out of what is said', async () => {
    await test_app.db.execute(
      sql`INSERT INTO language_text (code, key, text) VALUES (${code}, 'errors.too_many_attempts', 'No gap'), (${code}, 'gone.key', 'x')`,
    );
    expect((await given()).texts).toEqual({});
  });

  test('is written by twenty at once without losing one', async () => {
    const keys = [...builtInTexts(code)]
      .filter(([key, text]) => key.startsWith('common.') && !text.includes('{{'))
      .map(([key]) => key)
      .slice(0, 20);
    const answers = await Promise.all(keys.map((key, index) => write(key, `text ${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect((await given()).texts).toEqual(Object.fromEntries(keys.map((key, index) => [key, `text ${index}`])));
  });

  test('is logged with what stood there before', async () => {
    await write('common.save', 'One');
    await write('common.save', 'Two');
    const found = await test_app.db.execute(sql`SELECT changes FROM log WHERE type = 'language_list/update_text' ORDER BY id DESC LIMIT 1`);
    expect(found.rows[0]?.changes).toEqual({ before: { 'common.save': 'One' }, after: { 'common.save': 'Two' } });
  });
});

describe('the list of texts', () => {
  test('finds by key, built-in text and own text, and tells the overwritten ones apart', async () => {
    await write('common.save', 'Zebra crossing');
    expect((await rows()).total).toBe(builtInTexts(code).size);
    expect((await rows({ search: 'zebra' })).content).toMatchObject([{ key: 'common.save', built_in: 'Save', text: 'Zebra crossing' }]);
    expect((await rows({ search: 'COMMON.SAVE' })).content[0]).toMatchObject({ key: 'common.save' });
    expect((await rows({ overridden: true })).total).toBe(1);
    expect((await rows({ overridden: false })).total).toBe(builtInTexts(code).size - 1);
    expect((await rows({ search: 'surely nowhere' })).content).toEqual([]);
  });

  test('goes through all texts page by page, in both orders', async () => {
    const { content, total } = await rows({ page_size: 200, page: 2 });
    expect(content).toHaveLength(200);
    expect((await rows({ page_size: 200, page: 1 })).content.map(({ key }) => key)).not.toContain(content[0]?.key);
    expect((await rows({ page: 100_000 })).content).toEqual([]);
    expect(total).toBe(builtInTexts(code).size);
    const last = (await rows({ sort: 'key', order: 'desc', page_size: 1 })).content[0]?.key ?? '';
    expect([...builtInTexts(code).keys()].every((key) => key <= last)).toBe(true);
  });
});

describe('import and export', () => {
  test('an export of all texts is imported without a change, nested or flat', async () => {
    await write('common.save', 'Keep');
    const { texts } = (await test_app.call(administrator, 'language_list', 'export_texts', { code })).body;
    expect(Object.keys(texts)).toHaveLength(builtInTexts(code).size);
    expect(texts['common.save']).toBe('Keep');
    expect(await check(texts)).toEqual({ changes: 0, faults: 0, unchanged: builtInTexts(code).size, results: [] });
    expect(await check({ common: { save: 'Keep' } })).toMatchObject({ changes: 0, unchanged: 1 });
    const own = await test_app.call(administrator, 'language_list', 'export_texts', { code, overridden: true });
    expect(own.body.texts).toEqual({ 'common.save': 'Keep' });
  });

  test('a dry run tells each line and changes nothing; the import takes the good lines', async () => {
    await write('common.cancel', 'Stop');
    await write('common.edit', 'Change');
    const file = {
      'common.save': 'Keep',
      'common.cancel': 'Never mind',
      common: { edit: 'Edit', yes: 7, no: ['x'], retry: ' ', refresh: 'a\u0000b', ok: null, copy: '\ud800' },
      'errors.too_many_attempts': 'Later',
      'common.close': 'Close {{now}}',
      'common.unknown_thing': 'x',
      'common.remove': 'x'.repeat(maxText + 1),
    };
    const expected = {
      'common.save': 'new',
      'common.cancel': 'changed',
      'common.edit': 'reset',
      'common.yes': 'not_text',
      'common.no': 'not_text',
      'common.retry': 'empty',
      'common.refresh': 'invalid_characters',
      'common.ok': 'not_text',
      'common.copy': 'invalid_characters',
      'errors.too_many_attempts': 'missing_gap',
      'common.close': 'unknown_gap',
      'common.unknown_thing': 'unknown_key',
      'common.remove': 'too_long',
    };
    const before = await given();
    const report = await check(file);
    expect(states(report)).toEqual(expected);
    expect(report).toMatchObject({ changes: 3, faults: 10, unchanged: 0 });
    expect(report.results.slice(0, 10).some(({ state }) => state === 'new')).toBe(false);
    expect(await given()).toEqual(before);
    expect(states(await take(file))).toEqual(expected);
    expect(await stored()).toEqual({ 'common.cancel': 'Never mind', 'common.save': 'Keep' });
    const logged = await test_app.db.execute<{ content: object; changes: object }>(
      sql`SELECT content, changes FROM log WHERE type = 'language_list/import_texts' ORDER BY id DESC LIMIT 1`,
    );
    expect(logged.rows[0]?.content).toEqual({ code, json: '***' });
    expect(logged.rows[0]?.changes).toMatchObject({
      before: { 'common.save': null, 'common.edit': 'Change' },
      after: { 'common.save': 'Keep', 'common.edit': null },
    });
  });

  test.each([
    ['no JSON', '{"common.save": '],
    ['an array', '["x"]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['too many texts', `{${Array.from({ length: 20_001 }, (_, index) => `"k${index}":"x"`).join(',')}}`],
  ])('%s is refused beside its field', async (_what, json) => {
    const answer = await test_app.send(administrator, 'language_list/import_texts', { code, json });
    expect([answer.status, answer.body.fields]).toEqual([400, { json: 'not_texts' }]);
  });

  test('a file beyond its limit is refused before it is read', async () => {
    const answer = await test_app.send(administrator, 'language_list/check_texts', { code, json: ' '.repeat(1_000_001) });
    expect([answer.status, answer.body.fields]).toEqual([400, { json: 'texts_too_large' }]);
  });

  test('names that every object has, deep nesting and repetitions do no harm', async () => {
    const deep = `${'{"a":'.repeat(50_000)}"x"${'}'.repeat(50_000)}`;
    expect(states(await check(deep))).toEqual({ 'a.a.a.a.a.a.a.a': 'unknown_key' });
    const report = await take(
      '{"__proto__":{"polluted":"x"},"constructor":"x","common":{"save":"One","__proto__":"x"},"common.save":"Two"}',
    );
    expect(states(report)).toEqual({
      '__proto__.polluted': 'unknown_key',
      constructor: 'unknown_key',
      'common.__proto__': 'unknown_key',
      'common.save': 'new',
    });
    expect(await stored()).toEqual({ 'common.save': 'Two' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(states(await check(`{${JSON.stringify('k'.repeat(900_000))}:"x"}`))).toEqual({ ['k'.repeat(200)]: 'unknown_key' });
  });

  test('imports at the same moment leave the texts of one of them whole', async () => {
    const keys = [...builtInTexts(code)]
      .filter(([, text]) => !text.includes('{{'))
      .map(([key]) => key)
      .slice(0, 300);
    const files = ['A', 'B', 'C'].map((mark) => Object.fromEntries(keys.map((key) => [key, `${mark} ${key}`])));
    for (const { faults } of await Promise.all(files.map(take))) expect(faults).toBe(0);
    const found = await stored();
    expect(files).toContainEqual(found);
  });
});

test('every built-in text fits its own key in every language', () => {
  for (const language of ['zh-CN', 'zh-TW', 'en-US', 'vi-VN', 'th-TH', 'ja-JP'] as const)
    for (const [key, text] of builtInTexts(language)) expect([language, key, textFault(text, text)]).toEqual([language, key, undefined]);
});

test('a mark at the beginning of a file is not part of it', () => {
  expect(readTexts('\ufeff{"a":"b"}')).toEqual(new Map([['a', 'b']]));
});

test('a change reaches a process that holds its texts, also one made in the database', async () => {
  const held = await createTestApp({ heldMilliseconds: 60_000 });
  try {
    const words = async () => (await held.send(undefined, 'user_list/inquire', {}, { 'accept-language': code })).body.message;
    expect(await words()).toBe(builtInTexts(code).get('errors.not_logged_in'));
    await held.db.execute(sql`INSERT INTO language_text (code, key, text) VALUES (${code}, 'errors.not_logged_in', 'By hand')`);
    await eventually(async () => expect(await words()).toBe('By hand'), { interval: 10 });
  } finally {
    await held.close();
  }
});
