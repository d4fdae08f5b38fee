import { expect, test } from 'vitest';
import { addressesOf, linesOf } from './lines.ts';

test('lines of a text box come without blanks and empty ones, parted by commas too', () => {
  expect(linesOf(' 1.1.1.1 \r\n\n2.2.2.0/24，::1;x')).toEqual(['1.1.1.1', '2.2.2.0/24', '::1', 'x']);
  expect(linesOf(undefined)).toEqual([]);
});

test('addresses are read from plain lists, lists with remarks, and CSV files with a heading', () => {
  expect(addressesOf('\ufeff"IP 或网段",状态\r\n"203.0.113.8",生效中\r\n2001:DB8::/32,已过期,"a, b"\r\n')).toEqual([
    '203.0.113.8',
    '2001:DB8::/32',
  ]);
  expect(addressesOf('# list\n1.10.16.0/20 ; SBL256894\n198.51.100.7#bad\n\n  \nhello\nbad\n10.0.0.0/8\tprivate')).toEqual([
    '1.10.16.0/20',
    '198.51.100.7',
    '10.0.0.0/8',
  ]);
});
