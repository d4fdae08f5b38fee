import { expect, test } from 'vitest';
import { hostLabel, hostOption, linkText } from './host.ts';
import { holdsTyped } from './options.ts';

const tea = { host: 'xn--5usw48g.xn--fiqs8s', host_unicode: '好茶.中国' };
const wild = { host: '*.xn--5usw48g.xn--fiqs8s', host_unicode: '*.好茶.中国' };
const plain = { host: 'a.example.com', host_unicode: null };

test('an entry of a choice has both names, so that a search finds either; one name stands alone', () => {
  expect(hostOption({ id: 7, ...tea })).toEqual({ value: 7, label: '好茶.中国 · xn--5usw48g.xn--fiqs8s' });
  expect(hostLabel(plain)).toBe('a.example.com');
});

test.each(['好茶', '茶.中', '好茶。中国', 'XN--5usw', ' 中国 '])('the entry is found by %s', (typed) => {
  expect(holdsTyped(typed, hostOption({ id: 7, ...tea }))).toBe(true);
  expect(holdsTyped(typed, hostOption({ id: 8, ...plain }))).toBe(false);
});

test.each([
  ['the domain of a link', 'https://xn--5usw48g.xn--fiqs8s/menu', tea, '好茶.中国/menu'],
  ['what a star stands for', 'http://a1.xn--5usw48g.xn--fiqs8s/menu?s=1', wild, 'a1.好茶.中国/menu?s=1'],
  ['a plain domain', 'https://a.example.com/menu', plain, 'a.example.com/menu'],
  [
    "another's link that only names the domain",
    'https://t.example/?u=xn--5usw48g.xn--fiqs8s/x',
    tea,
    't.example/?u=xn--5usw48g.xn--fiqs8s/x',
  ],
  ['a link on no domain of ours', 'https://t.example/x', { host: null, host_unicode: null }, 't.example/x'],
])('%s is read without a scheme, in its own script', (_what, url, row, text) => {
  expect(linkText(url, row)).toBe(text);
});
