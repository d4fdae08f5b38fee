import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import { isByShortCode, isFirstEver, isFirstOfDay, type Named, type NamedColumn, type OpenDay } from './day-file.ts';

/** A quarter of an hour: every change of clocks is a multiple of it. */
export const slotLength = 900_000;
const slotsOfHour = 4;
const hourLength = slotsOfHour * slotLength;
const granted: ReadonlySet<number> = new Set(grantedOutcomes.map((outcome) => outcomes.indexOf(outcome)));
const [passed, ofProgram, ofOwner] = [outcomes.indexOf('passed'), outcomes.indexOf('program'), outcomes.indexOf('own')];

/** A mark for each id; those beyond its end have none. */
export type Marks = Uint8Array;

export function marksOf(ids: ArrayLike<number>): Marks {
  let largest = 0;
  for (let index = 0; index < ids.length; index += 1) largest = Math.max(largest, ids[index] as number);
  const marks = new Uint8Array(largest + 1);
  for (let index = 0; index < ids.length; index += 1) marks[ids[index] as number] = 1;
  return marks;
}

/** Numbers by id, that grow with the ids. */
export function createCounts() {
  let counts = new Float64Array(1_024);
  return {
    add(id: number, count: number): void {
      if (id >= counts.length) {
        const longer = new Float64Array(Math.max(id + 1, counts.length * 2));
        longer.set(counts);
        counts = longer;
      }
      counts[id] = (counts[id] as number) + count;
    },
    of: (id: number): number => counts[id] ?? 0,
    /** The ids that anything was counted of, and how much. */
    all(): [ids: Float64Array, counts: Float64Array] {
      const ids: number[] = [];
      for (let id = 0; id < counts.length; id += 1) if (counts[id] !== 0) ids.push(id);
      return [Float64Array.from(ids), Float64Array.from(ids.map((id) => counts[id] as number))];
    },
  };
}
export type Counts = ReturnType<typeof createCounts>;

/** Of which codes visits are asked for: of all that were recorded where none are named. */
export type Asked = {
  codes: Marks | undefined;
  /** Since when what a code recorded is seen, in milliseconds since 1970. */
  seenSince: ReadonlyMap<number, number>;
  /** Only visits that reached a live code. */
  ofCodes: boolean;
};
/** A filter on a dictionary's ids, or on the clock, by quarters of an hour of the day. */
export type Filter = { column: NamedColumn; marks: Marks } | { slots: Uint8Array };
/** What is counted, and by what; `without` is the position of a filter that is left aside. */
export type CountBy = { by: NamedColumn | 'outcome' | 'hour'; outcomes: readonly number[] | undefined; without: number | undefined };
/** By positions of steps, from 1 on, that each quarter of an hour belongs to; 0 is none. */
export type StepsBy = { steps: Uint16Array; outcomes: readonly number[] | undefined };

/** Visits of a day that are looked at: their positions, and which filters they miss. */
export type Looked = { day: OpenDay; from: number; rows: Uint32Array; misses: Uint8Array; outcome: ArrayLike<number> };

export const maxFilters = 8;

/** The visits of a day, up to a moment of it, that are asked for, whatever filters say. */
function askedRows(day: OpenDay, from: number, until: number, { codes, seenSince, ofCodes }: Asked): Uint32Array {
  const code = day.named('code');
  const sinceOf = new Float64Array(code.ids.length);
  for (let place = 0; place < sinceOf.length; place += 1) {
    const id = code.ids[place] as number;
    if ((codes && codes[id] !== 1) || (ofCodes && id === 0)) sinceOf[place] = Number.POSITIVE_INFINITY;
    else if (seenSince.size > 0) sinceOf[place] = (seenSince.get(id) ?? from) - from;
  }
  const at = day.plain('at');
  const [flags, outcome] = codes ? [undefined, undefined] : [day.plain('flags'), day.plain('outcome')];
  const rows = new Uint32Array(day.visits);
  let length = 0;
  for (let row = 0; row < day.visits; row += 1) {
    const moment = at[row] as number;
    if (moment >= until) break;
    if (moment < (sinceOf[code.places[row] as number] as number)) continue;
    // Whom a short code sent to a code is counted there.
    if (flags && outcome && ((flags[row] as number) & isByShortCode) !== 0) {
      const what = outcome[row] as number;
      if (what === passed || what === ofProgram || what === ofOwner) continue;
    }
    rows[length++] = row;
  }
  return rows.subarray(0, length);
}

