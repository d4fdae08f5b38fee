import { crc32 } from 'node:zlib';

/** What was wrong with the ticket or signature of a visit to a scan-only code: false, or used before. */
export const proofFailures = { none: 0, forged: 1, replayed: 2 } as const;
export type ProofFailure = (typeof proofFailures)[keyof typeof proofFailures];

/** One visit as the redirect process knew it; look-ups of place, carrier and device come later, by the loader. */
export interface VisitRecord {
  /** Milliseconds since 1970. */
  at: number;
  /** 0 where the visit reached no live code. */
  live_code_id: number;
  /** 0 where it reached no short code. */
  short_code_id: number;
  /** 0 where no target was chosen. */
  target_id: number;
  /** 0 where no forward answered. */
  forward_id: number;
  /** The `target_lease` that this visit was served from; 0 for targets without a threshold. */
  lease_id: number;
  /** Position in the contract's `outcomes`. */
  outcome: number;
  open_log: boolean;
  proof_failure: ProofFailure;
  host: string;
  /** Without the query, which may carry a ticket. */
  path: string;
  referer: string;
  /** The first accepted language tag. */
  language: string;
  user_agent: string;
  ip: string;
  /**
   * What a report says (`report-note.ts`), the marked device that an owner's own visit came by, or the alias that a passed one came by
   * (`aliasIn`); otherwise empty.
   */
  note: string;
}

export interface DecodedRecord {
  /** Where the record begins in its segment. */
  offset: number;
  /** Of its layout. Before 2 `live_code_id` may be a short code's, and `target_id` is the forward's where one answered. */
  version: number;
  record: VisitRecord;
  /** Where the next one begins. */
  next: number;
  /** Damaged bytes that were skipped just before this record. */
  skipped: number;
}

/**
 * Layout, little endian: magic u16, body length u24, version u8, CRC-32 of the body u32, body. Length, version and CRC are found and
 * checked alike in every version, whatever the body holds. The body of version 3: four 48-bit integers (at, live_code_id, target_id,
 * lease_id), outcome u8, flags u8 (bit 0 open_log, bits 1 and 2 proof_failure), the texts' lengths (u8, u16, u16, u8, u16, u8), two 48-bit
 * integers (short_code_id, forward_id), the length of the note (u16), then the texts' bytes in the order of their lengths. Journals that
 * were not loaded before an upgrade hold earlier versions: 2 lacks the note, 0 and 1 also the last two integers.
 */
const magic = 0xf5ff;
const headerLength = 10;
const layoutVersion = 3;
const fixedLength = 49;
/** Of versions 0, 1 and 2. */
const olderFixedLengths = [35, 35, 47] as const;
const minFixedLength = 35;
/** From this version on short codes and forwards have numbers of their own. */
const namedSince = 2;
const fixedLengthOf = (version: number): number => olderFixedLengths[version] ?? fixedLength;
const versionUnit = 2 ** 24;

const hostBytes = 253;
const pathBytes = 256;
const refererBytes = 512;
const languageBytes = 35;
const userAgentBytes = 512;
const ipBytes = 45;
/** A reason and 500 characters of four bytes. */
const noteBytes = 2032;

/** No record of any version is longer, nor the parts of this one together; a writer that has this much room can encode without asking. */
export const maxRecordLength = 4096;

/**
 * The CRC starts from length, version and place, so that a record that lies where it was not written (a misdirected block, a copy inside a
 * visitor's text) is never taken for one.
 */
const seedOf = (head: number, segmentOffset: number): number => (head ^ Math.imul(segmentOffset, 0x9e3779b1)) >>> 0;

const bounded = (text: string, bytes: number): string => (text.length > bytes ? text.slice(0, bytes) : text);

const writeWhole = (buffer: Buffer, value: number, at: number): void => {
  buffer.writeUInt32LE(value >>> 0, at);
  buffer.writeUInt16LE(Math.floor(value / 0x1_0000_0000), at + 4);
};

const readWhole = (buffer: Buffer, at: number): number => buffer.readUInt32LE(at) + buffer.readUInt16LE(at + 4) * 0x1_0000_0000;

/**
 * Writes a record at `at` of the buffer, which will stand at `segmentOffset` of its segment; answers where the next one may begin.
 * Texts are header values as node:http gives them, one character a byte, and are cut to their bounds.
 */
export function encodeRecord(buffer: Buffer, at: number, segmentOffset: number, record: VisitRecord): number {
  const host = bounded(record.host, hostBytes);
  const path = bounded(record.path, pathBytes);
  const referer = bounded(record.referer, refererBytes);
  const language = bounded(record.language, languageBytes);
  const userAgent = bounded(record.user_agent, userAgentBytes);
  const ip = bounded(record.ip, ipBytes);
  const note = bounded(record.note, noteBytes);
  const body = at + headerLength;
  writeWhole(buffer, record.at, body);
  writeWhole(buffer, record.live_code_id, body + 6);
  writeWhole(buffer, record.target_id, body + 12);
  writeWhole(buffer, record.lease_id, body + 18);
  buffer[body + 24] = record.outcome;
  buffer[body + 25] = (record.open_log ? 1 : 0) | (record.proof_failure << 1);
  buffer[body + 26] = host.length;
  buffer.writeUInt16LE(path.length, body + 27);
  buffer.writeUInt16LE(referer.length, body + 29);
  buffer[body + 31] = language.length;
  buffer.writeUInt16LE(userAgent.length, body + 32);
  buffer[body + 34] = ip.length;
  writeWhole(buffer, record.short_code_id, body + 35);
  writeWhole(buffer, record.forward_id, body + 41);
  buffer.writeUInt16LE(note.length, body + 47);
  // One write of the joined text costs less than seven calls into the runtime.
  const text = host + path + referer + language + userAgent + ip + note;
  buffer.write(text, body + fixedLength, text.length, 'latin1');
  const length = fixedLength + text.length;
  const end = body + length;
  const head = layoutVersion * versionUnit + length;
  buffer.writeUInt16LE(magic, at);
  buffer.writeUInt32LE(head, at + 2);
  buffer.writeUInt32LE(crc32(buffer.subarray(body, end), seedOf(head, segmentOffset)), at + 6);
  return end;
}

