import { addressText } from '../../kit/network/ip-range.ts';
import { readPlaceTable } from './place-files.ts';
import { placeOfRow } from './place-names.ts';
import { PlaceFileError, type PlaceTable, placeIn } from './place-table.ts';

/**
 * Looks at an uploaded xdb file before it is used: all that its header, speed-up index and segments say, and whether the look-up that the
 * format describes finds the same places as ours. Sources: ip2region's structure 2.0 and 3.0 (`binding/golang/xdb` of its repository).
 */
export type CheckedXdb = { table: PlaceTable; structure: 2 | 3; made_at: string; segments: number };

const headerBytes = 256;
const vectorCells = 65_536;
const vectorBytes = vectorCells * 8;
/** The format is from 2022, its data not much older. */
const earliest = Date.UTC(2015, 0, 1);
const dayMilliseconds = 86_400_000;
const samples = 2000;

type Index = { first: number; size: number; count: number; family: 4 | 6 };

function readIndex(bytes: Buffer): { index: Index; structure: 2 | 3; made_at: number } {
  if (bytes.length < 20) throw new PlaceFileError('the file is shorter than a header', 'cut');
  const [structure, policy] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2)];
  if ((structure !== 2 && structure !== 3) || (policy !== 1 && policy !== 2)) throw new PlaceFileError('no xdb header', 'not_xdb');
  const family = structure === 2 ? 4 : bytes.readUInt16LE(16);
  const pointerBytes = structure === 2 ? 4 : bytes.readUInt16LE(18);
  if ((family !== 4 && family !== 6) || pointerBytes !== 4) throw new PlaceFileError('an xdb header of an unknown kind', 'not_xdb');
  const made_at = bytes.readUInt32LE(4) * 1000;
  if (made_at < earliest) throw new PlaceFileError('the header has no date', 'date');
  const [first, last] = [bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
  const size = family === 4 ? 14 : 38;
  if (bytes.length < headerBytes + vectorBytes || last + size > bytes.length) throw new PlaceFileError('the index is not whole', 'cut');
  if (first < headerBytes + vectorBytes || last < first || (last - first) % size !== 0) throw new PlaceFileError('no index', 'damaged');
  return { index: { first, size, count: (last - first) / size + 1, family }, structure, made_at };
}

/** First and last address of an entry as numbers: IPv4 ones are stored little-endian, IPv6 ones big-endian. */
function boundsAt(bytes: Buffer, at: number, family: 4 | 6): [bigint, bigint] {
  if (family === 4) return [BigInt(bytes.readUInt32LE(at)), BigInt(bytes.readUInt32LE(at + 4))];
  const wide = (from: number) => (bytes.readBigUInt64BE(from) << 64n) | bytes.readBigUInt64BE(from + 8);
  return [wide(at), wide(at + 16)];
}

/** Segments follow one another without gaps; those of IPv4 from the first address of all to the last. */
function checkSegments(bytes: Buffer, { first, size, count, family }: Index): void {
  let next: bigint | null = null;
  for (let entry = 0; entry < count; entry += 1) {
    const at = first + entry * size;
    const [start, end] = boundsAt(bytes, at, family);
    if (end < start || (next !== null && start < next)) throw new PlaceFileError(`segments are out of order (at ${at})`, 'unsorted');
    if (next !== null && start > next) throw new PlaceFileError(`addresses are missing (at ${at})`, 'incomplete');
    if (next === null && family === 4 && start !== 0n) throw new PlaceFileError('addresses are missing at the beginning', 'incomplete');
    const [length, pointer] = [bytes.readUInt16LE(at + size - 6), bytes.readUInt32LE(at + size - 4)];
    if (pointer < headerBytes + vectorBytes || pointer + length > first)
      throw new PlaceFileError(`a text is outside (at ${at})`, 'damaged');
    next = end + 1n;
  }
  if (family === 4 && next !== 1n << 32n) throw new PlaceFileError('addresses are missing at the end', 'incomplete');
}

