import type { Place } from './place-names.ts';
import { PlaceFileError, type PlaceTable, rangeIndex, type Words } from './place-table.ts';

/** A table as one run of bytes: the length of its description (uint32), the description as JSON, where ranges begin, whose place they have. */
type Described = {
  family: 4 | 6;
  words: Words;
  ranges: number;
  idBytes: 2 | 4;
  data_date: string;
  places: [string, string, string, string][];
};

const padded = (length: number): number => Math.ceil(length / 4) * 4;
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

/** A table for the database: numbers are little-endian, as on all machines that this product runs on. */
export function packTable({ family, words, starts, ids, places, data_date }: PlaceTable): Buffer {
  const described: Described = {
    ...{ family, words, data_date },
    ranges: ids.length,
    idBytes: ids.BYTES_PER_ELEMENT === 2 ? 2 : 4,
    places: places.map(({ country, region, city, carrier }) => [country, region, city, carrier]),
  };
  const json = Buffer.from(JSON.stringify(described));
  const head = Buffer.alloc(4 + padded(json.length), ' ');
  head.writeUInt32LE(padded(json.length), 0);
  json.copy(head, 4);
  return Buffer.concat([head, bytesOf(starts), bytesOf(ids)]);
}

/** @throws PlaceFileError where the bytes are not what `packTable` made */
export function unpackTable(bytes: Buffer): PlaceTable {
  const from = 4 + bytes.readUInt32LE(0);
  const { family, words, ranges, idBytes, data_date, places } = JSON.parse(bytes.toString('utf8', 4, from)) as Described;
  const idsFrom = from + ranges * words * 4;
  if (bytes.length !== idsFrom + ranges * idBytes) throw new PlaceFileError('a stored list of addresses is not whole');
  // Copies of their own: views would keep all bytes in memory, and begin where no number may.
  const starts = new Uint32Array(ranges * words);
  bytesOf(starts).set(bytes.subarray(from, idsFrom));
  const ids = idBytes === 2 ? new Uint16Array(ranges) : new Uint32Array(ranges);
  bytesOf(ids).set(bytes.subarray(idsFrom));
  const named = places.map(([country, region, city, carrier]) => ({ country, region, city, carrier }) as Place);
  return { family, words, starts, index: rangeIndex(starts, words), ids, places: named, data_date };
}
