import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import type { TargetRule } from '../../../../contract/codes/targeting.ts';
import english from '../../../../locales/en-US/set_qr_code.json' with { type: 'json' };
import englishCommon from '../../../../locales/en-US/start/common.json' with { type: 'json' };
import chinese from '../../../../locales/zh-CN/set_qr_code.json' with { type: 'json' };
import chineseCommon from '../../../../locales/zh-CN/start/common.json' with { type: 'json' };
import { compact, placeContradiction } from './rules.ts';
import { hourStretches, ruleLine, rulesLine, stretchesOf, type Wording } from './words.ts';

async function wordingOf(language: 'zh-CN' | 'en-US'): Promise<Wording> {
  const instance = createInstance();
  const translation =
    language === 'zh-CN' ? { common: chineseCommon, set_qr_code: chinese } : { common: englishCommon, set_qr_code: english };
  await instance.init({ lng: language, resources: { [language]: { translation } }, interpolation: { escapeValue: false } });
  return { t: instance.t, language };
}

test.each<[TargetRule, string, string]>([
  [{ regions: ['浙江', '内蒙古'] }, '浙江、内蒙古', 'Zhejiang, Inner Mongolia'],
  [{ countries: ['日本'], languages: ['ja'] }, '日本 · 日语', 'Japan · Japanese'],
  [
    { carriers: ['mobile'], systems: ['ios', 'harmonyos'], messenger: true },
    '中国移动 · iOS、鸿蒙 · 微信内',
    'China Mobile · iOS, HarmonyOS · in WeChat',
  ],
  [
    { messenger: false, hours: [9, 10, 11, 14], weekdays: [1, 2, 3, 4, 5] },
    '微信外 · 09:00–12:00、14:00–15:00 · 周一至周五',
    'outside WeChat · 09:00–12:00, 14:00–15:00 · Mon–Fri',
  ],
  [{ weekdays: [6, 7] }, '周六、周日', 'Sat, Sun'],
  [{ from: '2026-05-01' }, '2026-05-01 起', 'from 2026-05-01'],
  [{ from: '2026-05-01', to: '2026-05-07' }, '2026-05-01 至 2026-05-07', '2026-05-01 to 2026-05-07'],
  [{ hours: Array.from({ length: 24 }, (_, hour) => hour) }, '不限', 'everyone'],
])('%j reads as a sentence', async (rule, zh, en) => {
  expect(ruleLine(rule, await wordingOf('zh-CN'))).toBe(zh);
  expect(ruleLine(rule, await wordingOf('en-US'))).toBe(en);
});

test('of several rules one must fit', async () => {
  expect(rulesLine([{ regions: ['浙江'] }, { systems: ['ios'] }], await wordingOf('zh-CN'))).toBe('浙江 或 iOS');
});

test('hours are stretches of the day, a night in one', () => {
  expect(hourStretches([22, 23, 0, 1])).toEqual(['22:00–02:00']);
  expect(hourStretches([0])).toEqual(['00:00–01:00']);
  expect(hourStretches([23])).toEqual(['23:00–24:00']);
  expect(hourStretches([5, 3, 3, 4, 9])).toEqual(['03:00–06:00', '09:00–10:00']);
  expect(hourStretches([])).toEqual([]);
  expect(stretchesOf([3, 1, 2])).toEqual([[1, 3]]);
});

test('conditions that ask for nothing are left out, and a province abroad is told', () => {
  expect(compact({ regions: [], messenger: undefined, systems: ['ios'], hours: [0] })).toEqual({ systems: ['ios'], hours: [0] });
  expect(compact({ messenger: false })).toEqual({ messenger: false });
  expect(placeContradiction({ regions: ['浙江'], countries: ['日本'] })).toBe(true);
  expect(placeContradiction({ regions: ['浙江'], countries: ['日本', '中国'] })).toBe(false);
  expect(placeContradiction({ countries: ['日本'] })).toBe(false);
});