/** Each cell leads to the entries of the addresses with its two bytes: pointers to the first entry and behind the last one. */
function checkVector(bytes: Buffer, { first, size, count }: Index): void {
  for (let cell = 0; cell < vectorCells; cell += 1) {
    const [from, to] = cellAt(bytes, cell);
    const isEmpty = from === 0 && to === 0;
    const isInside = from >= first && to <= first + count * size && from <= to && (from - first) % size === 0 && (to - first) % size === 0;
    if (!isEmpty && !isInside) throw new PlaceFileError(`a cell of the speed-up index leads outside (${cell})`, 'damaged');
  }
}

const cellAt = (bytes: Buffer, cell: number): [number, number] => [
  bytes.readUInt32LE(headerBytes + cell * 8),
  bytes.readUInt32LE(headerBytes + cell * 8 + 4),
];

/** The look-up as the format describes it, by the speed-up index; the region's text, or empty where nothing is found. */
export function searchXdb(bytes: Buffer, { size, family }: Pick<Index, 'size' | 'family'>, address: bigint): string {
  const cell = Number(address >> (family === 4 ? 16n : 112n));
  const [from, to] = cellAt(bytes, cell);
  let [low, high] = [0, (to - from) / size];
  while (low <= high && from > 0) {
    const middle = (low + high) >> 1;
    const at = from + middle * size;
    if (at + size > bytes.length) return '';
    const [start, end] = boundsAt(bytes, at, family);
    if (address < start) high = middle - 1;
    else if (address > end) low = middle + 1;
    else {
      const [length, pointer] = [bytes.readUInt16LE(at + size - 6), bytes.readUInt32LE(at + size - 4)];
      return bytes.toString('utf8', pointer, pointer + length);
    }
  }
  return '';
}

function wordsOf(family: 4 | 6, value: bigint): number[] {
  if (family === 4) return [Number(value)];
  return [96n, 64n, 32n, 0n].map((shift) => Number((value >> shift) & 0xffffffffn));
}

/** First, middle and last addresses of segments all over the file have the same place by the format's look-up and by ours. */
function checkSamples(bytes: Buffer, index: Index, table: PlaceTable): void {
  const { first, size, count, family } = index;
  const asked: { address: bigint; text: string }[] = [];
  const step = Math.max(1, Math.floor(count / samples));
  for (let entry = 0; entry < count; entry += step) {
    const [start, end] = boundsAt(bytes, first + entry * size, family);
    for (const address of new Set([start, (start + end) / 2n, end])) {
      const text = searchXdb(bytes, index, address);
      if (text === '') throw new PlaceFileError(`${addressText(family, address)} is not found by the speed-up index`, 'damaged');
      asked.push({ address, text });
    }
  }
  // The order of fields was told from all texts of the file; the few of the samples cannot tell it again.
  for (const { address, text } of asked) {
    const found = placeIn(table, wordsOf(family, address));
    const fits = (['classic', 'iso'] as const).some((one) => {
      const place = placeOfRow(text, one);
      return (
        place.country === found.country && place.region === found.region && place.city === found.city && place.carrier === found.carrier
      );
    });
    if (!fits) throw new PlaceFileError(`${addressText(family, address)} has two places`, 'damaged');
  }
}

/** @throws PlaceFileError with the reason that is told to the administrator */
export function checkXdb(bytes: Buffer, family: 4 | 6, now: number): CheckedXdb {
  const { index, structure, made_at } = readIndex(bytes);
  if (index.family !== family) throw new PlaceFileError(`IPv${index.family} addresses`, 'family');
  if (made_at > now + dayMilliseconds) throw new PlaceFileError('the header’s date is in the future', 'date');
  checkSegments(bytes, index);
  checkVector(bytes, index);
  const table = readPlaceTable(bytes);
  checkSamples(bytes, index, table);
  // A list of nothing but unknown places.
  if (table.places.length < 2) throw new PlaceFileError('no place is named', 'fields');
  return { table, structure, made_at: new Date(made_at).toISOString(), segments: index.count };
}
