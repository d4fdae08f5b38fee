import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkHost, wildcardsOver } from './domains.hosts.ts';

const customer = { allowsDevelopment: false };
const administrator = { allowsDevelopment: true };

test.each([
  ['a.com', 'a.com'],
  [' A.COM ', 'a.com'],
  ['a.com.', 'a.com'],
  ['deep.er.a.co.uk', 'deep.er.a.co.uk'],
  ['例子.中国', 'xn--fsqu00a.xn--fiqs8s'],
  ['ａ.com', 'a.com'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['*.a.com', '*.a.com'],
  ['*.例子.中国', '*.xn--fsqu00a.xn--fiqs8s'],
  ['mine.github.io', 'mine.github.io'],
  ['a.com:80', 'a.com'],
  ['a.com:443', 'a.com'],
  ['EXAMPLE.CO.UK.', 'example.co.uk'],
  ['*.A.Com.', '*.a.com'],
  ['a.com.:80', 'a.com'],
  ['ｅｘａｍｐｌｅ。com', 'example.com'],
  ['испытание.рф', 'xn--80akhbyknj4f.xn--p1ai'],
  ['a.公司.cn', 'a.xn--55qx5d.cn'],
  ['faß.de', 'xn--fa-hia.de'],
  // A letter of another alphabet makes another name, never the one it looks like.
  ['аррӏе.com', 'xn--80ak6aa92e.com'],
  ['city.kawasaki.jp', 'city.kawasaki.jp'],
  ['www.ck', 'www.ck'],
])('%s is registered as %s', (text, host) => {
  expect(checkHost(text, customer)).toEqual({ host });
});

test.each([
  ...['com', 'co.uk', 'github.io', '*.com', '*.co.uk', '*.github.io', '中国', 'COM.', '公司.cn', 'foo.kawasaki.jp', 'a.ck', 'eu.org'],
])('nobody can have the public suffix %s', (text) => {
  expect(checkHost(text, administrator)).toEqual({ fault: 'public_suffix' });
});

test.each([
  ['localhost', 'localhost'],
  ['localhost:3001', 'localhost:3001'],
  ['*.localhost:3001', '*.localhost:3001'],
  ['my.localhost', 'my.localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['10.1.2.3:8080', '10.1.2.3:8080'],
  ['0x7f.1', '127.0.0.1'],
  ['a.com:8080', 'a.com:8080'],
])('%s is a development host, for administrators only', (text, host) => {
  expect(checkHost(text, customer)).toEqual({ fault: 'development_host' });
  expect(checkHost(text, administrator)).toEqual({ host });
});

test.each([
  ...['', ' ', '.', '..', '*', '*.', '*.*.com', 'a.*.com', '**.com', 'a..com', '.a.com', '-a.com', 'a-.com', 'a_b.com', 'a b.com'],
  ...[
    'a.com/x',
    'http://a.com',
    'a.com?x',
    'a.com#x',
    'a@a.com',
    'a.com:',
    'a.com:0',
    'a.com:65536',
    'a.com:99999',
    'a.com:1:2',
    'a.com:-1',
  ],
  ...[
    'intranet',
    'xn--.com',
    'xn--zzzzzz99999.com',
    'a\u200db.com',
    'a.invalidtld',
    'printer.local',
    '*.127.0.0.1',
    '[::1]',
    '::1',
    '999.1.1.1',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
  ],
  ...['a.com\u0000', 'a\n.com', 'a%00.com', '\u202ea.com'],
])('%j is no host, not even for an administrator', (text) => {
  expect(checkHost(text, administrator)).toEqual({ fault: 'invalid_host' });
});

test('a registered form is registered as itself, and any text is answered', () => {
  const near = fc.string({ unit: fc.constantFrom(...'aZ09.-_*:例é /[]%x') as fc.Arbitrary<string>, maxLength: 30 });
  const hosts = fc.oneof(
    near,
    near.map((text) => `${text}.com`),
    fc.string(),
  );
  fc.assert(
    fc.property(hosts, (text) => {
      const checked = checkHost(text, administrator);
      if ('host' in checked) expect(checkHost(checked.host, administrator)).toEqual(checked);
    }),
    { numRuns: 2000 },
  );
});

test('the wildcards over a host are those of all the domains above it', () => {
  expect(wildcardsOver('a.b.c.com')).toEqual(['*.b.c.com', '*.c.com', '*.com']);
  expect(wildcardsOver('*.b.c.com')).toEqual(['*.c.com', '*.com']);
  expect(wildcardsOver('localhost')).toEqual([]);
});
