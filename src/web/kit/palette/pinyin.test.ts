import { expect, test } from 'vitest';
import { menuGroups, screens } from '../../../contract/permissions.ts';
import menu from '../../../locales/zh-CN/menu.json' with { type: 'json' };
import { pinyinOf, syllableOf } from './pinyin.ts';

const names = [...screens, ...menuGroups].map(({ name }) => name);
const words = [...names, ...Object.values(menu.section), ...Object.values(menu.entry)];

test('every character of every screen, group and entry has its syllable', () => {
  const characters = new Set(words.join('').match(/\p{sc=Han}/gu));
  expect([...characters].filter((character) => syllableOf(character) === undefined)).toEqual([]);
});

test('a name is found by its syllables and by their first letters', () => {
  expect(pinyinOf('活码列表')).toEqual(['huomaliebiao', 'hmlb']);
  expect(pinyinOf('角色')).toEqual(['juese', 'jiaose', 'js']);
  expect(pinyinOf('IP 黑名单')).toEqual(['ipheimingdan', 'iphmd']);
  expect(pinyinOf('Webhook')).toEqual([]);
});
