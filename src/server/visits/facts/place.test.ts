import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalIp } from '../../kit/network/ip.ts';
import type { PlaceReader } from './place.ts';
import { inspectPlaceFile, NOWHERE, openPlaces, PlaceFileError } from './place.ts';
import { readPlaceTable } from './place-files.ts';
import { placeIn } from './place-table.ts';

type Row = [start: string, end: string, text: string];
const MADE_AT = Date.UTC(2026, 4, 6, 7) / 1000;

function ipv4Bytes(ip: string): Buffer {
  return Buffer.from(ip.split('.').map(Number).reverse());
}

/** Groups of an address given in full, without `::`. */
function ipv6Bytes(ip: string): Buffer {
  return Buffer.concat(ip.split(':').map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}

/** An xdb file of few rows: header, an empty speed-up index, the texts, the entries. */
function xdb(rows: Row[], { structure = 2, family = 4 as 4 | 6 } = {}): Buffer {
  const header = Buffer.alloc(256 + 256 * 256 * 8);
  const texts = rows.map(([, , text]) => Buffer.from(text));
  const lengths = texts.map((text) => text.length);
  const dataEnd = header.length + lengths.reduce((sum, length) => sum + length, 0);
  let pointer = header.length;
  const entries = rows.map(([start, end], index) => {
    const tail = Buffer.alloc(6);
    tail.writeUInt16LE(lengths[index] ?? 0, 0);
    tail.writeUInt32LE(pointer, 2);
    pointer += lengths[index] ?? 0;
    return Buffer.concat([...[start, end].map(family === 4 ? ipv4Bytes : ipv6Bytes), tail]);
  });
  header.writeUInt16LE(structure, 0);
  header.writeUInt16LE(1, 2);
  header.writeUInt32LE(MADE_AT, 4);
  header.writeUInt32LE(dataEnd, 8);
  header.writeUInt32LE(dataEnd + (rows.length - 1) * (family === 4 ? 14 : 38), 12);
  if (structure === 3) {
    header.writeUInt16LE(family, 16);
    header.writeUInt16LE(4, 18);
  }
  return Buffer.concat([header, ...texts, ...entries]);
}

/** An IPDB file whose only record is given as bytes; entries begin at the given 64-bit numbers. */
function ipdb(record: Buffer, starts: bigint[]): Buffer {
  const header = Buffer.alloc(49);
  header.write('IPDB\x01\0\x03\x08', 0, 'latin1');
  header.writeBigUInt64LE(BigInt(starts.length), 8);
  header.writeBigUInt64LE(BigInt(49 + record.length), 16);
  header.write('20260506\0', 40, 'latin1');
  const entries = starts.map((start) => {
    const entry = Buffer.alloc(11);
    entry.writeBigUInt64LE(start, 0);
    entry.writeUIntLE(49, 8, 3);
    return entry;
  });
  return Buffer.concat([header, record, ...entries]);
}

let folder: string;
let bundled: PlaceReader;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'places-'));
  bundled = openPlaces();
});
afterAll(() => rmSync(folder, { recursive: true }));

function saved(bytes: Buffer): string {
  files += 1;
  const path = join(folder, `${files}.xdb`);
  writeFileSync(path, bytes);
  return path;
}

const china = (region: string, city: string, carrier: string) => ({ country: '中国', region, city, carrier });

