import { closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Addresses, StoredAddresses } from './addresses.ts';
import {
  type ByteColumn,
  blockLength,
  byteColumns,
  type CodeSum,
  codeSums,
  type NamedColumn,
  type Numbers,
  namedColumns,
  type Piece,
  type ReadPiece,
  type WideColumn,
  wideColumns,
} from './layout.ts';
import { type Picked, pickRows, type Range } from './picked.ts';
import { roomFor } from './rooms.ts';

/** How many visits that passed each place of a dictionary has: over all codes, and of those that reached one. */
export type Totals = { all: Numbers; ofCodes: Numbers };
type Named = { ids: Float64Array; places: Numbers; totals: Totals };

/** A day of visits by columns, as it is written: by code, and by time within. 0 is "unknown" of every dictionary. */
export type Day = {
  visits: number;
  /** How many reached no code: they come first. */
  codeless: number;
  codes: { ids: Float64Array; starts: Uint32Array };
  wide: Record<WideColumn, Numbers>;
  bytes: Record<ByteColumn, Uint8Array>;
  named: Record<NamedColumn, Named>;
  /** First visits of the day by target, and those of addresses that had been here on another day. */
  firsts: { all: Numbers; returning: Numbers };
  sums: { codes: Float64Array } & Record<CodeSum, Numbers | Float64Array>;
  /** Codes whose visits did not all keep a row. */
  incomplete: Float64Array;
  /** Of a day that goes on: its visitors are met again. */
  addresses?: Addresses | undefined;
};

type Header = {
  visits: number;
  visitors: number;
  /** When the last visit came, in milliseconds since the start of the day. */
  last: number;
  flags: number;
  codeless: number;
  codes: { ids: Piece; starts: Piece };
  columns: Record<WideColumn | ByteColumn, Piece>;
  named: Record<NamedColumn, { ids: Piece; places: Piece; all: Piece; ofCodes: Piece }>;
  firsts: { all: Piece; returning: Piece };
  codeSums: { codes: Piece } & Record<CodeSum, Piece>;
  incomplete: Piece;
  addresses?: Record<keyof Addresses, Piece> | undefined;
  /** Checksums of blocks, and their own. */
  sums: Piece & { sum: number };
};

