import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalIp, specialAddresses } from '../../kit/network/ip.ts';
import { type IpRange, ipRangeText, readIpRange } from '../../kit/network/ip-range.ts';
import { ipOf, lastAddress, scanned, type XdbRow, xdbFile } from '../testing/xdb.ts';
import { NOWHERE, type Place, placeReader, readBundled } from './place.ts';
import { type Correction, correctionTables } from './place-corrections.ts';
import { placeOfRow } from './place-names.ts';
import { packTable, unpackTable } from './place-storage.ts';
import { PlaceFileError, type PlaceTable } from './place-table.ts';
import { checkXdb, searchXdb } from './xdb-check.ts';

const now = Date.UTC(2026, 10, 1);
const bundled = { ipv4: readBundled(4), ipv6: readBundled(6) };
const texts = {
  2: ['中国|0|广东省|深圳市|移动', '中国|0|北京|北京市|联通', '美国|0|0|0|0', '0|0|0|内网IP|内网IP', '中国|0|浙江省|杭州市|电信'],
  3: [
    '中国|广东省|深圳市|移动|CN',
    '中国|北京|北京市|联通|CN',
    'United States|California|0|0|US',
    '日本|东京都|0|0|JP',
    '中国|浙江省|杭州市|电信|CN',
  ],
};

type Kind = { structure: 2 | 3; family: 4 | 6 };
const kinds: Kind[] = [
  { structure: 2, family: 4 },
  { structure: 3, family: 4 },
  { structure: 3, family: 6 },
];
const orderOf = ({ structure }: Kind) => (structure === 2 ? ('classic' as const) : ('iso' as const));
const addressOf = (family: 4 | 6) => fc.bigInt({ min: 0n, max: lastAddress[family] });
/** Segments over all addresses, whose ends lie close together as often as far apart. */
const rowsOf = ({ structure, family }: Kind) =>
  fc
    .uniqueArray(
      fc.oneof(
        addressOf(family),
        fc.bigInt({ min: 0n, max: 3000n }).map((near) => (family === 4 ? 0x01020000n : 0x2409n << 112n) + near),
      ),
      { minLength: 1, maxLength: 30 },
    )
    .chain((ends) =>
      fc.array(fc.constantFrom(...texts[structure]), { minLength: ends.length + 1, maxLength: ends.length + 1 }).map((named): XdbRow[] => {
        const sorted = [...ends.filter((end) => end !== lastAddress[family])].sort((a, b) => (a < b ? -1 : 1));
        const known = texts[structure][0] ?? '';
        return [...sorted, lastAddress[family]].map((end, row) => [end, row === 0 ? known : (named[row] ?? known)]);
      }),
    );
const readerOf = (table: PlaceTable, corrections?: Parameters<typeof placeReader>[1]) =>
  placeReader({ ...bundled, [table.family === 4 ? 'ipv4' : 'ipv6']: table }, corrections);
const plain = ({ country, region, city, carrier }: Place) => ({ country, region, city, carrier });