describe('the bundled files', () => {
  test.each([
    ['114.114.114.114', china('江苏', '南京', 'other')],
    ['223.5.5.5', china('浙江', '杭州', 'other')],
    ['120.196.165.24', china('广东', '深圳', 'mobile')],
    ['::ffff:120.196.165.24', china('广东', '深圳', 'mobile')],
    ['61.232.1.1', china('北京', '北京', 'mobile')],
    ['61.135.169.121', china('北京', '北京', 'unicom')],
    ['49.7.1.1', china('北京', '北京', 'telecom')],
    ['168.95.1.1', china('台湾', '', 'other')],
    ['1.36.1.1', china('香港', '', 'other')],
    ['8.8.8.8', { country: '美国', region: '', city: '', carrier: 'other' }],
    ['2409:8a00::1', china('北京', '北京', 'mobile')],
    ['240e:390::1', china('浙江', '杭州', 'telecom')],
    ['2408:8000::1', china('', '', 'unicom')],
    ['2402:4E00:0::1', china('广东', '深圳', 'other')],
  ])('%s', (ip, place) => {
    expect(bundled.lookup(ip)).toEqual(place);
  });

  test.each(['10.0.0.1', '127.0.0.1', '192.168.1.1', '::1', 'fe80::1%eth0', 'fd00::1', '::ffff:10.0.0.1', '255.255.255.255', '0.0.0.0'])(
    '%s is private: no country',
    (ip) => {
      expect(bundled.lookup(ip)).toBe(NOWHERE);
    },
  );

  test.each(['', 'localhost', '1.2.3', '1.2.3.4.5', ':::', '<b>', '9'.repeat(100_000)])('%j is no address: no country', (ip) => {
    expect(bundled.lookup(ip)).toBe(NOWHERE);
  });

  test('tell how old they are', () => {
    expect(bundled.dataDate).toEqual({ ipv4: '2024-02-28', ipv6: '2021-05-11' });
  });

  test('give every address a place without endings such as 省 and 市', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
        const place = bundled.lookup(ip);
        expect(Object.isFrozen(place)).toBe(true);
        expect(['mobile', 'unicom', 'telecom', 'other']).toContain(place.carrier);
        if (place.country === '中国') expect(`${place.region}|${place.city}|`).not.toMatch(/[省市]\||\|0|内网/);
        expect(place.country).not.toMatch(/^(0|内网.*|IANA.*|局域网)$/);
      }),
      { numRuns: 3000 },
    );
  });

  test('are searched as a plain scan of their index would', () => {
    const path = join(dirname(createRequire(import.meta.url).resolve('ip2region/package.json')), 'data', 'ip2region.db');
    const table = readPlaceTable(readFileSync(path));
    for (let entry = 0; entry < table.ids.length; entry += 5003) {
      const start = table.starts[entry] ?? 0;
      const place = table.places[table.ids[entry] ?? 0];
      expect(placeIn(table, [start])).toBe(place);
      expect(placeIn(table, [(table.starts[entry + 1] ?? 2 ** 32) - 1])).toBe(place);
    }
  });
});

