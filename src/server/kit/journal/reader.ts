import { open } from 'node:fs/promises';
import { type DecodedRecord, decodeRecords, maximumRecordLength } from './record.ts';

export interface ReadBatch {
  records: DecodedRecord[];
  /** Where the next batch begins; the given offset where nothing new can be read yet. */
  next: number;
  /** Bytes between the given offset and `next` that belong to no sound record. */
  damaged_bytes: number;
  /** The file's length when it was read. */
  length: number;
}

/**
 * Reads the records of a segment from an offset on. `isFinal` says that nobody writes it any more: what then follows the last sound record
 * is counted as damaged and passed, where it would otherwise be left for the writer to complete.
 */
export async function readBatch(
  path: string,
  offset: number,
  { isFinal, bytes = 4 * 2 ** 20 }: { isFinal: boolean; bytes?: number },
): Promise<ReadBatch> {
  const file = await open(path, 'r');
  try {
    const { size: length } = await file.stat();
    const room = Math.max(bytes, 2 * maximumRecordLength);
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(room, length - offset)));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    const read = buffer.subarray(0, filled);
    const records = [...decodeRecords(read, offset)];
    const sound = records.at(-1)?.next ?? offset;
    const next = passDamage(sound, offset + filled, isFinal && offset + filled >= length);
    const damaged_bytes = records.reduce((sum, { skipped }) => sum + skipped, next - sound);
    return { records, next, damaged_bytes, length };
  } finally {
    await file.close();
  }
}

/**
 * No sound record begins in the first bytes after `sound` that a whole record could still have followed in what was read,
 * so that these are damaged for good; the rest may be a record that the end of the piece cut.
 */
function passDamage(sound: number, end: number, isEnd: boolean): number {
  if (isEnd) return end;
  return Math.max(sound, end - maximumRecordLength + 1);
}
