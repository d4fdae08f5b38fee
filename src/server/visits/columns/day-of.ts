import { outcomes } from '../../../contract/enums.ts';
import { type Day, narrow, narrowest } from './day-file.ts';
import { type CodeSum, codeSums, isByShortCode, isFirstEver, isFirstOfDay, type Numbers, namedColumns } from './layout.ts';

const passed = outcomes.indexOf('passed');

/** The visits of a day, by code and by time within, without what they sum up to. */
export type Visits = Pick<Day, 'visits' | 'codes' | 'wide' | 'bytes' | 'addresses'> & {
  named: { [Column in keyof Day['named']]: Pick<Day['named'][Column], 'ids' | 'places'> };
};
/** What counts by hour have of a code. */
export type SumsOfCode = { code: number } & Record<CodeSum, number>;

/** How many of the visits that have a mark have each place; of all, or from a position on. */
function countPlaces(places: Numbers, length: number, marks: Uint8Array, first = 0): Numbers {
  const counts = new Uint32Array(length);
  for (let position = first; position < places.length; position += 1) {
    const place = places[position] as number;
    counts[place] = (counts[place] as number) + (marks[position] as number);
  }
  return narrow(counts);
}

/** How many visits that passed each code has. */
function passedByCode({ codes: { ids, starts }, bytes, visits }: Visits): Map<number, number> {
  const found = new Map<number, number>();
  for (const [place, id] of ids.entries()) {
    let count = 0;
    for (let position = starts[place] ?? 0; position < (starts[place + 1] ?? visits); position += 1)
      if (bytes.outcome[position] === passed) count += 1;
    found.set(id, count);
  }
  return found;
}

/** A day as it is written: its visits, what they sum up to, and what counts by hour have of its codes. */
export function dayOf(visits: Visits, sums: readonly SumsOfCode[]): Day {
  const { codes, bytes } = visits;
  const kept = passedByCode(visits);
  const incomplete = sums.filter(({ code, visits: counted }) => (kept.get(code) ?? 0) !== counted).map(({ code }) => code);
  // What passed a short code is counted where it was sent.
  const isCounted = (position: number) => bytes.outcome[position] === passed && ((bytes.flags[position] as number) & isByShortCode) === 0;
  const marksOf = (mask: number, flags: number) =>
    bytes.flags.map((own, position) => (isCounted(position) && (own & mask) === flags ? 1 : 0));
  const counted = marksOf(0, 0);
  const codeless = codes.ids[0] === 0 ? (codes.starts[1] ?? visits.visits) : 0;
  const named = Object.fromEntries(
    namedColumns.map((column) => {
      const { ids, places } = visits.named[column];
      const totals = { all: countPlaces(places, ids.length, counted), ofCodes: countPlaces(places, ids.length, counted, codeless) };
      return [column, { ids, places, totals }];
    }),
  ) as Day['named'];
  const { ids: targets, places: ofTargets } = named.target;
  const firsts = {
    all: countPlaces(ofTargets, targets.length, marksOf(isFirstOfDay, isFirstOfDay)),
    returning: countPlaces(ofTargets, targets.length, marksOf(isFirstOfDay | isFirstEver, isFirstOfDay)),
  };
  return {
    ...visits,
    ...{ codeless, named, firsts },
    sums: {
      codes: Float64Array.from(sums, ({ code }) => code),
      ...(Object.fromEntries(codeSums.map((sum) => [sum, narrowest(sums.map((row) => row[sum]))])) as Record<
        CodeSum,
        Numbers | Float64Array
      >),
    },
    incomplete: Float64Array.from(incomplete),
  };
}
