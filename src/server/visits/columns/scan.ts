import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import { isByShortCode, isFirstEver, isFirstOfDay, type NamedColumn, type Numbers, type OpenDay } from './day-file.ts';
import { type Later, numberOf } from './parts.ts';

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
export type StepsBy = { steps: Uint16Array; outcomes: readonly number[] | undefined; later?: Later | undefined };

/** Visits of a day that are looked at: their positions, which filters they miss, and their outcomes. */
export type Looked = { day: OpenDay; rows: Uint32Array; misses: Uint8Array; outcome: Uint8Array };

export const maxFilters = 8;

// What follows goes over every visit of months. Where chance would decide, it computes 0 or 1 instead of branching: a processor that guesses
// wrong takes longer than one that adds nothing. Arrays are of one width, so that loops are compiled for one kind.

const wide = (numbers: Numbers): Uint32Array => (numbers instanceof Uint32Array ? numbers : new Uint32Array(numbers));
const narrow = (numbers: Numbers): Uint8Array => (numbers instanceof Uint8Array ? numbers : new Uint8Array(numbers));

/** 1 for each number below 256 that something is true of. */
function tableOf(isTrue: (number: number) => boolean): Uint8Array {
  const table = new Uint8Array(256);
  for (let number = 0; number < 256; number += 1) table[number] = isTrue(number) ? 1 : 0;
  return table;
}
const isOneOf = (wanted: readonly number[] | undefined): Uint8Array =>
  tableOf((outcome) => wanted === undefined || wanted.includes(outcome));
const [isRefused, isOfProgram, isOfOwner, isPassed] = [
  tableOf((outcome) => !granted.has(outcome)),
  ...[ofProgram, ofOwner, passed].map((wanted) => isOneOf([wanted])),
] as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
/** Whom a short code sent to a code is counted there. */
const isHere = tableOf((outcome) => ![passed, ofProgram, ofOwner].includes(outcome));

/** How many visits of a day come before a moment of it. */
function visitsBefore(at: Uint32Array, until: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] as number) < until) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The visits of a day, up to a moment of it, that are asked for, whatever filters say. */
function askedRows(day: OpenDay, from: number, until: number, { codes, seenSince, ofCodes }: Asked): Uint32Array {
  const [{ ids, places: narrowPlaces }, at] = [day.named('code'), wide(day.plain('at'))];
  const places = wide(narrowPlaces);
  const isAsked = new Uint8Array(ids.length);
  const sinceOf = new Float64Array(ids.length);
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] as number;
    isAsked[place] = (codes && codes[id] !== 1) || (ofCodes && id === 0) ? 0 : 1;
    sinceOf[place] = (seenSince.get(id) ?? from) - from;
  }
  const rows = new Uint32Array(visitsBefore(at, until));
  let kept = 0;
  if (codes)
    for (let row = 0; row < rows.length; row += 1) {
      rows[kept] = row;
      kept += isAsked[places[row] as number] as number;
    }
  else {
    const [flags, outcome] = [narrow(day.plain('flags')), narrow(day.plain('outcome'))];
    for (let row = 0; row < rows.length; row += 1) {
      const isDirect = ((flags[row] as number) & isByShortCode) === 0 ? 1 : 0;
      rows[kept] = row;
      kept += (isAsked[places[row] as number] as number) & (isDirect | (isHere[outcome[row] as number] as number));
    }
  }
  if (seenSince.size === 0) return rows.subarray(0, kept);
  let seen = 0;
  for (let index = 0; index < kept; index += 1) {
    const row = rows[index] as number;
    rows[seen] = row;
    seen += (at[row] as number) >= (sinceOf[places[row] as number] as number) ? 1 : 0;
  }
  return rows.subarray(0, seen);
}