/** Looks at a day: `from` is its start, and only what came before `until` is seen. */
export function look(day: OpenDay, from: number, until: number, asked: Asked, filters: readonly Filter[]): Looked {
  const rows = askedRows(day, from, until - from, asked);
  const misses = new Uint8Array(rows.length);
  for (const [position, filter] of filters.entries()) {
    const bit = 1 << position;
    if ('slots' in filter) {
      const at = day.plain('at');
      for (let index = 0; index < rows.length; index += 1)
        if (filter.slots[((at[rows[index] as number] as number) / slotLength) | 0] === 0) misses[index] = (misses[index] as number) | bit;
      continue;
    }
    const { ids, places } = day.named(filter.column);
    const fits = new Uint8Array(ids.length);
    for (let place = 0; place < fits.length; place += 1) fits[place] = filter.marks[ids[place] as number] ?? 0;
    for (let index = 0; index < rows.length; index += 1)
      if (fits[places[rows[index] as number] as number] === 0) misses[index] = (misses[index] as number) | bit;
  }
  return { day, from, rows, misses, outcome: day.plain('outcome') };
}

const isOne = (wanted: readonly number[] | undefined): Uint8Array => {
  const marks = new Uint8Array(256).fill(wanted === undefined ? 1 : 0);
  for (const outcome of wanted ?? []) marks[outcome] = 1;
  return marks;
};

/** Adds visits that fit to what was counted of other days, by id of the dictionary, by outcome, or by quarters of an hour since `firstSlot`. */
export function countInto(
  found: Counts,
  { day, rows, misses, outcome }: Looked,
  { by, outcomes: wanted, without }: CountBy,
  slotsBefore: number,
): void {
  const counted = isOne(wanted);
  const ignored = without === undefined ? 0xff : 0xff & ~(1 << without);
  const isByHour = by === 'hour';
  const { ids, places } = groupsOf(day, by);
  const counts = new Uint32Array(ids?.length ?? 256);
  for (let index = 0; index < rows.length; index += 1) {
    if (((misses[index] as number) & ignored) !== 0) continue;
    const row = rows[index] as number;
    if (counted[outcome[row] as number] === 0) continue;
    const place = isByHour ? ((places[row] as number) / hourLength) | 0 : (places[row] as number);
    counts[place] = (counts[place] as number) + 1;
  }
  for (let place = 0; place < counts.length; place += 1) {
    const count = counts[place] as number;
    if (count > 0) found.add(ids ? (ids[place] as number) : isByHour ? slotsBefore + place * slotsOfHour : place, count);
  }
}

function groupsOf(day: OpenDay, by: CountBy['by']): { ids?: Named['ids']; places: Named['places'] } {
  if (by === 'hour') return { places: day.plain('at') };
  if (by === 'outcome') return { places: day.plain('outcome') };
  return day.named(by);
}

/** Of each step: visits, addresses, new addresses, refused, of programs, of the owner. */
export const figures = 6;

/** Adds the figures of a day; an address counts in the step of its first visit that fits. */
export function addFigures(sums: Float64Array, { day, rows, misses, outcome }: Looked, { steps, outcomes: wanted }: StepsBy): void {
  const counted = isOne(wanted);
  const [at, flags, visitor] = [day.plain('at'), day.plain('flags'), day.plain('visitor')];
  const seen = new Uint8Array(day.visitors);
  const add = (step: number, figure: number) => {
    const position = step * figures + figure;
    sums[position] = (sums[position] as number) + 1;
  };
  for (let index = 0; index < rows.length; index += 1) {
    if (misses[index] !== 0) continue;
    const row = rows[index] as number;
    const step = steps[((at[row] as number) / slotLength) | 0] as number;
    const what = outcome[row] as number;
    if (counted[what] === 1) {
      add(step, 0);
      const who = visitor[row] as number;
      if (seen[who] === 0) add(step, 1);
      seen[who] = 1;
      if (((flags[row] as number) & isFirstEver) !== 0) add(step, 2);
    }
    if (!granted.has(what)) add(step, 3);
    if (what === ofProgram) add(step, 4);
    if (what === ofOwner) add(step, 5);
  }
}

/** Adds first visits of a day by target, and those of addresses that had been here on another day; of some targets only. */
export function addReturning(found: { all: Counts; returning: Counts }, { day, rows, misses, outcome }: Looked, targets: Marks): void {
  const [{ ids, places }, flags] = [day.named('target'), day.plain('flags')];
  const wanted = new Uint8Array(ids.length);
  for (let place = 0; place < wanted.length; place += 1) wanted[place] = targets[ids[place] as number] ?? 0;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    const flag = flags[row] as number;
    if (misses[index] !== 0 || (flag & isFirstOfDay) === 0 || outcome[row] !== passed || wanted[places[row] as number] === 0) continue;
    const id = ids[places[row] as number] as number;
    found.all.add(id, 1);
    if ((flag & isFirstEver) === 0) found.returning.add(id, 1);
  }
}

/** Whether every visit that passed of the codes that are asked for kept a row. */
export function isComplete(day: OpenDay, { codes }: Asked): boolean {
  const incomplete = day.incomplete();
  return codes ? !incomplete.some((code) => codes[code] === 1) : incomplete.length === 0;
}
