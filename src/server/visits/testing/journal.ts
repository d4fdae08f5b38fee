import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeRecord, maximumRecordLength, type VisitRecord } from '../../kit/visits/journal/record.ts';
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

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.48(0x18003030) NetType/WIFI Language/zh_CN';

export const visitOf = (change: Partial<VisitRecord> = {}): VisitRecord => ({
  at: Date.now(),
  live_code_id: 1,
  target_id: 0,
  lease_id: 0,
  false_proof: 0,
  outcome: 0,
  open_log: true,
  host: 'qr.example.com',
  path: '/abcd',
  referer: '',
  language: 'zh-CN',
  user_agent: phone,
  ip: '114.114.114.114',
  ...change,
});

/** The bytes of a segment with these records, as the journal's writer lays them. */
export function segmentBytes(records: readonly VisitRecord[]): Buffer {
  const buffer = Buffer.alloc(records.length * maximumRecordLength);
  let length = 0;
  for (const record of records) length = encodeRecord(buffer, length, length, record);
  return buffer.subarray(0, length);
}

/** Writes a whole segment and answers its path. */
export function writeSegment(folder: string, source: string, number: number, records: readonly VisitRecord[]): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, segmentName(source, number));
  writeFileSync(path, segmentBytes(records));
  return path;
}
