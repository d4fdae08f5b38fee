import { expect, test } from 'vitest';
import { matches, parseCommand } from './wish.ts';

const words = {
  around: ['上的', '所有', '活码', 'all', 'codes', 'on'],
  close: ['停用', '关闭', 'disable', 'close'],
  open: ['启用', '打开', 'enable', 'open'],
  check: ['检测', 'check'],
};

test.each([
  ['disable all codes on a.com', { act: 'close', search: 'a.com' }],
  ['Close A.example.COM', { act: 'close', search: 'a.example.com' }],
  ['停用 a.com 上的所有活码', { act: 'close', search: 'a.com' }],
  ['停用a.com上的所有活码', { act: 'close', search: 'a.com' }],
  ['关闭 商店.中国', { act: 'close', search: '商店.中国' }],
  ['打开 春季菜单', { act: 'open', search: '春季菜单' }],
  ['检测 a.com', { act: 'check', search: 'a.com' }],
  ['enable spring menu', { act: 'open', search: 'spring menu' }],
  ['disclosed', { act: null, search: 'disclosed' }],
  ['  域名  ', { act: null, search: '域名' }],
  ['https://open.example.com/close', { act: null, search: 'https://open.example.com/close' }],
  ['关闭 localhost 上的所有活码', { act: 'close', search: 'localhost' }],
  ['close all codes on localhost', { act: 'close', search: 'localhost' }],
  ['关闭 活码', { act: 'close', search: '活码' }],
  ['停用', { act: 'close', search: '' }],
  ['', { act: null, search: '' }],
])('%s', (typed, wish) => {
  expect(parseCommand(typed, words)).toEqual(wish);
});

test('every word has to stand somewhere', () => {
  expect(matches('list code', ['活码列表', 'qr_code_list'])).toBe(true);
  expect(matches('活码', ['活码列表', 'qr_code_list'])).toBe(true);
  expect(matches('list domain', ['活码列表', 'qr_code_list'])).toBe(false);
});
