import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownHost, zoneOf } from './domains.names.ts';

test.each([
  ['例子.中国', '例子.中国'],
  ['*.例子.中国', '*.例子.中国'],
  ['bücher.de', 'bücher.de'],
  ['日本語テスト.jp', '日本語テスト.jp'],
  ['пример.com', 'пример.com'],
  ['αβγδζ.com', 'αβγδζ.com'],
  ['한국a.com', '한국a.com'],
])('%s is shown in its own script', (name, shown) => {
  const [star, bare] = name.startsWith('*.') ? ['*.', name.slice(2)] : ['', name];
  expect(shownHost(`${star}${domainToASCII(bare)}`)).toBe(shown);
});

test.each([
  ['Latin letters among Cyrillic ones', 'pаypal.com'],
  ['a name wholly of letters that look Latin', 'аррӏе.com'],
  ['Greek that looks Latin', 'ορ.com'],
  ['Greek among Latin', 'gοοgle.com'],
  ['Arabic among Latin', 'aب.com'],
])('%s is shown as punycode only', (_what, name) => {
  expect(shownHost(domainToASCII(name))).toBeNull();
});

test('plain names, broken punycode and anything else are shown as they are', () => {
  expect(shownHost('a.example.com')).toBeNull();
  expect(shownHost('xn--zzzzzz99999.com')).toBeNull();
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => void shownHost(`xn--${text}.com`)));
});

test.each([
  ['a.b.example.com', 'example.com'],
  ['*.shop.example.co.uk', 'example.co.uk'],
  ['deep.mine.eu.org', 'mine.eu.org'],
  ['a.xn--fsqu00a.xn--fiqs8s', 'xn--fsqu00a.xn--fiqs8s'],
  ['example.com:8443', 'example.com'],
])('the records of %s stand in the zone %s', (host, zone) => {
  expect(zoneOf(host)).toBe(zone);
});
