import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { olderBytes } from '../../../visits/testing/journal.ts';
import { visitOf } from '../../testing/visit-record.ts';
import { decodeRecords, encodeRecord, maxRecordLength, type VisitRecord } from './record.ts';

const headerText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength }),
    // What node:http makes of UTF-8 bytes in a header.
    fc.string({ unit: 'grapheme', maxLength: Math.floor(maxLength / 40) }).map((text) => Buffer.from(text).toString('latin1')),
  );

const whole = fc.nat({ max: 2 ** 48 - 1 });

const visit: fc.Arbitrary<VisitRecord> = fc.record({
  at: whole,
  live_code_id: whole,
  short_code_id: whole,
  target_id: whole,
  forward_id: whole,
  lease_id: whole,
  outcome: fc.integer({ min: 0, max: 255 }),
  open_log: fc.boolean(),
  proof_failure: fc.constantFrom(0, 1, 2),
  host: headerText(253),
  path: headerText(256),
  referer: headerText(512),
  language: headerText(35),
  user_agent: headerText(512),
  ip: fc.oneof(fc.ipV4(), fc.ipV6()),
  note: headerText(2032),
});

const encodeAll = (records: VisitRecord[], base = 0): { buffer: Buffer; starts: number[] } => {
  const buffer = Buffer.alloc(records.length * maxRecordLength);
  const starts: number[] = [];
  let at = 0;
  for (const record of records) {
    starts.push(at);
    at = encodeRecord(buffer, at, base + at, record);
  }
  return { buffer: buffer.subarray(0, at), starts };
};

const asText = (text: string) => Buffer.from(text, 'latin1').toString('utf8').replaceAll('\0', '\ufffd');
const asDecoded = (record: VisitRecord): VisitRecord => ({
  ...record,
  host: asText(record.host),
  path: asText(record.path),
  referer: asText(record.referer),
  language: asText(record.language),
  user_agent: asText(record.user_agent),
  note: asText(record.note),
});

const someVisit = visitOf({ at: Date.UTC(2026, 0, 2), live_code_id: 7, target_id: 9 });

describe('a visit record', () => {
  it('is read back as it was written, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 8 }), fc.nat({ max: 2 ** 26 }), (records, base) => {
        const { buffer, starts } = encodeAll(records, base);
        const decoded = [...decodeRecords(buffer, base)];
        expect(decoded.map(({ record }) => record)).toEqual(records.map(asDecoded));
        expect(decoded.map(({ offset }) => offset)).toEqual(starts.map((start) => base + start));
        expect(decoded.at(-1)?.next ?? base).toBe(base + buffer.length);
      }),
    );
  });

  it('that is torn at the end of the file is not read, and those before it are', () => {
    fc.assert(
      fc.property(fc.array(visit, { minLength: 1, maxLength: 5 }), fc.double({ min: 0, max: 1, noNaN: true }), (records, cut) => {
        const { buffer, starts } = encodeAll(records);
        const length = Math.floor(cut * buffer.length);
        const whole = [...starts.slice(1), buffer.length].filter((end) => end <= length).length;
        const decoded = [...decodeRecords(buffer.subarray(0, length), 0)];
        expect(decoded.map(({ record }) => record)).toEqual(records.slice(0, whole).map(asDecoded));
      }),
    );
  });

  it('that is damaged is left out alone, and its bytes are counted by the one behind it', () => {
    fc.assert(
      fc.property(
        fc.array(visit, { minLength: 2, maxLength: 6 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (records, pick, place, flip) => {
          const { buffer, starts } = encodeAll(records);
          const victim = pick % records.length;
          const start = starts[victim] ?? 0;
          const end = starts[victim + 1] ?? buffer.length;
          const hit = start + (place % (end - start));
          buffer[hit] = (buffer[hit] ?? 0) ^ flip;
          const decoded = [...decodeRecords(buffer, 0)];
          expect(decoded.map(({ record }) => record)).toEqual(records.filter((_, index) => index !== victim).map(asDecoded));
          const skipped = decoded.reduce((sum, one) => sum + one.skipped, 0);
          expect(skipped).toBe(victim === records.length - 1 ? 0 : end - start);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is never invented from noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000 }), (noise) => {
        expect([...decodeRecords(Buffer.from(noise), 0)]).toEqual([]);
      }),
    );
  });

  it('is not taken from a place where it was not written', () => {
    const { buffer } = encodeAll([someVisit], 4096);
    expect([...decodeRecords(buffer, 8192)]).toEqual([]);
  });

  it('inside the text of another is not taken for one, even when that other is damaged', () => {
    const inner = encodeAll([someVisit]).buffer.toString('latin1');
    const { buffer } = encodeAll([{ ...someVisit, user_agent: inner }, someVisit]);
    buffer[12] = (buffer[12] ?? 0) ^ 1;
    expect([...decodeRecords(buffer, 0)].map(({ record }) => record)).toEqual([someVisit]);
  });

  it('cuts every text to its bound', () => {
    const long = 'x'.repeat(5000);
    const { buffer } = encodeAll([
      { ...someVisit, host: long, path: long, referer: long, language: long, user_agent: long, ip: long, note: long },
    ]);
    expect(buffer.length).toBeLessThanOrEqual(maxRecordLength);
    const [decoded] = decodeRecords(buffer, 0);
    const lengths = Object.entries(decoded?.record ?? {}).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value.length]] : [],
    );
    expect(Object.fromEntries(lengths)).toEqual({ host: 253, path: 256, referer: 512, language: 35, user_agent: 512, ip: 45, note: 2032 });
  });

  it('names the version of its layout, is read where an older one wrote it without, and stops the reader where a later one did', () => {
    const { buffer, starts } = encodeAll([someVisit, someVisit, someVisit], 100);
    const [, second = 0, third = 0] = starts;
    expect(buffer.readUInt8(second + 5)).toBe(3);
    for (const version of [0, 1, 2]) {
      const older = olderBytes(someVisit, version, 100);
      expect([...decodeRecords(older, 100)]).toEqual([{ offset: 100, version, record: someVisit, next: 100 + older.length, skipped: 0 }]);
    }
    const decoding = decodeRecords(inVersion(buffer, second, third, 4, 100), 100);
    expect(decoding.next().value).toMatchObject({ offset: 100, version: 3, next: 100 + second });
    expect(decoding.next()).toEqual({ value: 4, done: true });
  });
});

/** As another version would have written the record, whose body it alone understands. */
function inVersion(buffer: Buffer, start: number, end: number, version: number, base: number): Buffer {
  const changed = Buffer.from(buffer);
  changed.writeUInt8(version, start + 5);
  changed.fill(0xaa, start + 10, end);
  const seed = (changed.readUInt32LE(start + 2) ^ Math.imul(base + start, 0x9e3779b1)) >>> 0;
  changed.writeUInt32LE(crc32(changed.subarray(start + 10, end), seed), start + 6);
  return changed;
}
