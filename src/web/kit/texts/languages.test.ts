import i18next from 'i18next';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { languages } from '../../../contract/enums.ts';
import { menuGroups, screens } from '../../../contract/permissions.ts';
import { translate as translateOnServer } from '../../../server/kit/messages/messages.ts';
import { menuName } from '../shell/menuTree.ts';
import {
  chooseLanguage,
  currentLanguage,
  followSite,
  keptVersion,
  loadOfficeMessages,
  loadScreenMessages,
  overrideTexts,
  startTranslation,
  translate,
} from './i18n.ts';
import { baseOf, keepBases } from './languages.ts';
import { exactNumber, percent, shortNumber } from './numbers.ts';
import { shortTime } from './time.ts';

const page = { documentElement: { lang: '' } };
const kept = new Map<string, string>();
beforeAll(async () => {
  vi.stubGlobal('document', page);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  await startTranslation();
  await loadOfficeMessages();
});
afterEach(() => overrideTexts('en-US', { version: 0, texts: {} }));
afterAll(() => vi.unstubAllGlobals());

const isKey = (text: string) => /^[a-z_]+\.[a-z_.]+$/.test(text);
const shown = { base: 'zh-CN', title: '', version: 0 } as const;

describe.each(languages)('in %s', (code) => {
  test('the menu, the words of a list and those of a form are there, none of them a key', async () => {
    await chooseLanguage(code);
    expect([page.documentElement.lang, currentLanguage()]).toEqual([code, code]);
    const nodes = [...screens.map(({ path, name }) => ({ path, name })), ...menuGroups.map(({ name }) => ({ path: '', name }))];
    const words = [
      ...nodes.map((node) => menuName(node, translate)),
      ...['save', 'cancel', 'refresh', 'actions', 'filters.title', 'columns.title', 'density.title', 'sort.title', 'export.title'].map(
        (key) => translate(`common.${key}`),
      ),
      ...['required', 'taken', 'invalid_format'].map((key) => translate(`errors.field.${key}`)),
    ];
    expect(words.filter((text) => isKey(text) || text.trim() === '')).toEqual([]);
    if (!code.startsWith('zh') && code !== 'ja-JP') expect(words.filter((text) => /\p{sc=Han}/u.test(text))).toEqual([]);
    expect(translate('common.total', { total: '12' })).toContain('12');
  });

  test('figures and times are written as its readers do', () => {
    expect(exactNumber(1_234_567.5, code)).toMatch(/^1[.,]234[.,]567[.,]5$/);
    expect(shortNumber(9999, code)).toMatch(/^9[.,]?999$/);
    expect(shortNumber(12_345, code).length).toBeLessThanOrEqual(9);
    expect(percent(0.125, code)).toMatch(/^12[.,]5\s?%$/);
    const now = Date.parse('2026-11-20T12:00:00Z');
    const minutesAgo = shortTime('2026-11-20T11:57:00Z', 'Asia/Shanghai', code, now);
    expect(minutesAgo).toMatch(/3/);
    expect(shortTime('2025-11-20T11:57:00Z', 'Asia/Shanghai', code, now)).toBe('2025-11-20');
    if (code !== 'en-US') expect(minutesAgo).not.toBe(shortTime('2026-11-20T11:57:00Z', 'Asia/Shanghai', 'en-US', now));
  });
});

