import type { Place } from './place-names.ts';
import { NOWHERE } from './place-names.ts';

/** What can be wrong with an uploaded address file; its words stand under `errors.ip_data`. */
export type PlaceFileFault = 'not_xdb' | 'cut' | 'damaged' | 'unsorted' | 'incomplete' | 'fields' | 'date' | 'family';

/** What is wrong with an address file, in words for the log and as a reason that is translated. */
export class PlaceFileError extends Error {
  override name = 'PlaceFileError';
  readonly reason: PlaceFileFault;
  constructor(message: string, reason: PlaceFileFault = 'damaged') {
    super(message);
    this.reason = reason;
  }
}

/** The number of uint32 that an address takes in a table: 1 (IPv4), 2 (IPv6 by /64) or 4 (IPv6). */
export type Words = 1 | 2 | 4;

/** An address file in memory: where each range begins and whose place it has. A range ends where the next begins; the first begins at zero. */
export type PlaceTable = {
  readonly family: 4 | 6;
  readonly words: Words;
  readonly starts: Uint32Array;
  /** By the first half of an address's first word: how many ranges begin before all addresses with it. One more than there are halves. */
  readonly index: Uint32Array;
  readonly ids: Uint16Array | Uint32Array;
  readonly places: readonly Place[];
  /** The day the data was made (YYYY-MM-DD), empty where the file doesn't tell. */
  readonly data_date: string;
};

/** Builds a table from ranges in ascending order; neighbours of one place become one range, equal places are kept once. */
export type TableBuilder = {
  placeId: (place: Place) => number;
  /** The range from this address, given by its words, to the next address that is added. */
  add: (id: number, first: number, second?: number, third?: number, fourth?: number) => void;
  finish: (data_date: string) => PlaceTable;
};

/** The number of `NOWHERE` in every table. */
export const NOWHERE_ID = 0;

/** `capacity` is the highest number of ranges that will be added. */
export function createTableBuilder(words: Words, capacity: number): TableBuilder {
  const places: Place[] = [];
  const known = new Map<string, number>();
  const starts = new Uint32Array((capacity + 1) * words);
  const ids = new Uint32Array(capacity + 1);
  let count = 0;

  const placeId = (place: Place): number => {
    const key = `${place.country}\t${place.region}\t${place.city}\t${place.carrier}`;
    const id = known.get(key) ?? places.length;
    if (id === places.length) {
      known.set(key, id);
      places.push(Object.freeze(place));
    }
    return id;
  };
  const add = (id: number, first: number, second = 0, third = 0, fourth = 0): void => {
    // A table begins with nowhere at address zero; a range that begins there too takes its entry.
    if (count === 1 && first === 0 && second === 0 && third === 0 && fourth === 0) count = 0;
    if (count > 0 && ids[count - 1] === id) return;
    starts[count * words] = first;
    if (words > 1) starts[count * words + 1] = second;
    if (words > 2) {
      starts[count * words + 2] = third;
      starts[count * words + 3] = fourth;
    }
    ids[count] = id;
    count += 1;
  };
  const finish = (data_date: string): PlaceTable => {
    const kept = ids.subarray(0, count);
    const compact = places.length <= 0x10000 ? Uint16Array.from(kept) : Uint32Array.from(kept);
    const kept_starts = starts.slice(0, count * words);
    return {
      family: words === 1 ? 4 : 6,
      words,
      starts: kept_starts,
      index: rangeIndex(kept_starts, words),
      ids: compact,
      places,
      data_date,
    };
  };
  add(placeId(NOWHERE), 0);
  return { placeId, add, finish };
}

const halfBits = 16;
const halves = 2 ** halfBits;

/** Among hundreds of thousands of ranges each step of a search is a wait for the memory; among those of one half a few are left. */
export function rangeIndex(starts: Uint32Array, words: Words): Uint32Array {
  const index = new Uint32Array(halves + 1);
  let range = 0;
  for (let half = 0; half <= halves; half += 1) {
    while (range * words < starts.length && (starts[range * words] ?? 0) >>> halfBits < half) range += 1;
    index[half] = range;
  }
  return index;
}

/** The first range from `low` on that begins after an address of one word. */
function firstAfter(starts: Uint32Array, address: number, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((starts[middle] ?? 0) <= address) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The place of the address whose words are given. */
export function placeIn(table: PlaceTable, address: ArrayLike<number>): Place {
  const { starts, words, index, ids, places } = table;
  const half = (address[0] ?? 0) >>> halfBits;
  // The first range begins at zero, so that every address is behind one.
  let low = Math.max(1, index[half] ?? 1);
  let high = index[half + 1] ?? ids.length;
  if (words === 1) low = firstAfter(starts, address[0] ?? 0, low, high);
  while (words > 1 && low < high) {
    const middle = (low + high) >>> 1;
    let difference = 0;
    for (let word = 0; word < words && difference === 0; word += 1)
      difference = (starts[middle * words + word] ?? 0) - (address[word] ?? 0);
    if (difference <= 0) low = middle + 1;
    else high = middle;
  }
  return places[ids[low - 1] ?? NOWHERE_ID] ?? NOWHERE;
}
