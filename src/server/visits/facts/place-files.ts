/**
 * Reads the three formats of address files into tables: ip2region's xdb (structure 2 for IPv4, 3 for both families), its older db
 * (IPv4), and the IPDB file of the `ip2region` package (IPv6). Everything a file says is checked while it is read, so that
 * a damaged or hostile one gives a `PlaceFileError` at once and looking up can neither fail nor loop later.
 */
import type { FieldOrder } from './place-names.ts';
import { fieldOrder, placeOfRecord, placeOfRow } from './place-names.ts';
import type { PlaceTable } from './place-table.ts';
import { createTableBuilder, NOWHERE_ID, PlaceFileError } from './place-table.ts';

/** The longest description of a place that is believed; real ones stay below 200 bytes. */
const MAX_TEXT = 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textAt(bytes: Buffer, from: number, length: number): string {
  if (length > MAX_TEXT || from + length > bytes.length) throw new PlaceFileError(`a place's text lies outside the file (at ${from})`);
  try {
    return utf8.decode(bytes.subarray(from, from + length));
  } catch {
    throw new PlaceFileError(`a place's text isn't UTF-8 (at ${from})`);
  }
}

function isoDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Texts that ranges share, each read once. Together they can't be longer than the file, unless it is built to fill the memory. */
function createTextPool(bytes: Buffer) {
  const numbers = new Map<number, number>();
  const texts: string[] = [];
  let total = 0;
  const numberOf = (from: number, length: number): number => {
    const key = from * 0x10000 + length;
    let number = numbers.get(key);
    if (number === undefined) {
      total += length;
      if (total > bytes.length) throw new PlaceFileError('the texts of the places overlap');
      number = texts.push(textAt(bytes, from, length)) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  return { numberOf, texts };
}

/** Where the index of a file lies: `count` entries of `size` bytes from `first`. */
type Index = { first: number; count: number; size: number };

function indexOf(bytes: Buffer, first: number, last: number, size: number, lowest: number): Index {
  if (first < lowest || last < first || (last - first) % size !== 0 || last + size > bytes.length) {
    throw new PlaceFileError(`the index lies outside the file (${first} to ${last} of ${bytes.length} bytes)`);
  }
  return { first, count: (last - first) / size + 1, size };
}

function orderOf(texts: readonly string[]): FieldOrder {
  const order = fieldOrder(texts);
  if (order === null)
    throw new PlaceFileError(
      'a place must have five fields: country|area|province|city|ISP or country|province|city|ISP|ISO code',
      'fields',
    );
  return order;
}

/** Reads ranges of IPv4 addresses whose entries begin with the first and the last address; `textOf` answers the number of the entry's text. */
function readIpv4Ranges(
  bytes: Buffer,
  index: Index,
  texts: readonly string[],
  textOf: (at: number) => number,
  data_date: string,
): PlaceTable {
  const numbers = new Uint32Array(index.count);
  let previousEnd = -1;
  for (let entry = 0; entry < index.count; entry += 1) {
    const at = index.first + entry * index.size;
    const start = bytes.readUInt32LE(at);
    const end = bytes.readUInt32LE(at + 4);
    if (start <= previousEnd || end < start) throw new PlaceFileError(`the ranges of addresses aren't in order (at ${at})`);
    previousEnd = end;
    numbers[entry] = textOf(at);
  }

  const builder = createTableBuilder(1, index.count * 2 + 1);
  const order = orderOf(texts);
  const ids = texts.map((text) => builder.placeId(placeOfRow(text, order)));
  let next = 0;
  for (let entry = 0; entry < index.count; entry += 1) {
    const at = index.first + entry * index.size;
    const start = bytes.readUInt32LE(at);
    if (start > next) builder.add(NOWHERE_ID, next);
    builder.add(ids[numbers[entry] ?? 0] ?? NOWHERE_ID, start);
    next = bytes.readUInt32LE(at + 4) + 1;
  }
  if (next <= 0xffffffff) builder.add(NOWHERE_ID, next);
  return builder.finish(data_date);
}

/** The old db: pointers to the first and last index entry; an entry is first address, last address, 24 bits of pointer, 8 bits of length. */
function readDb(bytes: Buffer): PlaceTable {
  const index = indexOf(bytes, bytes.readUInt32LE(0), bytes.readUInt32LE(4), 12, 8);
  const pool = createTextPool(bytes);
  const textOf = (at: number): number => {
    const pointer = bytes.readUInt32LE(at + 8);
    // The text follows a city's number of four bytes, which the length counts too.
    const length = (pointer >>> 24) - 4;
    if (length < 0) throw new PlaceFileError(`a place without a text (at ${at})`);
    return pool.numberOf((pointer & 0xffffff) + 4, length);
  };
  return readIpv4Ranges(bytes, index, pool.texts, textOf, '');
}

/** The xdb's header and its speed-up index, which a table in memory doesn't need. */
const XDB_HEADER = 256 + 256 * 256 * 8;
const XDB_IPV4_ENTRY = 14;
const XDB_IPV6_ENTRY = 38;

/** The xdb: an entry is first address, last address, length of the text (2 bytes), pointer to it (4 bytes). */
function readXdb(bytes: Buffer): PlaceTable {
  if (bytes.length < XDB_HEADER) throw new PlaceFileError('the file ends within its header');
  const structure = bytes.readUInt16LE(0);
  const data_date = isoDay(bytes.readUInt32LE(4) * 1000);
  const family = structure === 2 ? 4 : bytes.readUInt16LE(16);
  const pointerBytes = structure === 2 ? 4 : bytes.readUInt16LE(18);
  if ((family !== 4 && family !== 6) || pointerBytes !== 4) {
    throw new PlaceFileError(`an xdb file of an unknown kind (addresses ${family}, pointers ${pointerBytes})`);
  }
  const size = family === 4 ? XDB_IPV4_ENTRY : XDB_IPV6_ENTRY;
  const index = indexOf(bytes, bytes.readUInt32LE(8), bytes.readUInt32LE(12), size, XDB_HEADER);
  const pool = createTextPool(bytes);
  const textOf = (at: number): number => pool.numberOf(bytes.readUInt32LE(at + size - 4), bytes.readUInt16LE(at + size - 6));
  if (family === 4) return readIpv4Ranges(bytes, index, pool.texts, textOf, data_date);
  return readIpv6Ranges(bytes, index, pool.texts, textOf, data_date);
}

/** The address after the one at `at` (16 bytes, big-endian) as four words, or null after the last one of all. */
function addressAfter(bytes: Buffer, at: number): [number, number, number, number] | null {
  const words: [number, number, number, number] = [0, 0, 0, 0];
  let carry = 1;
  for (let word = 3; word >= 0; word -= 1) {
    const sum = bytes.readUInt32BE(at + word * 4) + carry;
    carry = sum > 0xffffffff ? 1 : 0;
    words[word] = sum >>> 0;
  }
  return carry === 1 ? null : words;
}

function readIpv6Ranges(
  bytes: Buffer,
  index: Index,
  texts: readonly string[],
  textOf: (at: number) => number,
  data_date: string,
): PlaceTable {
  const numbers = new Uint32Array(index.count);
  for (let entry = 0; entry < index.count; entry += 1) {
    const at = index.first + entry * index.size;
    // Big-endian addresses compare as bytes do.
    const isOrdered = bytes.compare(bytes, at + 16, at + 32, at, at + 16) <= 0;
    const isAfterLast = entry === 0 || bytes.compare(bytes, at - index.size + 16, at - index.size + 32, at, at + 16) > 0;
    if (!isOrdered || !isAfterLast) throw new PlaceFileError(`the ranges of addresses aren't in order (at ${at})`);
    numbers[entry] = textOf(at);
  }

  const builder = createTableBuilder(4, index.count * 2 + 1);
  const order = orderOf(texts);
  const ids = texts.map((text) => builder.placeId(placeOfRow(text, order)));
  for (let entry = 0; entry < index.count; entry += 1) {
    const at = index.first + entry * index.size;
    builder.add(ids[numbers[entry] ?? 0] ?? NOWHERE_ID, ...wordsAt(bytes, at));
    const after = addressAfter(bytes, at + 16);
    const isContinued = entry + 1 < index.count && after !== null && sameWords(after, wordsAt(bytes, at + index.size));
    if (after !== null && !isContinued) builder.add(NOWHERE_ID, ...after);
  }
  return builder.finish(data_date);
}

function wordsAt(bytes: Buffer, at: number): [number, number, number, number] {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
}

function sameWords(a: readonly number[], b: readonly number[]): boolean {
  return a.every((word, index) => word === b[index]);
}

const IPDB_HEADER = 40;
const IPDB_POINTER = 3;
const IPDB_ENTRY = 8 + IPDB_POINTER;
/** A record may point to a record, which may point on; real files do it twice. */
const IPDB_MAX_HOPS = 8;

/** The IPDB file: an entry is the first 64 bits of an address (little-endian) and a pointer to its record, a range ends at the next entry. */
function readIpdb(bytes: Buffer): PlaceTable {
  if (bytes.length < IPDB_HEADER) throw new PlaceFileError('the file ends within its header');
  if (bytes.readUInt8(6) !== IPDB_POINTER || bytes.readUInt8(7) !== 8) throw new PlaceFileError('an IPDB file of an unknown kind');
  const count = Number(bytes.readBigUInt64LE(8));
  const first = Number(bytes.readBigUInt64LE(16));
  if (count < 1 || count > bytes.length) throw new PlaceFileError(`an index of ${count} entries`);
  const index = indexOf(bytes, first, first + (count - 1) * IPDB_ENTRY, IPDB_ENTRY, IPDB_HEADER);

  const builder = createTableBuilder(2, count + 1);
  const pool = createTextPool(bytes);
  const ids = new Map<number, number>();
  let previous = -1n;
  for (let entry = 0; entry < index.count; entry += 1) {
    const at = index.first + entry * IPDB_ENTRY;
    const start = bytes.readBigUInt64LE(at);
    if (start <= previous) throw new PlaceFileError(`the ranges of addresses aren't in order (at ${at})`);
    previous = start;
    const pointer = bytes.readUIntLE(at + 8, IPDB_POINTER);
    let id = ids.get(pointer);
    if (id === undefined) {
      const [area, network] = ipdbRecord(bytes, pointer).map(({ start, end }) => pool.texts[pool.numberOf(start, end - start)] ?? '');
      id = builder.placeId(placeOfRecord(area ?? '', network ?? ''));
      ids.set(pointer, id);
    }
    builder.add(id, bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at));
  }
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)\0/.exec(bytes.toString('latin1', IPDB_HEADER, IPDB_HEADER + 9)) ?? [];
  return builder.finish(year === undefined ? '' : `${year}-${month}-${day}`);
}

