import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import type { OpenDay } from './day-file.ts';
import { isByShortCode, isFirstEver, isFirstOfDay, type NamedColumn } from './layout.ts';
import { type Later, numberOf } from './parts.ts';
import type { Picked, Range } from './picked.ts';

const slotsOfHour = 4;
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

/** Visits of a day that are looked at: their positions among those picked, which filters they miss, and their outcomes. */
export type Looked = { day: OpenDay; picked: Picked; rows: Uint32Array; misses: Uint8Array; outcome: Uint8Array };

export const maxFilters = 7;
/** Beside the bits of the filters: not asked for, whatever filters say. */
const isOutside = 1 << maxFilters;

// What follows goes over every visit of months. Where chance would decide, it computes 0 or 1 instead of branching: a processor that guesses
// wrong takes longer than one that adds nothing. Arrays are of one width, so that loops are compiled for one kind.

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

/** A code whose history was cleared: its visits among those picked, and since when it is seen. */
type Cleared = { first: number; end: number; since: number };

/** The visits of the codes that are asked for. */
function rangesOf(day: OpenDay, { codes, seenSince, ofCodes }: Asked): { ranges: Range[]; cleared: Cleared[] } {
  const { ids, starts } = day.codes();
  const [ranges, cleared]: [[first: number, end: number][], Cleared[]] = [[], []];
  let length = 0;
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] as number;
    if ((codes && codes[id] !== 1) || (ofCodes && id === 0)) continue;
    const [first, end] = [starts[place] as number, starts[place + 1] ?? day.visits];
    const last = ranges.at(-1);
    if (last && last[1] === first) last[1] = end;
    else ranges.push([first, end]);
    const since = seenSince.get(id);
    if (since !== undefined) cleared.push({ first: length, end: length + end - first, since });
    length += end - first;
  }
  return { ranges, cleared };
}

/** Marks what is not asked for, of all that the codes have. */
function markOutside(misses: Uint8Array, { day, picked }: { day: OpenDay; picked: Picked }, until: number, { codes }: Asked): void {
  if (!codes && (day.flags & isByShortCode) !== 0) {
    const [flags, outcome] = [picked.bytes('flags'), picked.bytes('outcome')];
    const isIndirect = tableOf((flag) => (flag & isByShortCode) !== 0);
    for (let row = 0; row < misses.length; row += 1)
      misses[row] = ((isIndirect[flags[row] as number] as number) & ~(isHere[outcome[row] as number] as number)) * isOutside;
  }
  if (day.last < until) return;
  const at = picked.wide('at');
  for (let row = 0; row < misses.length; row += 1) misses[row] = (misses[row] as number) | ((at[row] as number) >= until ? isOutside : 0);
}

function markCleared(misses: Uint8Array, picked: Picked, from: number, cleared: readonly Cleared[]): void {
  for (const { first, end, since } of cleared) {
    const at = picked.wide('at');
    for (let row = first; row < end; row += 1) misses[row] = (misses[row] as number) | ((at[row] as number) < since - from ? isOutside : 0);
  }
}

/** Marks the visits that miss a filter by its bit. */
function markMisses(misses: Uint8Array, picked: Picked, filter: Filter, bit: number): void {
  if ('slots' in filter) {
    const slot = picked.bytes('slot');
    const ofSlot = tableOf((number) => filter.slots[number] === 0);
    for (let row = 0; row < misses.length; row += 1)
      misses[row] = (misses[row] as number) | ((ofSlot[slot[row] as number] as number) * bit);
    return;
  }
  const { ids, places } = picked.named(filter.column);
  const ofPlace = new Uint8Array(ids.length);
  for (let place = 0; place < ids.length; place += 1) ofPlace[place] = filter.marks[ids[place] as number] === 1 ? 0 : bit;
  for (let row = 0; row < misses.length; row += 1) misses[row] = (misses[row] as number) | (ofPlace[places[row] as number] as number);
}

/**
 * Looks at a day: `from` is its start, and only what came before `until` is seen. What misses a filter is left out, unless that is the only
 * one and its bit is in `spared`: some count leaves it aside.
 */
export function look(day: OpenDay, from: number, until: number, asked: Asked, filters: readonly Filter[], spared: number): Looked {
  const { ranges, cleared } = rangesOf(day, asked);
  const picked = day.pick(ranges);
  const misses = new Uint8Array(picked.length);
  markOutside(misses, { day, picked }, until - from, asked);
  markCleared(misses, picked, from, cleared);
  for (const [position, filter] of filters.entries()) markMisses(misses, picked, filter, 1 << position);
  const isUseful = tableOf((missed) => missed === 0 || ((missed & (missed - 1)) === 0 && (missed & spared) !== 0));
  const rows = new Uint32Array(picked.length);
  let kept = 0;
  for (let row = 0; row < picked.length; row += 1) {
    const missed = misses[row] as number;
    rows[kept] = row;
    misses[kept] = missed;
    kept += isUseful[missed] as number;
  }
  const all = picked.bytes('outcome');
  const outcome = new Uint8Array(kept);
  for (let index = 0; index < kept; index += 1) outcome[index] = all[rows[index] as number] as number;
  return { day, picked, rows: rows.subarray(0, kept), misses: misses.subarray(0, kept), outcome };
}