describe('words in the place of built-in ones', () => {
  test('are shown from then on, again in other words with another version, and the built-in ones in the end', async () => {
    await chooseLanguage('en-US');
    await overrideTexts('en-US', { version: 3, texts: { 'common.save': 'Keep', 'menu.section.system': 'Engine room' } });
    expect([translate('common.save'), translate('menu.section.system'), translate('common.cancel')]).toEqual([
      'Keep',
      'Engine room',
      'Cancel',
    ]);
    await overrideTexts('en-US', { version: 4, texts: { 'common.cancel': 'Never mind' } });
    expect([translate('common.save'), translate('common.cancel'), keptVersion('en-US')]).toEqual(['Save', 'Never mind', 4]);
    await overrideTexts('en-US', { version: 0, texts: {} });
    expect([translate('common.cancel'), keptVersion('en-US')]).toEqual(['Cancel', 0]);
  });

  test('at keys that are none do nothing', async () => {
    const texts = {
      common: 'x',
      'common.save.more': 'x',
      'nowhere.at_all': 'x',
      'constructor.name': 'x',
      '': 'x',
      '__proto__.polluted': 'x',
    };
    await overrideTexts('en-US', { version: 5, texts });
    await chooseLanguage('en-US');
    expect(translate('common.save')).toBe('Save');
    expect(i18next.exists('nowhere.at_all')).toBe(false);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('that call other texts in or have markup stay what they are', async () => {
    await overrideTexts('en-US', { version: 6, texts: { 'common.save': '<b onclick="x">Keep</b>' } });
    await chooseLanguage('en-US');
    expect(translate('common.save')).toBe('<b onclick="x">Keep</b>');
  });
});

test('a screen that is opened while another language comes has its words in that one, and in all that are chosen later', async () => {
  await chooseLanguage('zh-CN');
  expect(translate('role.preview_title')).toBe('role.preview_title');
  await Promise.all([chooseLanguage('vi-VN'), loadScreenMessages()]);
  const inVietnamese = translate('role.preview_title');
  expect([currentLanguage(), isKey(inVietnamese)]).toEqual(['vi-VN', false]);
  await chooseLanguage('ja-JP');
  const inJapanese = translate('role.preview_title');
  expect([isKey(inJapanese), inJapanese === inVietnamese]).toEqual([false, false]);
});

test('an added language uses the words and formats of its base', async () => {
  keepBases([{ ...shown, code: 'ko-KR', base: 'ja-JP' }]);
  await chooseLanguage('ko-KR');
  expect([page.documentElement.lang, baseOf('ko-KR')]).toEqual(['ko-KR', 'ja-JP']);
  const saved = translate('common.save');
  await chooseLanguage('ja-JP');
  expect(translate('common.save')).toBe(saved);
});

test('a choice that the site no longer offers gives way to the language of the site, until it is offered again', async () => {
  await chooseLanguage('th-TH');
  await followSite([{ code: 'zh-CN' }, { code: 'en-US' }], 'en-US');
  expect(currentLanguage()).toBe('en-US');
  await followSite([{ code: 'zh-CN' }, { code: 'th-TH' }], 'zh-CN');
  expect(currentLanguage()).toBe('th-TH');
});

test('English says one of a thing in the singular, whatever its number is called and however it is shown', async () => {
  await chooseLanguage('en-US');
  await loadScreenMessages();
  expect(translate('image_configs.times', { number: 1 })).toBe('1 place');
  expect(translate('image_configs.times', { number: '1' })).toBe('1 place');
  expect(translate('image_configs.times', { number: '1.2k' })).toBe('1.2k places');
  expect(translate('image_configs.times', { number: 0 })).toBe('0 places');
  expect(translate('vip_combo.days_number', { days: 1 })).toBe('1 day');
  // A name that looks like a number does not decide in the place of one that is shown shortened.
  expect(translate('code_import.read', { name: '1', rows: '1,200', encoding: 'UTF-8' })).toBe('1: 1,200 rows, UTF-8');
  // Of two numbers neither decides, but the one that is called so.
  expect(translate('mall_product_list.import_some', { count: 1, refused: 2 })).toMatch(/^1 product will/);
});

test('so does the server', () => {
  expect(translateOnServer('en-US', 'errors.too_many_attempts', { minutes: 1 })).toBe('Too many attempts. Try again in 1 minute.');
  expect(translateOnServer('en-US', 'errors.too_many_attempts', { minutes: 15 })).toBe('Too many attempts. Try again in 15 minutes.');
  expect(translateOnServer('zh-CN', 'errors.too_many_attempts', { minutes: 1 })).toContain('1 分钟');
});