function ipdbByte(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new PlaceFileError(`a record lies outside the file (at ${at})`);
  return byte;
}

type TextSpan = { start: number; end: number };

/** The text at `at`, up to its zero byte; 1 and 2 in its place are followed by a pointer to where it really is. */
function ipdbText(bytes: Buffer, at: number): TextSpan {
  let start = at;
  for (let hop = 0; ipdbByte(bytes, start) === 1 || ipdbByte(bytes, start) === 2; hop += 1) {
    if (hop === IPDB_MAX_HOPS || start + 1 + IPDB_POINTER > bytes.length) throw new PlaceFileError(`a record points nowhere (at ${at})`);
    start = bytes.readUIntLE(start + 1, IPDB_POINTER);
  }
  const length = bytes.subarray(start, start + MAX_TEXT + 1).indexOf(0);
  if (length < 0) throw new PlaceFileError(`a text without an end (at ${start})`);
  return { start, end: start + length };
}

/** The two texts of a record, the place and the network, each as start and end. 1 = the whole record is elsewhere, 2 = its first text is. */
function ipdbRecord(bytes: Buffer, pointer: number): [TextSpan, TextSpan] {
  let at = pointer;
  for (let hop = 0; ipdbByte(bytes, at) === 1; hop += 1) {
    if (hop === IPDB_MAX_HOPS || at + 1 + IPDB_POINTER > bytes.length) throw new PlaceFileError(`a record points nowhere (at ${pointer})`);
    at = bytes.readUIntLE(at + 1, IPDB_POINTER);
  }
  const area = ipdbText(bytes, at);
  const second = ipdbByte(bytes, at) === 2 ? at + 1 + IPDB_POINTER : area.end + 1;
  return [area, ipdbText(bytes, second)];
}

/** Reads an address file of any known format; the format is told from its first bytes. */
export function readPlaceTable(bytes: Buffer): PlaceTable {
  if (bytes.length < 20) throw new PlaceFileError('the file is empty or cut off');
  if (bytes.toString('latin1', 0, 4) === 'IPDB') return readIpdb(bytes);
  const structure = bytes.readUInt16LE(0);
  const policy = bytes.readUInt16LE(2);
  if ((structure === 2 || structure === 3) && (policy === 1 || policy === 2)) return readXdb(bytes);
  return readDb(bytes);
}
