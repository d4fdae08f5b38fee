import { canonicalCidr } from '../kit/network/ip.ts';

/** Addresses from the first to the last, both included. */
export type AddressRange = readonly [first: string, last: string];

/** All numbers below `limit` whose spelling begins with these digits, as ranges: `2` is 2, 20–29 and 200–255. */
function beginningWith(digits: string, radix: 10 | 16, limit: number): [number, number][] {
  if (digits === '') return [[0, limit - 1]];
  const value = Number.parseInt(digits, radix);
  const ranges: [number, number][] = [];
  for (let [first, last] = [value, value]; first < limit; [first, last] = [first * radix, last * radix + radix - 1]) {
    ranges.push([first, Math.min(last, limit - 1)]);
    // No spelling begins with a zero but zero itself.
    if (value === 0) break;
  }
  return ranges;
}

function ipv4Ranges(text: string): AddressRange[] | undefined {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){0,3}\.?$/.test(text)) return undefined;
  const parts = text.split('.');
  const typed = parts.pop() ?? '';
  if (parts.length > 3 || parts.some((part) => Number(part) > 255) || Number(typed) > 255) return undefined;
  const filled = (octet: number, rest: number) => [...parts, octet, ...Array(3 - parts.length).fill(rest)].join('.');
  return beginningWith(typed, 10, 256).map(([first, last]) => [filled(first, 0), filled(last, 255)]);
}

function ipv6Ranges(text: string): AddressRange[] | undefined {
  const parts = text.toLowerCase().split(':');
  const typed = parts.pop() ?? '';
  const isGroup = (part: string) => /^[0-9a-f]{1,4}$/.test(part);
  if (parts.length > 7 || !parts.every(isGroup) || (typed !== '' && !isGroup(typed)) || text === '') return undefined;
  const filled = (group: number, rest: string) => [...parts, group.toString(16), ...Array(7 - parts.length).fill(rest)].join(':');
  return beginningWith(typed, 16, 0x10000).map(([first, last]) => [filled(first, '0'), filled(last, 'ffff')]);
}

/**
 * The addresses that a reader means who typed this far: an address, a network such as `10.0.0.0/8`, or the beginning of an address.
 * Undefined where it is none of them.
 */
export function addressesOf(text: string): { network: string } | { ranges: AddressRange[] } | undefined {
  const network = canonicalCidr(text);
  if (network !== null) return { network };
  // The sign is there, the number of bits not yet.
  const address = text.endsWith('/') ? canonicalCidr(text.slice(0, -1)) : null;
  if (address !== null) return { network: address };
  const ranges = ipv4Ranges(text) ?? ipv6Ranges(text);
  return ranges && { ranges };
}
