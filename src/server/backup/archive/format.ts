import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { StartError } from '../../kit/start-error.ts';

/** First entry of a backup: what it is of, as JSON. */
export const manifestName = 'manifest.json';
/** Last entry: the SHA-256 of every other file, as `sha256sum --check` reads it. */
export const checksumsName = 'SHA256SUMS';

/**
 * A backup is a tar compressed by zstd and, behind it, a skippable frame of zstd (RFC 8878, 3.1.2), which decompressors pass over:
 * magic, length, our mark, the room that the unpacked files take, and the SHA-256 of everything before it.
 */
const skippableMagic = 0x184d2a5e;
const mark = Buffer.from('livecode-backup1', 'latin1');
const headLength = 8 + mark.length + 8;
const hashLength = 32;
export const footerLength = headLength + hashLength;

const blockBytes = 4096;
/** What a file of this size takes on a disk. */
export const roomFor = (size: number): number => Math.ceil(size / blockBytes) * blockBytes + blockBytes;

/** @param whole has hashed everything before the footer; afterwards it has hashed the footer, too */
export function encodeFooter(whole: Hash, unpackedBytes: number): Buffer {
  const footer = Buffer.alloc(footerLength);
  footer.writeUInt32LE(skippableMagic, 0);
  footer.writeUInt32LE(footerLength - 8, 4);
  mark.copy(footer, 8);
  footer.writeBigUInt64LE(BigInt(unpackedBytes), 8 + mark.length);
  whole.update(footer.subarray(0, headLength));
  whole.copy().digest().copy(footer, headLength);
  whole.update(footer.subarray(headLength));
  return footer;
}

export interface CheckedArchive {
  /** Of the whole file. */
  bytes: number;
  /** Length of the compressed tar, which the file begins with. */
  contentLength: number;
  unpackedBytes: number;
}

/**
 * Reads a backup whole and compares its checksum.
 * @throws {StartError} for a file that is none of ours, or is not as it was written
 */
export async function checkArchive(path: string): Promise<CheckedArchive> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const footer = await readFooter(file, size);
    if (!footer) throw new StartError(`${path} is no backup of Livecode, or was cut short.`);
    const whole = createHash('sha256');
    const hashedLength = size - hashLength;
    for await (const chunk of file.createReadStream({ start: 0, end: hashedLength - 1, autoClose: false })) whole.update(chunk);
    if (!whole.digest().equals(footer.subarray(headLength))) throw new StartError(`${path} is damaged: its checksum does not match.`);
    return { bytes: size, contentLength: size - footerLength, unpackedBytes: Number(footer.readBigUInt64LE(8 + mark.length)) };
  } finally {
    await file.close();
  }
}

async function readFooter(file: FileHandle, size: number): Promise<Buffer | undefined> {
  if (size <= footerLength) return undefined;
  const footer = Buffer.alloc(footerLength);
  await file.read(footer, 0, footerLength, size - footerLength);
  const isOurs =
    footer.readUInt32LE(0) === skippableMagic &&
    footer.readUInt32LE(4) === footerLength - 8 &&
    footer.subarray(8, 8 + mark.length).equals(mark);
  return isOurs ? footer : undefined;
}
