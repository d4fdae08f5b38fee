import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalCidr, canonicalIp, clientAddress, createCidrSet, specialAddresses } from './ip.ts';

describe('canonicalIp', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:0102:0304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8:0000:0001:0001:0001:0001:0001', '2001:db8:0:1:1:1:1:1'],
    ['1::', '1::'],
    ['fe80::1%eth0', 'fe80::1'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ])('%s is written %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
  });

  test.each([
    ...[
      '',
      ' ',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.256',
      '01.2.3.4',
      '1.2.3.04',
      '1.2.3.-4',
      '1.2.3.4 ',
      ' 1.2.3.4',
      '1..2.3',
      '1.2.3.',
      '.1.2.3',
    ],
    ...[
      ':',
      ':1',
      '1:',
      ':::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4::5:6:7:8',
      '::1::',
      '12345::',
      'g::',
      '::1.2.3',
      '::1.2.3.4:5',
    ],
    ...['1:2:3:4:5:6:7:1.2.3.4', '%eth0', '0x7f000001', '2130706433', '１.2.3.4', '1.2.3.4\0', 'localhost', `::${'0'.repeat(100_000)}`],
  ])('%j is no address', (text) => {
    expect(canonicalIp(text)).toBeNull();
  });

  test('agrees with the runtime on what an address is', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.:.%') as fc.Arbitrary<string>, maxLength: 46 });
    const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), near);
    fc.assert(
      fc.property(addresses, (text) => {
        fc.pre(!text.includes('%'));
        expect(canonicalIp(text) !== null).toBe(isIP(text) !== 0);
      }),
      { numRuns: 3000 },
    );
  });

  test('the canonical form of a canonical form is itself, and names the same address for the runtime', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const canonical = canonicalIp(text) ?? '';
        expect(canonicalIp(canonical)).toBe(canonical);
        if (canonical.includes(':')) expect(canonical).toBe(new URL(`http://[${text}]/`).hostname.slice(1, -1));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('createCidrSet', () => {
  test('matches exact addresses, networks and their edges in both families', () => {
    const set = createCidrSet(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::ffff:198.51.100.0/120', '2001:db9::5']);
    expect(set.size).toBe(5);
    for (const ip of [
      '10.0.0.0',
      '10.255.255.255',
      '192.0.2.7',
      '::ffff:10.1.1.1',
      '2001:db8::',
      '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    ]) {
      expect(set.has(ip), ip).toBe(true);
    }
    for (const ip of ['198.51.100.255', '::ffff:192.0.2.7', '2001:db9::5']) expect(set.has(ip), ip).toBe(true);
    for (const ip of ['9.255.255.255', '11.0.0.0', '192.0.2.6', '192.0.2.8', '198.51.101.0', '2001:db7:ffff::', '2001:db9::', '', 'x']) {
      expect(set.has(ip), ip).toBe(false);
    }
  });

  test('an address below a nested network is still found in the wider one', () => {
    const set = createCidrSet(['10.0.0.0/8', '10.1.0.0/16', '10.1.1.1', '10.0.0.0/9', '2001:db8::/32', '2001:db8:1::/48']);
    expect(set.has('10.200.0.1')).toBe(true);
    expect(set.has('10.1.1.2')).toBe(true);
    expect(set.has('2001:db8:2::1')).toBe(true);
  });

  test('a whole family can be named without naming the other', () => {
    expect(createCidrSet(['0.0.0.0/0']).has('255.255.255.255')).toBe(true);
    expect(createCidrSet(['0.0.0.0/0']).has('::1')).toBe(false);
    expect(createCidrSet(['::/0']).has('ffff::')).toBe(true);
    expect(createCidrSet(['::/0']).has('1.2.3.4')).toBe(false);
  });

  test.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/08', '10.0.0.0/ 8', '::/129', '10.0.0/8', '/8', '', '10.0.0.0/8/8'])(
    '%j is refused, or left out and reported',
    (entry) => {
      expect(canonicalCidr(entry)).toBeNull();
      expect(() => createCidrSet([entry])).toThrow(RangeError);
      const invalid: string[] = [];
      const set = createCidrSet([entry, '10.0.0.1'], (text) => invalid.push(text));
      expect(invalid).toEqual([entry]);
      expect(set.size).toBe(1);
      expect(set.has('10.0.0.1')).toBe(true);
    },
  );

  test('agrees with counting prefix bits one by one', () => {
    const bits = (ip: string): string =>
      ip
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('');
    const address = fc.tuple(...[0, 1, 2, 3].map(() => fc.constantFrom(0, 1, 2, 127, 128, 255))).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(fc.array(fc.tuple(address, fc.integer({ min: 0, max: 32 })), { maxLength: 12 }), address, (networks, ip) => {
        const set = createCidrSet(networks.map(([network, prefix]) => `${network}/${prefix}`));
        const expected = networks.some(([network, prefix]) => bits(network).slice(0, prefix) === bits(ip).slice(0, prefix));
        expect(set.has(ip)).toBe(expected);
        expect(set.has(`::ffff:${ip}`)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('100,000 mixed entries are all found and their neighbours are not', () => {
    const entries: string[] = [];
    for (let i = 0; i < 50_000; i += 1) {
      entries.push(
        `20.${(i >> 8) & 255}.${i & 255}.${(i >> 16) * 2 + 8}`,
        `2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::/65`,
      );
    }
    const set = createCidrSet(entries);
    expect(set.size).toBe(100_000);
    for (let i = 0; i < 50_000; i += 997) {
      expect(set.has(entries[i * 2] ?? '')).toBe(true);
      expect(set.has((entries[i * 2] ?? '').replace(/\d+$/, '9'))).toBe(false);
      expect(set.has((entries[i * 2 + 1] ?? '').replace('/65', '7'))).toBe(true);
      expect(set.has((entries[i * 2 + 1] ?? '').replace('::/65', ':8000::'))).toBe(false);
    }
  });
});

test('a network has one spelling', () => {
  expect(canonicalCidr('10.1.2.3/8')).toBe('10.0.0.0/8');
  expect(canonicalCidr('10.1.2.3/32')).toBe('10.1.2.3');
  expect(canonicalCidr('2001:DB8::1/32')).toBe('2001:db8::/32');
  expect(canonicalCidr('::FFFF:10.1.2.3/104')).toBe('10.0.0.0/8');
  expect(canonicalCidr('::ffff:10.1.2.3/64')).toBe('::/64');
  expect(canonicalCidr('::1')).toBe('::1');
});

test('special addresses are told from public ones', () => {
  for (const ip of [
    '10.0.0.1',
    '127.0.0.1',
    '192.168.1.1',
    '172.31.255.255',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fd00::1',
  ]) {
    expect(specialAddresses.has(ip), ip).toBe(true);
  }
  for (const ip of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '114.114.114.114', '2409:8a00::1'])
    expect(specialAddresses.has(ip), ip).toBe(false);
});

describe('clientAddress', () => {
  const none = createCidrSet([]);
  const proxies = createCidrSet(['10.0.0.0/8', '2001:db8::/32']);

  test('nobody is believed when no proxy is configured', () => {
    expect(clientAddress('203.0.113.5', '1.1.1.1', none)).toBe('203.0.113.5');
    expect(clientAddress('::ffff:203.0.113.5', undefined, none)).toBe('203.0.113.5');
  });

  test('a visitor who is no proxy cannot choose his address', () => {
    expect(clientAddress('203.0.113.5', '1.1.1.1', proxies)).toBe('203.0.113.5');
  });

  test('the rightmost address that is no proxy wins, whatever the visitor put before it', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, 9.9.9.9', proxies)).toBe('9.9.9.9');
    expect(clientAddress('::ffff:10.0.0.1', '1.1.1.1, 9.9.9.9, 10.0.0.2,10.0.0.3', proxies)).toBe('9.9.9.9');
    expect(clientAddress('10.0.0.1', '127.0.0.1, 9.9.9.9', proxies)).toBe('9.9.9.9');
  });

  test('ports, brackets and spellings are read', () => {
    expect(clientAddress('10.0.0.1', '9.9.9.9:4711', proxies)).toBe('9.9.9.9');
    expect(clientAddress('10.0.0.1', '[2400:3200:0::1]:4711', proxies)).toBe('2400:3200::1');
    expect(clientAddress('10.0.0.1', '[2400:3200::1]', proxies)).toBe('2400:3200::1');
    expect(clientAddress('10.0.0.1', '2400:3200:0:0::1', proxies)).toBe('2400:3200::1');
    expect(clientAddress('2001:db8::9', ' ::ffff:9.9.9.9 ', proxies)).toBe('9.9.9.9');
  });

  test('when the whole chain is proxies, the farthest is the client', () => {
    expect(clientAddress('10.0.0.1', '10.0.0.3, 10.0.0.2', proxies)).toBe('10.0.0.3');
  });

  test.each([
    '',
    ' ',
    ',',
    'unknown',
    '<script>',
    '1.2.3.4; drop',
    '_hidden',
    '[::1',
    '[9.9.9.9]x',
    '9.9.9.9:99999999',
    '"9.9.9.9"',
    '1.2.3.4\0',
  ])('garbage %j is never answered: the proxy that passed it on is', (garbage) => {
    expect(clientAddress('10.0.0.1', garbage, proxies)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', `8.8.8.8, ${garbage}, 10.0.0.2`, proxies)).toBe('10.0.0.2');
  });

  test('whatever the header, an address or nothing is answered', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 50 }), (header, remote) => {
        for (const answer of [clientAddress('10.0.0.1', header, proxies), clientAddress(remote, header, proxies)]) {
          expect(answer === '' || canonicalIp(answer) === answer).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a huge header is read from the right and no further than needed', () => {
    expect(clientAddress('10.0.0.1', `${'9'.repeat(1_000_000)}, 9.9.9.9`, proxies)).toBe('9.9.9.9');
    expect(clientAddress('10.0.0.1', '9'.repeat(1_000_000), proxies)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '10.0.0.2,'.repeat(100_000), proxies)).toBe('10.0.0.1');
  });

  test('a connection without an address is answered with nothing', () => {
    expect(clientAddress('', '9.9.9.9', proxies)).toBe('');
  });
});
