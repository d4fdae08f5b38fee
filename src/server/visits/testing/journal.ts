import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { encodeRecord, maxRecordLength, type VisitRecord } from '../../kit/visits/journal/record.ts';
import { segmentName, sourceName } from '../../kit/visits/journal/segment.ts';

/** No process has this id. */
const nobodysProcess = 99_999_999;

let sources = 0;
/** The name of a writer that has ended; each is another one. */
export const endedSource = (slot = 'test'): string => {
  sources += 1;
  return sourceName(slot, Date.now() + sources, nobodysProcess);
};
/** The name of a writer that lives: ourselves. */
export const livingSource = (slot = 'live'): string => sourceName(slot, Date.now());

/** The bytes of a segment with these records, as the journal's writer lays them. */
export function segmentBytes(records: readonly VisitRecord[]): Buffer {
  const buffer = Buffer.alloc(records.length * maxRecordLength);
  let length = 0;
  for (const record of records) length = encodeRecord(buffer, length, length, record);
  return buffer.subarray(0, length);
}

/** The bytes of a record as an earlier version laid it: 2 without a note, before it also without numbers of short codes and forwards. */
export function olderBytes(record: VisitRecord, version = 1, base = 0): Buffer {
  const buffer = Buffer.alloc(maxRecordLength);
  const whole = buffer.subarray(0, encodeRecord(buffer, 0, base, record));
  const older = Buffer.concat([whole.subarray(0, version < 2 ? 45 : 57), whole.subarray(59)]);
  const head = version * 2 ** 24 + older.length - 10;
  older.writeUInt32LE(head, 2);
  older.writeUInt32LE(crc32(older.subarray(10), (head ^ Math.imul(base, 0x9e3779b1)) >>> 0), 6);
  return older;
}

/** Writes a whole segment and answers its path. */
export function writeSegment(folder: string, source: string, number: number, records: readonly VisitRecord[]): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, segmentName(source, number));
  writeFileSync(path, segmentBytes(records));
  return path;
}