/** Files of another layout are not looked for. */
export const layout = 4;
const magic = `livecode day ${layout}\n`;
export const headerLength = 4_096;
/** Writes a whole file or none: what a crash leaves has another name. */
export function writeDay(path: string, day: Day): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.unfinished`;
  const pieces: Uint8Array[] = [];
  let end = headerLength;
  const put = (numbers: Numbers | Float64Array): Piece => {
    const bytes = new Uint8Array(Math.ceil(numbers.byteLength / 8) * 8);
    bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    pieces.push(bytes);
    const piece = { at: end, length: numbers.length, width: numbers.BYTES_PER_ELEMENT as Piece['width'] };
    end += bytes.length;
    return piece;
  };
  const columns = { ...day.wide, ...day.bytes };
  const header = {
    visits: day.visits,
    visitors: largestOf(day.wide.visitor) + 1,
    last: largestOf(day.wide.at),
    flags: day.bytes.flags.reduce((all, flags) => all | flags, 0),
    codeless: day.codeless,
    codes: { ids: put(narrowest(day.codes.ids)), starts: put(day.codes.starts) },
    columns: Object.fromEntries([...wideColumns, ...byteColumns].map((column) => [column, put(columns[column])])) as Header['columns'],
    named: Object.fromEntries(
      namedColumns.map((column) => {
        const { ids, places, totals } = day.named[column];
        return [column, { ids: put(narrowest(ids)), places: put(places), all: put(totals.all), ofCodes: put(totals.ofCodes) }];
      }),
    ) as Header['named'],
    firsts: { all: put(day.firsts.all), returning: put(day.firsts.returning) },
    codeSums: Object.fromEntries((['codes', ...codeSums] as const).map((sum) => [sum, put(day.sums[sum])])) as Header['codeSums'],
    incomplete: put(day.incomplete),
    addresses: day.addresses && {
      ...{ codes: put(day.addresses.codes), starts: put(day.addresses.starts), hashes: put(day.addresses.hashes) },
    },
  };
  const data = Buffer.concat(pieces);
  const sums = Uint32Array.from({ length: Math.ceil(data.length / blockLength) }, (_, block) =>
    crc32(data.subarray(block * blockLength, (block + 1) * blockLength)),
  );
  const ofSums = { ...put(sums), sum: crc32(new Uint8Array(sums.buffer)) };
  const text = Buffer.from((magic + JSON.stringify({ ...header, sums: ofSums } satisfies Header)).padEnd(headerLength, '\n'), 'latin1');
  const file = openSync(unfinished, 'w', 0o600);
  try {
    for (const bytes of [text, data, new Uint8Array(sums.buffer)])
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
    fsyncSync(file);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function largestOf(numbers: Numbers): number {
  let largest = 0;
  for (const number of numbers) if (number > largest) largest = number;
  return largest;
}

export type OpenDay = {
  visits: number;
  visitors: number;
  last: number;
  /** What flags any visit has. */
  flags: number;
  codeless: number;
  codes: () => { ids: Float64Array; starts: Uint32Array };
  /** The columns of visits, by their positions. */
  pick: (ranges: readonly Range[]) => Picked;
  totals: (column: NamedColumn, ofCodes: boolean) => { ids: Float64Array; visits: Uint32Array };
  firsts: () => { ids: Float64Array; all: Uint32Array; returning: Uint32Array };
  sums: (sum: CodeSum) => { codes: Float64Array; sums: Float64Array };
  incomplete: () => Float64Array;
  addresses: () => StoredAddresses | undefined;
  close: () => void;
};

/**
 * Opens a day; of its columns only those are read that are asked for, and of these the blocks that are.
 * @throws Error where the file is none of ours, or is damaged where it is read
 */
export function openDay(path: string): OpenDay {
  const file = openSync(path, 'r');
  try {
    const { columns, named, ...header } = headerOf(file, path);
    const read = readerOf(file, path, header.sums, checkedOf(file, path, header.sums.length));
    const ids = (piece: Piece) => new Float64Array(read(piece, 0, piece.length));
    const numbers = (piece: Piece) => new Uint32Array(read(piece, 0, piece.length));
    return {
      ...{ visits: header.visits, visitors: header.visitors, last: header.last, flags: header.flags, codeless: header.codeless },
      codes: () => ({ ids: ids(header.codes.ids), starts: numbers(header.codes.starts) }),
      pick: (ranges) => pickRows(ranges, { columns, named }, read),
      totals: (column, ofCodes) => ({ ids: ids(named[column].ids), visits: numbers(ofCodes ? named[column].ofCodes : named[column].all) }),
      firsts: () => ({ ids: ids(named.target.ids), all: numbers(header.firsts.all), returning: numbers(header.firsts.returning) }),
      sums: (sum) => ({ codes: ids(header.codeSums.codes), sums: ids(header.codeSums[sum]) }),
      incomplete: () => ids(header.incomplete),
      addresses: () => {
        if (!header.addresses) return undefined;
        const { codes, starts, hashes } = header.addresses;
        return {
          ...{ codes: ids(codes), starts: numbers(starts), length: hashes.length },
          read: (first, end) => new Float64Array(read(hashes, first, end)),
        };
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Whether a file that is there is none of a day, or any of it is damaged. */
export function isDamaged(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r');
  try {
    const { sums } = headerOf(file, path);
    const length = sums.at - headerLength;
    readerOf(file, path, sums, new Uint8Array(sums.length))({ at: headerLength, length, width: 1 }, 0, length);
    return false;
  } catch {
    return true;
  } finally {
    closeSync(file);
  }
}

function headerOf(file: number, path: string): Header {
  const text = Buffer.from(readBytes(file, path, 0, headerLength), 0, headerLength).toString('latin1');
  if (!text.startsWith(magic)) throw new Error(`${path} is no day of visits`);
  return JSON.parse(text.slice(magic.length)) as Header;
}

/** The first bytes of the buffer, until the next are read. */
function readBytes(file: number, path: string, at: number, length: number): ArrayBuffer {
  const bytes = new Uint8Array(roomFor('bytes', Math.ceil(length / 4)).buffer);
  for (let done = 0; done < length; ) {
    const got = readSync(file, bytes, done, length - done, at + done);
    if (got === 0) throw new Error(`${path} ends too early`);
    done += got;
  }
  return bytes.buffer;
}

/** To check what is read takes as long as to read it, so that a block is checked once in so long: files are written once. */
const checkedMilliseconds = 600_000;
type Checked = { file: string; until: number; blocks: Uint8Array };
const checked = new Map<string, Checked>();

/** Which blocks of a file were found to be as they were written, of late and by this thread. */
function checkedOf(file: number, path: string, length: number): Uint8Array {
  const { ino, mtimeMs } = fstatSync(file);
  const name = `${ino} ${mtimeMs}`;
  const known = checked.get(path);
  if (known?.file === name && known.until > performance.now()) return known.blocks;
  const blocks = new Uint8Array(length);
  checked.set(path, { file: name, until: performance.now() + checkedMilliseconds, blocks });
  return blocks;
}

/** Reads numbers of a piece from `first` on; the blocks that they are in are checked where they were not of late. */
function readerOf(file: number, path: string, ofSums: Header['sums'], isChecked: Uint8Array): ReadPiece {
  const sumBytes = readBytes(file, path, ofSums.at, ofSums.length * 4).slice(0, ofSums.length * 4);
  if (crc32(new Uint8Array(sumBytes)) !== ofSums.sum) throw new Error(`${path} is damaged`);
  const sums = new Uint32Array(sumBytes);
  return ({ at, width }, first, end) => {
    const Width = arrayOf[width];
    const [from, to] = [at + first * width - headerLength, at + end * width - headerLength];
    const start = Math.floor(from / blockLength) * blockLength;
    const stop = Math.min(Math.ceil(to / blockLength) * blockLength, ofSums.at - headerLength);
    const buffer = readBytes(file, path, headerLength + start, Math.max(stop - start, 0));
    for (let block = start; block < stop; block += blockLength) {
      const number = block / blockLength;
      if (isChecked[number] === 1) continue;
      const bytes = new Uint8Array(buffer, block - start, Math.min(blockLength, stop - block));
      if (crc32(bytes) !== sums[number]) throw new Error(`${path} is damaged`);
      isChecked[number] = 1;
    }
    return new Width(buffer, from - start, end - first);
  };
}

const arrayOf = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;

/** As narrow as its numbers allow. */
export function narrow(numbers: Uint32Array, largest = largestOf(numbers)): Numbers {
  return largest < 2 ** 8 ? Uint8Array.from(numbers) : largest < 2 ** 16 ? Uint16Array.from(numbers) : numbers;
}

/** The same of any numbers: what came late may have taken more from a day than the day had. */
export const narrowest = (numbers: ArrayLike<number>): Numbers | Float64Array => {
  const all = Float64Array.from(numbers);
  return all.some((number) => number < 0 || number >= 2 ** 32) ? all : narrow(Uint32Array.from(all));
};
