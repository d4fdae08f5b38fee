import { type IpRange, readIpRange } from '../../kit/network/ip-range.ts';
import type { Place } from './place-names.ts';
import { createTableBuilder, NOWHERE_ID, type PlaceTable } from './place-table.ts';

/** The place that an administrator gave to a range of addresses. */
export type Correction = Place & { range: string };

/** What corrections say, by family; null where there are none. */
export type CorrectionTables = { readonly ipv4: PlaceTable | null; readonly ipv6: PlaceTable | null };

type Ranked = IpRange & { place: Place; rank: number };

/** Keeps the range of the lowest rank at its top; those that are over are taken out when they come up. */
function createHeap() {
  const heap: Ranked[] = [];
  const rankAt = (at: number) => heap[at]?.rank ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number) => {
    const [one, other] = [heap[a], heap[b]];
    if (one && other) [heap[a], heap[b]] = [other, one];
  };
  return {
    top: () => heap[0],
    push(range: Ranked) {
      let at = heap.push(range) - 1;
      for (let up = (at - 1) >> 1; at > 0 && rankAt(up) > rankAt(at); up = (at - 1) >> 1) {
        swap(at, up);
        at = up;
      }
    },
    pop() {
      const last = heap.pop();
      if (!last || heap.length === 0) return;
      heap[0] = last;
      for (let at = 0; ; ) {
        const down = rankAt(2 * at + 1) <= rankAt(2 * at + 2) ? 2 * at + 1 : 2 * at + 2;
        if (rankAt(down) >= rankAt(at)) return;
        swap(at, down);
        at = down;
      }
    },
  };
}

const smallerFirst = (a: IpRange, b: IpRange): number => {
  const difference = a.last - a.first - (b.last - b.first);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** Cuts ranges at each other's ends, so that each piece has the place of the smallest range it lies in. */
function tableOf(family: 4 | 6, given: readonly (IpRange & { place: Place })[]): PlaceTable | null {
  const ranges: Ranked[] = given
    .filter((range) => range.family === family)
    // Of equal size the one named last.
    .reverse()
    .sort(smallerFirst)
    .map((range, rank) => ({ ...range, rank }));
  if (ranges.length === 0) return null;
  const byFirst = [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const end = 1n << (family === 4 ? 32n : 128n);
  const cuts = [...new Set(ranges.flatMap(({ first, last }) => [first, last + 1n]))].sort((a, b) => (a < b ? -1 : 1));
  const builder = createTableBuilder(family === 4 ? 1 : 4, cuts.length + 1);
  const heap = createHeap();
  let next = 0;
  for (const cut of cuts) {
    if (cut === end) break;
    for (let range = byFirst[next]; range && range.first <= cut; range = byFirst[next]) {
      heap.push(range);
      next += 1;
    }
    for (let top = heap.top(); top && top.last < cut; top = heap.top()) heap.pop();
    const top = heap.top();
    builder.add(top ? builder.placeId(top.place) : NOWHERE_ID, ...wordsOf(family, cut));
  }
  return builder.finish('');
}

function wordsOf(family: 4 | 6, value: bigint): [number, number?, number?, number?] {
  if (family === 4) return [Number(value)];
  const word = (shift: bigint) => Number((value >> shift) & 0xffffffffn);
  return [word(96n), word(64n), word(32n), word(0n)];
}

/** Makes corrections searchable; of those that hold an address the smallest one counts. */
export function correctionTables(corrections: readonly Correction[]): CorrectionTables {
  const ranges = corrections.flatMap(({ range, country, region, city, carrier }) => {
    const read = readIpRange(range);
    return read ? [{ ...read, place: { country, region, city, carrier } }] : [];
  });
  return { ipv4: tableOf(4, ranges), ipv6: tableOf(6, ranges) };
}
