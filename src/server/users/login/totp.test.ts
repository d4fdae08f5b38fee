import { expect, test } from 'vitest';
import { base32, matchingStep, otpauthUrl, stepOf, totpCode } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, SHA-1; its eight digits end in our six.
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at %i seconds the code is the one of the RFC', (seconds, code) => {
  expect(totpCode(secret, stepOf(new Date(seconds * 1000)))).toBe(code.slice(2));
});

// RFC 4226, appendix D.
test('the first ten counters give the codes of the RFC', () => {
  const codes = Array.from({ length: 10 }, (_, counter) => totpCode(secret, counter));
  expect(codes.join(' ')).toBe('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489');
});

test('a code holds from one step before to one step after, and no longer', () => {
  const step = 1_000_000;
  const at = (steps: number) => new Date((step + steps) * 30_000);
  const code = totpCode(secret, step);
  expect([-2, -1, 0, 1, 2].map((steps) => matchingStep(secret, code, at(steps)))).toEqual([undefined, step, step, step, undefined]);
});

test('what is no code never matches', () => {
  for (const code of ['', '28708', '2870822', '２８７０８２', '-87082', 'abcdef'])
    expect(matchingStep(secret, code, new Date(59_000))).toBeUndefined();
});

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is %j', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test('the address keeps site and account apart, whatever their characters', () => {
  const url = new URL(otpauthUrl(secret, '活码: 系统 & Co', '张 伟/?'));
  expect(decodeURIComponent(url.pathname)).toBe('/活码: 系统 & Co:张 伟/?');
  expect(url.searchParams.get('issuer')).toBe('活码: 系统 & Co');
  expect(url.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(url.href).not.toContain('+');
});