/** What visits are counted by: a place for each that was picked, and the ids of places where these have a dictionary. */
function placesOf({ picked }: Looked, by: CountBy['by']): { places: Uint32Array; ids?: Float64Array } {
  if (by === 'outcome') return { places: new Uint32Array(picked.bytes('outcome')) };
  if (by !== 'hour') return picked.named(by);
  const hours = new Uint32Array(picked.bytes('slot'));
  for (let row = 0; row < hours.length; row += 1) hours[row] = (hours[row] as number) / slotsOfHour;
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

/** Figures by step, from 1 on; 0 is none. Visits are counted by outcome, and outcomes summed at the end. */
export function createSums(steps: number) {
  return { visits: new Float64Array((steps + 1) * outcomes.length), ips: new Float64Array(steps + 1), newIps: new Float64Array(steps + 1) };
}
export type Sums = ReturnType<typeof createSums>;

/** Of each step: visits, addresses, new addresses, refused, of programs, of the owner. */
export const figures = 6;

export function figuresOf({ visits, ips, newIps }: Sums, wanted: readonly number[] | undefined): Float64Array {
  const [isCounted, found] = [isOneOf(wanted), new Float64Array(ips.length * figures)];
  for (let step = 0; step < ips.length; step += 1) {
    const own = visits.subarray(step * outcomes.length, (step + 1) * outcomes.length);
    const sumOf = (table: Uint8Array) => own.reduce((sum, count, what) => sum + count * (table[what] as number), 0);
    const sums = [sumOf(isCounted), ips[step] as number, newIps[step] as number, sumOf(isRefused), sumOf(isOfProgram), sumOf(isOfOwner)];
    found.set(sums, step * figures);
  }
  return found;
}

/** Adds the figures of a day; an address counts in the step of its first visit that fits, `later` ones where they were not here before. */
export function addFigures(sums: Sums, { day, picked, rows, misses, outcome }: Looked, { steps, outcomes: wanted, later }: StepsBy): void {
  const isCounted = isOneOf(wanted);
  const [slot, flags, visitor] = [picked.bytes('slot'), picked.bytes('flags'), picked.wide('visitor')];
  const seen = new Uint8Array(day.visitors);
  const { visits, ips, newIps } = sums;
  for (let index = 0; index < rows.length; index += 1) {
    if (misses[index] !== 0) continue;
    const row = rows[index] as number;
    const step = steps[slot[row] as number] as number;
    const [what, who] = [outcome[index] as number, visitor[row] as number];
    const counted = isCounted[what] as number;
    const place = step * outcomes.length + what;
    visits[place] = (visits[place] as number) + 1;
    ips[step] = (ips[step] as number) + (counted & ~(seen[who] as number));
    seen[who] = (seen[who] as number) | counted;
    newIps[step] = (newIps[step] as number) + (counted & ((flags[row] as number) >> firstEverBit));
  }
  if (later) addLater(sums, later, day, seen);
}

function addLater({ ips }: Sums, { codes, hashes, steps }: Later, day: OpenDay, seen: Uint8Array): void {
  const addresses = day.addresses();
  for (const [index, step] of steps.entries()) {
    const number = addresses ? numberOf(addresses, codes[index] as number, hashes[index] as number) : 0;
    // 0 is nobody's number.
    ips[step] = (ips[step] as number) + 1 - (seen[number] ?? 0);
  }
}
const firstEverBit = Math.log2(isFirstEver);

/** Adds first visits of a day by target, and those of addresses that had been here on another day; of some targets only. */
export function addReturning(found: { all: Counts; returning: Counts }, { picked, rows, misses, outcome }: Looked, targets: Marks): void {
  const [{ ids, places }, flags] = [picked.named('target'), picked.bytes('flags')];
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

/** Whether a question is one about all that a day had: some answers to it stand in the file, and its visits need no look. */
export const isOfAll = (day: OpenDay, { from, until }: { from: number; until: number }, { codes, seenSince }: Asked): boolean =>
  day.last < until - from && codes === undefined && seenSince.size === 0;

/** Adds the visits of a whole day, of all codes. Whether the file knows what is asked. */
export function addTotals(found: Counts, day: OpenDay, { by, outcomes: wanted }: CountBy, ofCodes: boolean): boolean {
  if (by === 'outcome' || by === 'hour' || wanted?.length !== 1 || wanted[0] !== passed) return false;
  const { ids, visits } = day.totals(by, ofCodes);
  for (let place = 0; place < ids.length; place += 1) found.add(ids[place] as number, visits[place] as number);
  return true;
}

/** The same of first visits of targets. */
export function addFirsts(found: { all: Counts; returning: Counts }, day: OpenDay, targets: Marks): void {
  const { ids, all, returning } = day.firsts();
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
