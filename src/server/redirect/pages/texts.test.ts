import { describe, expect, it } from 'vitest';
import { expectWithin, timeOf } from '../../kit/testing/within.ts';
import { chooseLanguage, pageLanguages, texts } from './texts.ts';

describe('chooseLanguage', () => {
  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
    ['zh', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-TW', 'zh-TW'],
    ['zh-HK,zh;q=0.9', 'zh-TW'],
    ['zh-MO', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-HK', 'zh-TW'],
    ['zh-Hans-HK', 'zh-CN'],
    ['ZH-HANS-TW', 'zh-CN'],
    ['yue-Hant-HK', 'zh-TW'],
    ['yue', 'zh-TW'],
    ['yue-CN', 'zh-CN'],
    ['en-GB', 'en-US'],
    ['vi', 'vi-VN'],
    ['th-TH', 'th-TH'],
    ['ja-JP-u-ca-japanese', 'ja-JP'],
    ['fr-FR,de;q=0.9,ja;q=0.3', 'ja-JP'],
    ['en;q=0.5,th;q=0.8,ja;q=0.7', 'th-TH'],
    ['en ; Q=0.2 , vi ; q=0.25', 'vi-VN'],
    ['en;q=0.3,th;q=0.3', 'en-US'],
    ['zh;q=0,en;q=0.001', 'en-US'],
    ['en;q=1.000,ja', 'en-US'],
  ] as const)('reads %j as %s', (header, expected) => expect(chooseLanguage(header, 'vi-VN')).toBe(expected));

  it.each([
    undefined,
    '',
    ',,,;;;',
    'fr',
    '*',
    '*,en;q=0.5',
    'en;q=0',
    'en;q=1.5',
    'en;q=abc',
    'en;q=-1',
    'en;q=0.1234',
    'english',
    '-',
    'constructor',
    '__proto__',
  ])('falls back for %j', (header) => expect(chooseLanguage(header, 'th-TH')).toBe('th-TH'));

  it('does a bounded work on hostile headers', async () => {
    const hostile = [
      'en;'.repeat(1e6),
      ','.repeat(1e6),
      `zh-${'a-'.repeat(1e6)}`,
      `en;q=0.${'0'.repeat(1e6)}`,
      `${' '.repeat(1e6)}en`,
      '\u0000'.repeat(1e6),
    ];
    await expectWithin(1000, () =>
      timeOf(() => {
        for (let round = 0; round < 100; round++) for (const header of hostile) chooseLanguage(header, 'ja-JP');
      }),
    );
    expect(chooseLanguage(`${'fr,'.repeat(1000)}en`, 'ja-JP')).toBe('ja-JP');
  });
});

describe('texts', () => {
  const flat = (value: unknown): string[] => (typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat));

  it('has the same number of texts in every language, none empty', () => {
    const expected = flat(texts['zh-CN']).length;
    for (const language of pageLanguages) {
      expect(flat(texts[language])).toHaveLength(expected);
      for (const text of flat(texts[language])) expect(text.trim()).toBe(text);
      expect(flat(texts[language])).not.toContain('');
    }
  });

  it('raises its voice nowhere and needs no escaping', () => {
    for (const language of pageLanguages) for (const text of flat(texts[language])) expect(text).not.toMatch(/[!！<>&"']/);
  });

  it('shares no message between languages', () => {
    const messages = pageLanguages.flatMap((language) => Object.values(texts[language].refusals).map(({ text }) => text));
    expect(new Set(messages).size).toBe(messages.length);
  });
});