/** Marks the visits that miss a filter by its bit. */
function markMisses(misses: Uint8Array, { day, rows }: { day: OpenDay; rows: Uint32Array }, filter: Filter, bit: number): void {
  if ('slots' in filter) {
    const at = wide(day.plain('at'));
    const ofSlot = tableOf((slot) => filter.slots[slot] === 0);
    for (let index = 0; index < rows.length; index += 1) {
      const isMissed = ofSlot[((at[rows[index] as number] as number) / slotLength) | 0] as number;
      misses[index] = (misses[index] as number) | (isMissed * bit);
    }
    return;
  }
  const { ids, places: narrowPlaces } = day.named(filter.column);
  const places = wide(narrowPlaces);
  const ofPlace = new Uint8Array(ids.length);
  for (let place = 0; place < ids.length; place += 1) ofPlace[place] = filter.marks[ids[place] as number] === 1 ? 0 : bit;
  for (let index = 0; index < rows.length; index += 1)
    misses[index] = (misses[index] as number) | (ofPlace[places[rows[index] as number] as number] as number);
}

/**
 * Looks at a day: `from` is its start, and only what came before `until` is seen. What misses a filter is left out, unless that is the only
 * one and its bit is in `spared`: some count leaves it aside.
 */
export function look(day: OpenDay, from: number, until: number, asked: Asked, filters: readonly Filter[], spared: number): Looked {
  const rows = askedRows(day, from, until - from, asked);
  const misses = new Uint8Array(rows.length);
  for (const [position, filter] of filters.entries()) markMisses(misses, { day, rows }, filter, 1 << position);
  const isUseful = tableOf((missed) => missed === 0 || ((missed & (missed - 1)) === 0 && (missed & spared) !== 0));
  let kept = filters.length === 0 ? rows.length : 0;
  if (filters.length > 0)
    for (let index = 0; index < rows.length; index += 1) {
      const missed = misses[index] as number;
      rows[kept] = rows[index] as number;
      misses[kept] = missed;
      kept += isUseful[missed] as number;
    }
  const all = narrow(day.plain('outcome'));
  const outcome = new Uint8Array(kept);
  for (let index = 0; index < kept; index += 1) outcome[index] = all[rows[index] as number] as number;
  return { day, rows: rows.subarray(0, kept), misses: misses.subarray(0, kept), outcome };
}

/** What visits are counted by: a place for each visit of the day, and the ids of places where these have a dictionary. */
function placesOf({ day }: Looked, by: CountBy['by']): { places: Uint32Array; ids?: Float64Array } {
  if (by === 'outcome') return { places: wide(day.plain('outcome')) };
  if (by !== 'hour') {
    const { ids, places } = day.named(by);
    return { ids, places: wide(places) };
  }
  const at = wide(day.plain('at'));
  const hours = new Uint32Array(at.length);
  for (let row = 0; row < at.length; row += 1) hours[row] = (at[row] as number) / hourLength;
  return { places: hours };
}

/** Adds visits that fit to what was counted of other days, by id of the dictionary, by outcome, or by quarters of an hour since `firstSlot`. */
export function countInto(found: Counts, looked: Looked, { by, outcomes: wanted, without }: CountBy, slotsBefore: number): void {
  const { rows, misses, outcome } = looked;
  const isCounted = isOneOf(wanted);
  const ignored = without === undefined ? 0 : 1 << without;
  const fits = tableOf((missed) => (missed & ~ignored) === 0);
  const { ids, places } = placesOf(looked, by);
  const counts = new Uint32Array(ids?.length ?? 256);
  for (let index = 0; index < rows.length; index += 1) {
    const place = places[rows[index] as number] as number;
    const isAdded = (isCounted[outcome[index] as number] as number) & (fits[misses[index] as number] as number);
    counts[place] = (counts[place] as number) + isAdded;
  }
  for (let place = 0; place < counts.length; place += 1) {
    const count = counts[place] as number;
    if (count > 0) found.add(ids ? (ids[place] as number) : by === 'hour' ? slotsBefore + place * slotsOfHour : place, count);
  }
}

