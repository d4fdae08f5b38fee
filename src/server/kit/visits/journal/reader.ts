import { type FileHandle, open } from 'node:fs/promises';
import { type DecodedRecord, decodeRecords, maximumRecordLength } from './record.ts';

export interface ReadBatch {
  records: DecodedRecord[];
  /** Where the next batch begins; the given offset where nothing new can be read yet. */
  next: number;
  /** Bytes between the given offset and `next` that belong to no sound record. */
  damaged_bytes: number;
  /** That of the record after these, where a later version of this program wrote it: it is left for a reader that knows its layout. */
  unknown_version?: number;
  /** Where the data ends: beyond `next` where more can be read at once. Zeros written ahead are no data. */
  length: number;
}

const firstPiece = 64 * 1024;
const batchBytes = 4 * 2 ** 20;

/**
 * Reads the records of a segment from an offset on. `isFinal` says that nobody writes it any more: what then follows the last sound record
 * is counted as damaged and passed, where it would otherwise be left for the writer to complete.
 */
export async function readBatch(
  path: string,
  offset: number,
  { isFinal, bytes = batchBytes }: { isFinal: boolean; bytes?: number },
): Promise<ReadBatch> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const limit = Math.min(offset + Math.max(bytes, 2 * maximumRecordLength), size);
    // A writer that was caught up with is asked often, and then only zeros follow.
    let piece = await readPiece(file, offset, Math.min(limit, offset + firstPiece));
    if (dataLength(piece) > 0) piece = await readPiece(file, offset, limit);
    else if (isFinal) return await passZeros(file, offset, size);
    const end = offset + dataLength(piece);
    const isEnd = offset + piece.length >= size || end < offset + piece.length - maximumRecordLength;
    const { records, unknown_version } = decodeAll(piece, offset);
    const sound = records.at(-1)?.next ?? offset;
    const skipped = records.reduce((sum, record) => sum + record.skipped, 0);
    if (unknown_version !== undefined) return { records, next: sound, damaged_bytes: skipped, length: size, unknown_version };
    const next = isFinal && isEnd ? Math.max(sound, end) : passDamage(sound, end);
    return { records, next, damaged_bytes: skipped + next - sound, length: isEnd ? Math.max(next, end) : size };
  } finally {
    await file.close();
  }
}

function decodeAll(piece: Buffer, offset: number): Pick<ReadBatch, 'records' | 'unknown_version'> {
  const records: DecodedRecord[] = [];
  const decoding = decodeRecords(piece, offset);
  for (;;) {
    const { value, done } = decoding.next();
    if (done) return { records, ...(value !== undefined && { unknown_version: value }) };
    records.push(value);
  }
}

/** Whether anything but zeros follows in a file, which a writer puts there ahead of its records. */
export async function hasDataAfter(path: string, offset: number): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return (await firstByteAfter(file, offset, size)) !== undefined;
  } finally {
    await file.close();
  }
}

async function readPiece(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The length without the zeros at the end. */
function dataLength(piece: Buffer): number {
  let length = piece.length;
  while (length > 0 && piece[length - 1] === 0) length -= 1;
  return length;
}

/** Zeros at the end of a segment were written ahead; zeros that data follows are a part that was lost. */
async function passZeros(file: FileHandle, offset: number, size: number): Promise<ReadBatch> {
  const next = await firstByteAfter(file, offset, size);
  if (next === undefined) return { records: [], next: offset, damaged_bytes: 0, length: offset };
  return { records: [], next, damaged_bytes: next - offset, length: size };
}

/** Where the first byte lies that is not zero. */
async function firstByteAfter(file: FileHandle, offset: number, size: number): Promise<number | undefined> {
  for (let at = offset; at < size; at += batchBytes) {
    const piece = await readPiece(file, at, Math.min(size, at + batchBytes));
    const first = piece.findIndex((byte) => byte !== 0);
    if (first >= 0) return at + first;
  }
  return undefined;
}

/**
 * No sound record begins in the first bytes after `sound` that a whole record could still have followed in what was read,
 * so that these are damaged for good; the rest may be a record that the end of the piece cut.
 */
function passDamage(sound: number, end: number): number {
  return Math.max(sound, end - maximumRecordLength + 1);
}