describe('an uploaded xdb file', () => {
  const classic: Row[] = [
    ['1.0.0.0', '1.0.0.255', '中国|0|江苏省|南京市|电信'],
    ['1.0.2.0', '1.0.2.255', '中国|0|内蒙古自治区|锡林郭勒盟|中国电信'],
    ['1.0.3.0', '1.0.3.0', '中国|0|新疆|伊犁哈萨克自治州|联通'],
    ['1.0.3.1', '1.0.3.255', '中国|0|台湾省|0|中华电信'],
  ];

  test('is read with the classic order of fields, and gaps are nowhere', () => {
    const path = saved(xdb(classic));
    const places = openPlaces({ xdbPath: path });
    expect(places.lookup('1.0.0.0')).toEqual(china('江苏', '南京', 'telecom'));
    expect(places.lookup('1.0.0.255')).toEqual(china('江苏', '南京', 'telecom'));
    expect(places.lookup('1.0.1.0')).toBe(NOWHERE);
    expect(places.lookup('1.0.2.9')).toEqual(china('内蒙古', '锡林郭勒', 'other'));
    expect(places.lookup('1.0.3.0')).toEqual(china('新疆', '伊犁', 'unicom'));
    expect(places.lookup('1.0.3.1')).toEqual(china('台湾', '', 'other'));
    for (const ip of ['0.255.255.255', '1.0.4.0', '223.255.255.255']) expect(places.lookup(ip), ip).toBe(NOWHERE);
    expect(places.dataDate.ipv4).toBe('2026-05-06');
    expect(inspectPlaceFile(path)).toEqual({ family: 4, data_date: '2026-05-06', ranges: 7, places: 5 });
  });

  test('is read with the newer order of fields, whose foreign names are English', () => {
    const rows: Row[] = [
      ['0.0.0.0', '0.255.255.255', 'Reserved|Reserved|Reserved|0|0'],
      ['1.0.0.0', '1.0.0.255', '中国|广东省|深圳市|移动|CN'],
      ['1.0.1.0', '1.0.1.255', '中国|北京市|北京市|铁通|CN'],
      ['8.8.8.0', '8.8.8.255', 'United States|California|0|Google LLC|US'],
      ['9.0.0.0', '255.255.255.255', 'Atlantis|0|0|0|0'],
    ];
    for (const structure of [2, 3]) {
      const places = openPlaces({ xdbPath: saved(xdb(rows, { structure })) });
      expect(places.lookup('1.0.0.7')).toEqual(china('广东', '深圳', 'mobile'));
      expect(places.lookup('1.0.1.7')).toEqual(china('北京', '北京', 'mobile'));
      expect(places.lookup('8.8.8.8')).toEqual({ country: '美国', region: 'California', city: '', carrier: 'other' });
      expect(places.lookup('223.255.255.255').country).toBe('Atlantis');
      expect(places.lookup('0.1.2.3')).toBe(NOWHERE);
    }
  });

  test('may hold IPv6 addresses, compared over all their 128 bits', () => {
    const rows: Row[] = [
      ['2409:0:0:0:0:0:0:0', '2409:0:0:0:0:0:0:ff', '中国|上海市|上海市|移动|CN'],
      ['2409:0:0:0:0:0:0:100', '2409:0:0:0:ffff:ffff:ffff:ffff', '中国|四川省|甘孜藏族自治州|电信|CN'],
      ['ffff:0:0:0:0:0:0:0', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'Reserved|Reserved|Reserved|0|0'],
    ];
    const places = openPlaces({ ipv6XdbPath: saved(xdb(rows, { structure: 3, family: 6 })) });
    expect(places.lookup('2409::ff')).toEqual(china('上海', '上海', 'mobile'));
    expect(places.lookup('2409::100')).toEqual(china('四川', '甘孜', 'telecom'));
    expect(places.lookup('2409:0:0:1::')).toBe(NOWHERE);
    expect(places.lookup('2408::')).toBe(NOWHERE);
    expect(places.lookup('114.114.114.114').city).toBe('南京');
  });

  test('of the other family is refused', () => {
    const path = saved(xdb(classic));
    expect(() => openPlaces({ ipv6XdbPath: path })).toThrow(`${path}: holds IPv4 addresses, IPv6 was expected`);
  });

  test('that does not exist is the file system’s error', () => {
    expect(() => openPlaces({ xdbPath: join(folder, 'none.xdb') })).toThrow(/ENOENT/);
  });
});