describe.each(kinds)('an xdb file of structure $structure with IPv$family addresses', (kind) => {
  test('is looked up in as a plain scan of its segments finds it, also after it was stored', () => {
    fc.assert(
      fc.property(rowsOf(kind), fc.array(addressOf(kind.family), { maxLength: 40 }), (rows, addresses) => {
        const bytes = xdbFile(rows, kind);
        const { table, segments } = checkXdb(bytes, kind.family, now);
        expect(segments).toBe(rows.length);
        const reader = readerOf(unpackTable(packTable(table)));
        const ends = rows.flatMap(([last]) => [last, last + 1n]).filter((end) => end <= lastAddress[kind.family]);
        for (const address of [...addresses, ...ends]) {
          const ip = ipOf(kind.family, address);
          const text = scanned(rows, address);
          expect(searchXdb(bytes, { size: kind.family === 4 ? 14 : 38, family: kind.family }, address)).toBe(text);
          // Mapped addresses are IPv4 ones.
          if (specialAddresses.has(ip) || (kind.family === 6 && !canonicalIp(ip)?.includes(':'))) continue;
          expect(plain(reader.lookup(ip))).toEqual(plain(placeOfRow(text, orderOf(kind))));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('is refused with what is wrong with it', () => {
    const rows: XdbRow[] = [5n, 1000n, 70_000n, lastAddress[kind.family]].map((end, row) => [end, texts[kind.structure][row % 3] ?? '']);
    const good = xdbFile(rows, kind);
    const size = kind.family === 4 ? 14 : 38;
    const index = good.readUInt32LE(8);
    const changed = (change: (bytes: Buffer) => void): Buffer => {
      const bytes = Buffer.from(good);
      change(bytes);
      return bytes;
    };
    const gap = changed((bytes) =>
      bytes.writeUInt8((bytes[index + size + (kind.family === 4 ? 0 : 15)] ?? 0) + 1, index + size + (kind.family === 4 ? 0 : 15)),
    );
    const wrong: [string, Buffer][] = [
      ['not_xdb', Buffer.from('<html>not found</html>'.repeat(30_000))],
      ['cut', good.subarray(0, 12)],
      ['cut', good.subarray(0, good.length - 1)],
      ['cut', good.subarray(0, 100_000)],
      ['damaged', changed((bytes) => bytes.writeUInt32LE(256, 8))],
      ['incomplete', gap],
      ['unsorted', changed((bytes) => bytes.copy(bytes, index + 2 * size, index, index + size))],
      ['damaged', changed((bytes) => bytes.writeUInt32LE(good.length - 1, index + size - 4))],
      ['damaged', changed((bytes) => bytes.writeUInt32LE(7, 256))],
      ['date', xdbFile(rows, { ...kind, made_at: now + 10 * 86_400_000 })],
      ['date', xdbFile(rows, { ...kind, made_at: 0 })],
      ['fields', xdbFile([[lastAddress[kind.family], '中国|广东']], kind)],
      ['fields', xdbFile([[lastAddress[kind.family], '0|0|0|0|0']], kind)],
    ];
    for (const [reason, bytes] of wrong) {
      const refused = (() => {
        try {
          return checkXdb(bytes, kind.family, now);
        } catch (error) {
          return error;
        }
      })();
      expect([reason, refused]).toEqual([reason, expect.any(PlaceFileError)]);
      expect(refused).toMatchObject({ reason });
    }
    expect(() => checkXdb(good, kind.family === 4 ? 6 : 4, now)).toThrow(expect.objectContaining({ reason: 'family' }));
  });

  test('is refused or can be searched, whatever bytes are changed', () => {
    const rows: XdbRow[] = [5n, 1000n, lastAddress[kind.family]].map((end, row) => [end, texts[kind.structure][row] ?? '']);
    const good = xdbFile(rows, kind);
    const place = fc.oneof(
      fc.nat(300),
      fc.nat(250).map((back) => good.length - 1 - back),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 5 }), (changes) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          expect(checkXdb(bytes, kind.family, now).table.ids.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(PlaceFileError);
        }
      }),
      { numRuns: 40 },
    );
  });
});

const bits = { 4: 32, 6: 128 } as const;
/** Networks and other ranges that often lie in each other. */
const rangeOf = (family: 4 | 6): fc.Arbitrary<IpRange> =>
  fc.tuple(fc.nat(400), fc.nat(60), fc.boolean(), fc.nat(6)).map(([from, length, isWide, wide]) => {
    const base = family === 4 ? 0x08080000n : 0x2409n << 112n;
    const first = base + BigInt(from);
    if (isWide) return { family, first: base, last: base + (1n << BigInt(wide + 4)) - 1n };
    return { family, first, last: first + BigInt(length) };
  });

describe.each([4, 6] as const)('corrections of IPv%i addresses', (family) => {
  test('go before the list, and of several the smallest counts', () => {
    const many = fc.uniqueArray(rangeOf(family), { selector: ipRangeText, minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(many, fc.array(fc.nat(500), { maxLength: 60 }), (ranges, offsets) => {
        const corrections = ranges.map((range, number): Correction => {
          return { range: ipRangeText(range), country: '中国', region: '测试', city: `城${number}`, carrier: 'unicom' };
        });
        const reader = placeReader(bundled, correctionTables(corrections));
        const base = (family === 4 ? 0x08080000n : 0x2409n << 112n) - 5n;
        for (const offset of offsets) {
          const address = base + BigInt(offset);
          const holding = ranges
            .map((range, number) => ({ number, size: range.last - range.first, holds: range.first <= address && address <= range.last }))
            .filter(({ holds }) => holds)
            .sort((a, b) => (a.size === b.size ? b.number - a.number : a.size < b.size ? -1 : 1));
          const ip = ipOf(family, address);
          const [smallest] = holding;
          expect(plain(reader.lookup(ip))).toEqual(plain(smallest ? (corrections[smallest.number] ?? NOWHERE) : reader.listed(ip)));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('reach the first and the last address of all, and private ones', () => {
    const all = family === 4 ? '0.0.0.0/0' : '::/0';
    const reader = placeReader(bundled, correctionTables([{ range: all, country: '南极', region: '', city: '', carrier: 'other' }]));
    for (const ip of family === 4
      ? ['0.0.0.0', '255.255.255.255', '10.1.2.3']
      : ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fd00::1'])
      expect(reader.lookup(ip).country).toBe('南极');
    expect(reader.lookup(family === 4 ? '2409:8a00::1' : '8.8.8.8').country).not.toBe('南极');
  });

  test('have one spelling for each range', () => {
    fc.assert(
      fc.property(addressOf(family), fc.nat(bits[family]), (address, prefix) => {
        const [one, other] = [`${ipOf(family, address)}/${prefix}`, readIpRange(`${ipOf(family, address)}/${prefix}`)];
        if (!other) throw new Error(`${one} is no range`);
        expect(readIpRange(ipRangeText(other))).toEqual(other);
        const spelled = `${ipOf(other.family, other.first)} - ${ipOf(other.family, other.last)}`;
        expect(ipRangeText(readIpRange(spelled) ?? other)).toBe(ipRangeText(other));
      }),
    );
  });
});

test.each(['', 'x', '1.2.3', '1.2.3.4/33', '1.2.3.9-1.2.3.1', '1.2.3.4-::1', '1.2.3.4-', '-', '::1/129', '1.2.3.4-5'])(
  '%j is no range',
  (text) => {
    expect(readIpRange(text)).toBeNull();
  },
);
