import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Addresses } from './parts.ts';

/** Columns whose values are few and far apart: each has a dictionary of its numbers, and a place in it for every visit. */
export const namedColumns = ['code', 'target', 'place', 'agent', 'language', 'referer', 'host'] as const;
export type NamedColumn = (typeof namedColumns)[number];
/** `at` are milliseconds since the start of the day, in order; `visitor` numbers a code and an address; `flags` are those below. */
export const plainColumns = ['at', 'outcome', 'flags', 'visitor'] as const;
type PlainColumn = (typeof plainColumns)[number];

export const isFirstOfDay = 1;
export const isFirstEver = 2;
/** Passed a short code, where it is counted, too. */
export const isByShortCode = 4;

export type Numbers = Uint8Array | Uint16Array | Uint32Array;
export type Named = { ids: Float64Array; places: Numbers };

/** A day of visits by columns, as it is written. 0 is "unknown" of every dictionary. */
export type Day = {
  visits: number;
  plain: Record<PlainColumn, Numbers>;
  named: Record<NamedColumn, Named>;
  /** Codes whose visits did not all keep a row. */
  incomplete: Float64Array;
  /** Of a day that goes on: its visitors are met again. */
  addresses?: Addresses | undefined;
};

type Piece = { at: number; length: number; width: 1 | 2 | 4 | 8; sum: number };
type Header = {
  visits: number;
  visitors: number;
  plain: Record<PlainColumn, Piece>;
  named: Record<NamedColumn, { ids: Piece; places: Piece }>;
  incomplete: Piece;
  addresses?: { codes: Piece; hashes: Piece } | undefined;
};

/** Files of another layout are not looked for. */
export const layout = 2;
const magic = `livecode day ${layout}\n`;
export const headerLength = 4_096;

const widthOf = (numbers: Numbers | Float64Array): Piece['width'] => numbers.BYTES_PER_ELEMENT as Piece['width'];

/** Writes a whole file or none: what a crash leaves has another name. */
export function writeDay(path: string, day: Day): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.unfinished`;
  const file = openSync(unfinished, 'w', 0o600);
  try {
    let end = headerLength;
    const put = (numbers: Numbers | Float64Array): Piece => {
      const at = end;
      const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
      end += Math.ceil(bytes.length / 8) * 8;
      return { at, length: numbers.length, width: widthOf(numbers), sum: crc32(bytes) };
    };
    const plain = Object.fromEntries(plainColumns.map((column) => [column, put(day.plain[column])])) as Header['plain'];
    const named = Object.fromEntries(
      namedColumns.map((column) => [column, { ids: put(day.named[column].ids), places: put(day.named[column].places) }]),
    ) as Header['named'];
    let visitors = 0;
    for (const number of day.plain.visitor) if (number >= visitors) visitors = number + 1;
    const addresses = day.addresses && { codes: put(day.addresses.codes), hashes: put(day.addresses.hashes) };
    const header: Header = { visits: day.visits, visitors, plain, named, incomplete: put(day.incomplete), addresses };
    writeSync(file, Buffer.from((magic + JSON.stringify(header)).padEnd(headerLength, '\n'), 'latin1'), 0, headerLength, 0);
    fsyncSync(file);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

export type OpenDay = {
  visits: number;
  visitors: number;
  plain: (column: PlainColumn) => Numbers;
  named: (column: NamedColumn) => Named;
  incomplete: () => Float64Array;
  addresses: () => Addresses | undefined;
  close: () => void;
};

/**
 * Opens a day; of its columns only those are read that are asked for.
 * @throws Error where the file is none of ours, or is damaged where it is read
 */
export function openDay(path: string): OpenDay {
  const file = openSync(path, 'r');
  const read = (at: number, length: number): ArrayBuffer => {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const got = readSync(file, bytes, done, length - done, at + done);
      if (got === 0) throw new Error(`${path} ends too early`);
      done += got;
    }
    return bytes.buffer;
  };
  const checked = ({ at, length, width, sum }: Piece): ArrayBuffer => {
    const buffer = read(at, length * width);
    if (crc32(new Uint8Array(buffer)) !== sum) throw new Error(`${path} is damaged`);
    return buffer;
  };
  const numbers = (piece: Piece): Numbers => {
    const buffer = checked(piece);
    const { width } = piece;
    return width === 1 ? new Uint8Array(buffer) : width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
  };
  const ids = (piece: Piece) => new Float64Array(checked(piece));
  try {
    const text = Buffer.from(read(0, headerLength)).toString('latin1');
    if (!text.startsWith(magic)) throw new Error(`${path} is no day of visits`);
    const { visits, visitors, plain, named, incomplete, addresses } = JSON.parse(text.slice(magic.length)) as Header;
    return {
      ...{ visits, visitors },
      plain: once((column) => numbers(plain[column])),
      named: once((column) => ({ ids: ids(named[column].ids), places: numbers(named[column].places) })),
      incomplete: () => ids(incomplete),
      addresses: () => addresses && { codes: ids(addresses.codes), hashes: ids(addresses.hashes) },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** What was read once is not read again. */
function once<K, T>(read: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

/** As narrow as its numbers allow. */
export function narrow(numbers: Uint32Array, largest: number): Numbers {
  return largest < 2 ** 8 ? Uint8Array.from(numbers) : largest < 2 ** 16 ? Uint16Array.from(numbers) : numbers;
}