/** Of each step: visits, addresses, new addresses, refused, of programs, of the owner. */
export const figures = 6;

/** Adds the figures of a day; an address counts in the step of its first visit that fits, `later` ones where they were not here before. */
export function addFigures(sums: Float64Array, { day, rows, misses, outcome }: Looked, { steps, outcomes: wanted, later }: StepsBy): void {
  const isCounted = isOneOf(wanted);
  const [at, flags, visitor] = [wide(day.plain('at')), narrow(day.plain('flags')), wide(day.plain('visitor'))];
  const seen = new Uint8Array(day.visitors);
  const own = new Uint32Array(figures);
  const flush = (step: number) => {
    for (let figure = 0; figure < figures; figure += 1) {
      const position = step * figures + figure;
      sums[position] = (sums[position] as number) + (own[figure] as number);
    }
    own.fill(0);
  };
  let present = 0;
  for (let index = 0; index < rows.length; index += 1) {
    if (misses[index] !== 0) continue;
    const row = rows[index] as number;
    const step = steps[((at[row] as number) / slotLength) | 0] as number;
    if (step !== present) {
      flush(present);
      present = step;
    }
    const [what, who] = [outcome[index] as number, visitor[row] as number];
    const counted = isCounted[what] as number;
    own[0] = (own[0] as number) + counted;
    own[1] = (own[1] as number) + (counted & ~(seen[who] as number));
    seen[who] = (seen[who] as number) | counted;
    own[2] = (own[2] as number) + (counted & ((flags[row] as number) >> firstEverBit));
    own[3] = (own[3] as number) + (isRefused[what] as number);
    own[4] = (own[4] as number) + (isOfProgram[what] as number);
    own[5] = (own[5] as number) + (isOfOwner[what] as number);
  }
  flush(present);
  if (later) addLater(sums, later, day, seen);
}

function addLater(sums: Float64Array, { codes, hashes, steps }: Later, day: OpenDay, seen: Uint8Array): void {
  const addresses = day.addresses();
  for (const [index, step] of steps.entries()) {
    const number = addresses ? numberOf(addresses, codes[index] as number, hashes[index] as number) : 0;
    const position = step * figures + 1;
    // 0 is nobody's number.
    sums[position] = (sums[position] as number) + 1 - (seen[number] ?? 0);
  }
}
const firstEverBit = Math.log2(isFirstEver);

/** Adds first visits of a day by target, and those of addresses that had been here on another day; of some targets only. */
export function addReturning(found: { all: Counts; returning: Counts }, { day, rows, misses, outcome }: Looked, targets: Marks): void {
  const [{ ids, places: narrowPlaces }, flags] = [day.named('target'), narrow(day.plain('flags'))];
  const places = wide(narrowPlaces);
  const [all, returning] = [new Uint32Array(ids.length), new Uint32Array(ids.length)];
  const isFirst = tableOf((flag) => (flag & isFirstOfDay) !== 0);
  const isReturning = tableOf((flag) => (flag & isFirstOfDay) !== 0 && (flag & isFirstEver) === 0);
  for (let index = 0; index < rows.length; index += 1) {
    if (misses[index] !== 0) continue;
    const row = rows[index] as number;
    const [place, flag, counted] = [places[row] as number, flags[row] as number, isPassed[outcome[index] as number] as number];
    all[place] = (all[place] as number) + (counted & (isFirst[flag] as number));
    returning[place] = (returning[place] as number) + (counted & (isReturning[flag] as number));
  }
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] as number;
    if (targets[id] !== 1 || all[place] === 0) continue;
    found.all.add(id, all[place] as number);
    found.returning.add(id, returning[place] as number);
  }
}

/** Whether every visit that passed of the codes that are asked for kept a row. */
export function isComplete(day: OpenDay, { codes }: Asked): boolean {
  const incomplete = day.incomplete();
  return codes ? !incomplete.some((code) => codes[code] === 1) : incomplete.length === 0;
}