describe('a damaged or hostile file gives a PlaceFileError', () => {
  const good = xdb([
    ['1.0.0.0', '1.0.0.255', '中国|0|江苏省|南京市|电信'],
    ['1.0.1.0', '1.0.1.255', '中国|0|浙江省|杭州市|联通'],
  ]);
  const indexAt = good.length - 28;
  const damaged = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(good);
    change(bytes);
    return bytes;
  };

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(1_000_000)],
    ['a text', Buffer.from('<html>not found</html>'.repeat(1000))],
    ['cut within the header', good.subarray(0, 1000)],
    ['cut within the index', good.subarray(0, good.length - 1)],
    ['an index before the data', damaged((bytes) => bytes.writeUInt32LE(0, 8))],
    ['an index beyond the end', damaged((bytes) => bytes.writeUInt32LE(0xffffffff, 12))],
    ['an index that ends before it begins', damaged((bytes) => bytes.writeUInt32LE(indexAt - 14, 12))],
    ['an unknown structure', damaged((bytes) => bytes.writeUInt16LE(7, 0))],
    ['unknown addresses', damaged((bytes) => bytes.writeUInt16LE(3, 0))],
    ['overlapping ranges', damaged((bytes) => ipv4Bytes('1.0.0.255').copy(bytes, indexAt + 14))],
    ['a range that ends before it begins', damaged((bytes) => ipv4Bytes('0.9.9.9').copy(bytes, indexAt + 4))],
    ['a text beyond the end', damaged((bytes) => bytes.writeUInt32LE(good.length - 3, indexAt + 10))],
    ['a text far too long', damaged((bytes) => bytes.writeUInt16LE(65535, indexAt + 8))],
    ['a text that is not UTF-8', damaged((bytes) => bytes.writeUInt8(0xff, 256 + 524288 + 3))],
    ['rows of other fields', xdb([['1.0.0.0', '1.0.0.1', '中国|江苏省']])],
  ])('%s', (_, bytes) => {
    expect(() => readPlaceTable(bytes)).toThrow(PlaceFileError);
  });

  test('texts that overlap to fill the memory', () => {
    const rows: Row[] = Array.from({ length: 2000 }, (_, i) => [
      `2.0.${i >> 8}.${i & 255}`,
      `2.0.${i >> 8}.${i & 255}`,
      i === 0 ? 'a'.repeat(40_000) : '',
    ]);
    const bytes = xdb(rows);
    for (let i = 0; i < rows.length; i += 1) {
      const at = bytes.length - (rows.length - i) * 14;
      bytes.writeUInt16LE(1000, at + 8);
      bytes.writeUInt32LE(256 + 524288 + i, at + 10);
    }
    expect(() => readPlaceTable(bytes)).toThrow('the texts of the places overlap');
  });

  test.each<[string, Buffer]>([
    ['a record that points to itself', Buffer.from([1, 49, 0, 0])],
    ['a text that points to itself', Buffer.from([2, 49, 0, 0, 65, 0])],
    ['a record beyond the end', Buffer.from([1, 255, 255, 255])],
    ['a text without an end', Buffer.alloc(2000, 65)],
  ])('IPv6: %s', (_, record) => {
    expect(() => readPlaceTable(ipdb(record, [1n]))).toThrow(PlaceFileError);
  });

  test('IPv6: entries out of order, an endless index, an unknown kind', () => {
    const record = Buffer.from('中国\t北京市\0中国联通\0');
    const bytes = ipdb(record, [0x2408_0000_0000_0000n]);
    expect(placeIn(readPlaceTable(bytes), [0x2408_0001, 0])).toEqual(china('北京', '北京', 'unicom'));
    expect(() => readPlaceTable(ipdb(record, [2n, 1n]))).toThrow('order');
    expect(() => readPlaceTable(Buffer.from(bytes).fill(255, 8, 16))).toThrow(PlaceFileError);
    expect(() => readPlaceTable(Buffer.from(bytes).fill(0, 8, 16))).toThrow(PlaceFileError);
    expect(() => readPlaceTable(Buffer.from(bytes).fill(9, 6, 7))).toThrow('unknown kind');
  });

  test('whatever bytes are changed, a table is refused or can be searched', () => {
    const record = Buffer.from('\x02\x3c\0\0network\0中国\t新疆区\t伊犁州\t塔城地区\0');
    const small = [good, ipdb(record, [0n, 5n, 0x2408_0000_0000_0000n])];
    const change = fc.tuple(
      fc.oneof(
        fc.nat(60),
        fc.nat(200).map((back) => -1 - back),
      ),
      fc.nat(255),
    );
    fc.assert(
      fc.property(fc.constantFrom(...small), fc.array(change, { minLength: 1, maxLength: 6 }), (original, changes) => {
        const bytes = Buffer.from(original);
        for (const [at, value] of changes) bytes[at < 0 ? Math.max(0, bytes.length + at) : at] = value;
        try {
          const table = readPlaceTable(bytes);
          for (const first of [0, 0x01000001, 0xffffffff]) expect(table.places).toContain(placeIn(table, [first, first, 0, 0]));
        } catch (error) {
          expect(error).toBeInstanceOf(PlaceFileError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('an address has the same place in every spelling', () => {
  expect(canonicalIp('2409:8A00:0:0::1')).toBe('2409:8a00::1');
  expect(bundled.lookup('2409:8A00:0:0::1')).toBe(bundled.lookup('2409:8a00::1'));
  expect(bundled.lookup('::FFFF:72.72.72.72')).toBe(bundled.lookup('72.72.72.72'));
});