/**
 * The records of a piece of a segment; `base` is the segment offset at which the buffer begins. A damaged part is skipped up to the next
 * sound record, and reported by that one. It stops where no sound record follows: a torn tail, or one that is still being written; and at
 * a sound record of a later version, whose number it returns.
 */
export function* decodeRecords(buffer: Buffer, base: number): Generator<DecodedRecord, number | undefined> {
  let at = 0;
  while (at < buffer.length) {
    const start = findRecord(buffer, at, base);
    if (start < 0) return undefined;
    const version = buffer.readUInt8(start + 5);
    if (version > layoutVersion) return version;
    const end = start + headerLength + buffer.readUIntLE(start + 2, 3);
    yield {
      offset: base + start,
      version,
      record: decodeBody(buffer, start + headerLength, version),
      next: base + end,
      skipped: start - at,
    };
    at = end;
  }
  return undefined;
}

/** Where the next sound record begins, at `from` or later; -1 where there is none. */
function findRecord(buffer: Buffer, from: number, base: number): number {
  if (isRecord(buffer, from, base)) return from;
  for (let at = buffer.indexOf(magic & 0xff, from + 1); at >= 0; at = buffer.indexOf(magic & 0xff, at + 1)) {
    if (isRecord(buffer, at, base)) return at;
  }
  return -1;
}

function isRecord(buffer: Buffer, at: number, base: number): boolean {
  if (at + headerLength + minFixedLength > buffer.length || buffer.readUInt16LE(at) !== magic) return false;
  const head = buffer.readUInt32LE(at + 2);
  const length = head % versionUnit;
  const body = at + headerLength;
  if (length < minFixedLength || length > maxRecordLength - headerLength || body + length > buffer.length) return false;
  const version = Math.floor(head / versionUnit);
  if (version <= layoutVersion && !holdsTexts(buffer, body, length, version)) return false;
  return crc32(buffer.subarray(body, body + length), seedOf(head, base + at)) === buffer.readUInt32LE(at + 6);
}

/** Whether a body of this version and length is as long as its texts. */
const holdsTexts = (buffer: Buffer, body: number, length: number, version: number): boolean => {
  const fixed = fixedLengthOf(version);
  return length >= fixed && textLength(buffer, body) + noteLength(buffer, body, version) === length - fixed;
};

const noteLength = (buffer: Buffer, body: number, version: number): number =>
  version < layoutVersion ? 0 : buffer.readUInt16LE(body + 47);

const textLength = (buffer: Buffer, body: number): number =>
  buffer.readUInt8(body + 26) +
  buffer.readUInt16LE(body + 27) +
  buffer.readUInt16LE(body + 29) +
  buffer.readUInt8(body + 31) +
  buffer.readUInt16LE(body + 32) +
  buffer.readUInt8(body + 34);

const proofFailureOf = (bits: number): ProofFailure =>
  bits === proofFailures.forged || bits === proofFailures.replayed ? bits : proofFailures.none;

/** Header values are bytes; most that are not ASCII are UTF-8, and what isn't becomes the replacement character. A NUL fits no text column. */
function decodeBody(buffer: Buffer, body: number, version: number): VisitRecord {
  const isOlder = version < namedSince;
  let at = body + fixedLengthOf(version);
  const take = (length: number): string => {
    const text = buffer.toString('utf8', at, at + length);
    at += length;
    return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  };
  return {
    at: readWhole(buffer, body),
    live_code_id: readWhole(buffer, body + 6),
    short_code_id: isOlder ? 0 : readWhole(buffer, body + 35),
    target_id: readWhole(buffer, body + 12),
    forward_id: isOlder ? 0 : readWhole(buffer, body + 41),
    lease_id: readWhole(buffer, body + 18),
    outcome: buffer.readUInt8(body + 24),
    open_log: (buffer.readUInt8(body + 25) & 1) === 1,
    proof_failure: proofFailureOf((buffer.readUInt8(body + 25) >> 1) & 3),
    host: take(buffer.readUInt8(body + 26)),
    path: take(buffer.readUInt16LE(body + 27)),
    referer: take(buffer.readUInt16LE(body + 29)),
    language: take(buffer.readUInt8(body + 31)),
    user_agent: take(buffer.readUInt16LE(body + 32)),
    ip: take(buffer.readUInt8(body + 34)),
    note: take(noteLength(buffer, body, version)),
  };
}
