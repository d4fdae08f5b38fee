import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalCidr, createCidrSet } from '../kit/network/ip.ts';
import { addressesOf } from './logs.addresses.ts';

describe('what was typed of an address', () => {
  test.each([
    ['10.0.0.1', { network: '10.0.0.1' }],
    ['10.0.0.0/8', { network: '10.0.0.0/8' }],
    ['10.0.0.1/', { network: '10.0.0.1' }],
    ['2001:DB8::/32', { network: '2001:db8::/32' }],
    ['198.51.100.', { ranges: [['198.51.100.0', '198.51.100.255']] }],
    [
      '10',
      {
        ranges: [
          ['10.0.0.0', '10.255.255.255'],
          ['100.0.0.0', '109.255.255.255'],
        ],
      },
    ],
    [
      '10.0.2',
      {
        ranges: [
          ['10.0.2.0', '10.0.2.255'],
          ['10.0.20.0', '10.0.29.255'],
          ['10.0.200.0', '10.0.255.255'],
        ],
      },
    ],
    ['10.0.0', { ranges: [['10.0.0.0', '10.0.0.255']] }],
    ['2001:db8:', { ranges: [['2001:db8:0:0:0:0:0:0', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff']] }],
  ])('%s means %j', (text, meant) => {
    expect(addressesOf(text)).toEqual(meant);
  });

  test.each(['nonsense', '1.2.3.4.5', '10.0.0.256', '256.', '10..', '::g', '12345:', '10.0.0.0/99', "1'", '%', ' ', ''])(
    '%j means none',
    (text) => {
      expect(addressesOf(text)).toBeUndefined();
    },
  );

  test('every beginning of every IPv4 address means it, and addresses that begin otherwise are not meant', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const address = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
    const numberOf = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const isMeant = (typed: string, whole: string) => {
      const meant = addressesOf(typed);
      if (!meant) throw new Error(`${typed} means nothing`);
      if ('network' in meant) return createCidrSet([meant.network]).has(whole);
      return meant.ranges.some(([first, last]) => numberOf(first) <= numberOf(whole) && numberOf(whole) <= numberOf(last));
    };
    fc.assert(
      fc.property(address, address, fc.nat(14), (whole, other, length) => {
        const typed = whole.slice(0, 1 + (length % whole.length));
        // What is a whole address already means that one alone.
        if (canonicalCidr(typed) !== null) return;
        expect(isMeant(typed, whole)).toBe(true);
        expect(isMeant(typed, other)).toBe(other.startsWith(typed));
      }),
      { numRuns: 2000 },
    );
  });
});
