import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import type { OpenDay } from './day-file.ts';
import { type CodeSum, grown, isByShortCode, isFirstEver, isFirstOfDay, isSum, type NamedColumn } from './layout.ts';
import type { Picked, Range } from './picked.ts';
import { roomFor } from './rooms.ts';

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
      if (id >= counts.length) counts = grown(counts, id);
      counts[id] = (counts[id] as number) + count;
    },
    /** The same of many, which takes a fifth of the time. */
    addAll(ids: Float64Array, more: Uint32Array): void {
      let own = counts;
      for (let place = 0; place < ids.length; place += 1) {
        const id = ids[place] as number;
        if (id >= own.length) own = grown(own, id);
        own[id] = (own[id] as number) + (more[place] as number);
      }
      counts = own;
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
  /** Codes that are left aside. */
  left: Marks | undefined;
  /** Since when what a code recorded is seen, in milliseconds since 1970. */
  seenSince: ReadonlyMap<number, number>;
};
/** A filter on a dictionary's ids, or on the clock, by quarters of an hour of the day. */
export type Filter = { column: NamedColumn; marks: Marks } | { slots: Uint8Array };
/**
 * What is counted, and by what; `without` is the position of a filter that is left aside, `ofCodes` where all codes are asked for, but not what
 * reached none.
 */
export type CountBy = {
  by: NamedColumn | CodeSum | 'outcome' | 'hour';
  outcomes: readonly number[] | undefined;
  without: number | undefined;
  ofCodes: boolean;
  /** Counts by hour tell what came after the hours that the file of a day has, as the tail lacks some of it. */
  leavesTails?: boolean;
};
/** By positions of steps, from 1 on, that each quarter of an hour belongs to; 0 is none. */
export type StepsBy = { steps: Uint16Array; outcomes: readonly number[] | undefined };

/** Visits of a day that are looked at: their positions among those picked, and which filters they miss. */
export type Looked = {
  day: OpenDay;
  picked: Picked;
  rows: Uint32Array;
  /** Undefined where none misses any. */
  misses: Uint8Array | undefined;
  /** Which of them counts are about, by what these ask for. */
  counting: Map<string, Uint32Array>;
};

export const maxFilters = 8;

// What follows goes over every visit of months. Where chance would decide, it computes 0 or 1 instead of branching: a processor that guesses
// wrong takes longer than one that adds nothing. Arrays are of one width, so that loops are compiled for one kind; they take nothing apart by
// pattern, which is ten times slower there.

/** 1 for each number below 256 that something is true of. */
function tableOf(isTrue: (number: number) => boolean): Uint8Array {
  const table = new Uint8Array(256);
  for (let number = 0; number < 256; number += 1) table[number] = isTrue(number) ? 1 : 0;
  return table;
}
const isOneOf = (wanted: readonly number[] | undefined): Uint8Array =>
  tableOf((outcome) => wanted === undefined || wanted.includes(outcome));
const [isOfProgram, isOfOwner] = [ofProgram, ofOwner].map((outcome) => isOneOf([outcome])) as [Uint8Array, Uint8Array];
export const [isRefused, isPassed] = [tableOf((outcome) => !granted.has(outcome)), isOneOf([passed])] as [Uint8Array, Uint8Array];
/** Whom a short code sent to a code is counted there. */
const isHere = tableOf((outcome) => ![passed, ofProgram, ofOwner].includes(outcome));

/** A code whose history was cleared: its visits among those picked, and since when it is seen. */
type Cleared = { first: number; end: number; since: number };

/** The visits of the codes that are asked for. */
function rangesOf(day: OpenDay, { codes, left, seenSince }: Asked): { ranges: Range[]; cleared: Cleared[] } {
  if (!codes && !left && seenSince.size === 0) return { ranges: [[0, day.visits]], cleared: [] };
  const { ids, starts } = day.codes();
  const [ranges, cleared]: [[first: number, end: number][], Cleared[]] = [[], []];
  let length = 0;
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] as number;
    if ((codes && codes[id] !== 1) || left?.[id] === 1) continue;
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

/** 1 for each visit of the codes that is not asked for all the same; undefined where there are none. */
function outsideOf(day: OpenDay, picked: Picked, span: SpanOfDay, cleared: readonly Cleared[], { codes }: Asked): Uint32Array | undefined {
  const mayBeShort = codes === undefined && (day.flags & isByShortCode) !== 0;
  const until = span.until - span.from;
  const since = span.since === undefined ? 0 : span.since - span.from;
  if (!mayBeShort && day.last < until && since === 0 && cleared.length === 0) return undefined;
  const marks = new Uint32Array(picked.length);
  if (mayBeShort) {
    const [flags, outcome] = [picked.bytes('flags'), picked.bytes('outcome')];
    const isIndirect = tableOf((flag) => (flag & isByShortCode) !== 0);
    for (let row = 0; row < marks.length; row += 1)
      marks[row] = (isIndirect[flags[row] as number] as number) & ~(isHere[outcome[row] as number] as number);
  }
  const at = picked.wide('at');
  if (day.last >= until)
    for (let row = 0; row < marks.length; row += 1) marks[row] = (marks[row] as number) | ((at[row] as number) >= until ? 1 : 0);
  if (since > 0)
    for (let row = 0; row < marks.length; row += 1) marks[row] = (marks[row] as number) | ((at[row] as number) < since ? 1 : 0);
  for (const { first, end, since } of cleared)
    for (let row = first; row < end; row += 1) marks[row] = (marks[row] as number) | ((at[row] as number) < since - span.from ? 1 : 0);
  return marks;
}

/** The positions whose value fits. */
function keepOfAll(values: Uint32Array, fits: Uint8Array): Uint32Array {
  const length = values.length;
  const left = roomFor('kept', length);
  let kept = 0;
  for (let row = 0; row < length; row += 1) {
    left[kept] = row;
    kept += fits[values[row] as number] as number;
  }
  return left.subarray(0, kept);
}

/** Those of the positions whose value fits, which move to the front. */
function keepOf(rows: Uint32Array, values: Uint32Array, fits: Uint8Array): Uint32Array {
  const length = rows.length;
  let kept = 0;
  for (let index = 0; index < length; index += 1) {
    const row = rows[index] as number;
    rows[kept] = row;
    kept += fits[values[row] as number] as number;
  }
  return rows.subarray(0, kept);
}

/** What a filter looks at, and which values of that fit. */
function testOf(picked: Picked, filter: Filter): { values: Uint32Array; fits: Uint8Array } {
  if ('slots' in filter) return { values: new Uint32Array(picked.bytes('slot')), fits: filter.slots };
  const { ids, places } = picked.named(filter.column);
  const fits = new Uint8Array(ids.length);
  for (let place = 0; place < ids.length; place += 1) fits[place] = filter.marks[ids[place] as number] === 1 ? 1 : 0;
  return { values: places, fits };
}

function markMisses(misses: Uint8Array, rows: Uint32Array, { values, fits }: ReturnType<typeof testOf>, bit: number): void {
  for (let index = 0; index < rows.length; index += 1) {
    const isMissed = (fits[values[rows[index] as number] as number] as number) ^ 1;
    misses[index] = (misses[index] as number) | (isMissed * bit);
  }
}

/** A day by its start, and since and up to when its visits are asked for. */
export type SpanOfDay = { from: number; until: number; since?: number | undefined };

/**
 * Looks at a day: only what came `since` then and before `until` is seen. What misses a filter is left out, unless that is the only
 * one and its bit is in `spared`: some count leaves it aside.
 */
export function look(day: OpenDay, span: SpanOfDay, asked: Asked, filters: readonly Filter[], spared: number): Looked {
  const { ranges, cleared } = rangesOf(day, asked);
  const picked = day.pick(ranges);
  const outside = outsideOf(day, picked, span, cleared, asked);
  let rows = outside && keepOfAll(outside, Uint8Array.of(1, 0));
  for (const [position, filter] of filters.entries()) {
    const { values, fits } = testOf(picked, filter);
    if ((spared & (1 << position)) === 0) rows = rows ? keepOf(rows, values, fits) : keepOfAll(values, fits);
  }
  rows ??= positionsBelow(picked.length);
  const misses = spared === 0 ? undefined : new Uint8Array(rows.length);
  if (misses)
    for (const [position, filter] of filters.entries())
      if ((spared & (1 << position)) !== 0) markMisses(misses, rows, testOf(picked, filter), 1 << position);
  const kept = misses && (spared & (spared - 1)) !== 0 ? keepUseful(rows, misses) : rows.length;
  return { day, picked, rows: rows.subarray(0, kept), misses: misses?.subarray(0, kept), counting: new Map() };
}

function positionsBelow(length: number): Uint32Array {
  const rows = new Uint32Array(length);
  for (let row = 0; row < length; row += 1) rows[row] = row;
  return rows;
}

/** Moves those to the front that miss one filter at most. Answers how many they are. */
function keepUseful(rows: Uint32Array, misses: Uint8Array): number {
  const isUseful = tableOf((missed) => (missed & (missed - 1)) === 0);
  let kept = 0;
  for (let index = 0; index < rows.length; index += 1) {
    const missed = misses[index] as number;
    rows[kept] = rows[index] as number;
    misses[kept] = missed;
    kept += isUseful[missed] as number;
  }
  return kept;
}

/** Those of the visits that one count is about; counts that are about the same share them. */
function rowsThatCount(
  { picked, rows, misses, counting }: Looked,
  { outcomes: wanted, without }: Pick<CountBy, 'outcomes' | 'without'>,
): Uint32Array {
  const key = `${without ?? ''} ${wanted?.join() ?? 'all'}`;
  const known = counting.get(key);
  if (known) return known;
  if (wanted === undefined && misses === undefined) return rows;
  const ignored = without === undefined ? 0 : 1 << without;
  const [isCounted, fits] = [isOneOf(wanted), tableOf((missed) => (missed & ~ignored) === 0)];
  const outcome = picked.bytes('outcome');
  const counted = new Uint32Array(rows.length);
  let kept = 0;
  const missed = misses ?? new Uint8Array(rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    counted[kept] = row;
    kept += (isCounted[outcome[row] as number] as number) & (fits[missed[index] as number] as number);
  }
  const found = counted.subarray(0, kept);
  counting.set(key, found);
  return found;
}

/** Visits by the place of each in a dictionary. */
function countPlaces(rows: Uint32Array, places: Uint32Array, length: number): Uint32Array {
  const counts = new Uint32Array(length);
  for (let index = 0; index < rows.length; index += 1) {
    const place = places[rows[index] as number] as number;
    counts[place] = (counts[place] as number) + 1;
  }
  return counts;
}

/** Visits by a byte of each. Neighbours are alike: counted in turns, so that no addition has to wait for the one before it. */
function countBytes(rows: Uint32Array, bytes: Uint8Array): Uint32Array {
  const counts = new Uint32Array(4 * 256);
  for (let index = 0; index < rows.length; index += 1) {
    const place = ((index & 3) << 8) | (bytes[rows[index] as number] as number);
    counts[place] = (counts[place] as number) + 1;
  }
  for (let place = 0; place < 256; place += 1)
    counts[place] = [0, 256, 512, 768].reduce((sum, turn) => sum + (counts[place + turn] as number), 0);
  return counts.subarray(0, 256);
}

/** Adds visits that fit to what was counted of other days, by id of the dictionary, by outcome, or by quarters of an hour, of which `slotsBefore` came before the day. */
export function countInto(found: Counts, looked: Looked, counting: CountBy, slotsBefore: number): void {
  const { by, ofCodes } = counting;
  if (isSum(by)) return;
  const { day, picked } = looked;
  let rows = rowsThatCount(looked, counting);
  if (ofCodes) {
    // Of all codes each position is one of the day, and what reached none comes first.
    const first = rows.findIndex((row) => row >= day.codeless);
    rows = rows.subarray(first < 0 ? rows.length : first);
  }
  if (by === 'outcome' || by === 'hour') {
    const counts = countBytes(rows, picked.bytes(by === 'hour' ? 'slot' : 'outcome'));
    for (let byte = 0; byte < counts.length; byte += 1)
      if (counts[byte] !== 0) found.add(by === 'hour' ? slotsBefore + byte - (byte % slotsOfHour) : byte, counts[byte] as number);
    return;
  }
  const { ids, places } = picked.named(by);
  found.addAll(ids, countPlaces(rows, places, ids.length));
}

/** Figures by step, from 1 on; 0 is none. Visits are counted by outcome, and outcomes summed at the end. */
export function createSums(steps: number) {
  return { visits: new Uint32Array((steps + 1) * outcomes.length), ips: new Uint32Array(steps + 1), newIps: new Uint32Array(steps + 1) };
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

const isNew = tableOf((flag) => (flag & isFirstEver) !== 0);

/**
 * Adds the figures of a day, of visits that fit all filters; an address counts in the step of its first visit that fits. `seen` has a mark for
 * each number of an address that was met before, and gets those that are. Of one code or one day many visits have one step, so that addresses are
 * summed until it changes.
 */
export function addFigures(
  sums: Sums,
  { picked, rows }: Looked,
  { steps, outcomes: wanted }: StepsBy,
  seen: Uint8Array,
  numbers?: Uint32Array,
): void {
  const isCounted = isOneOf(wanted);
  const [slot, flags, outcome, visitor] = [picked.bytes('slot'), picked.bytes('flags'), picked.bytes('outcome'), picked.wide('visitor')];
  if (numbers) for (let row = 0; row < visitor.length; row += 1) visitor[row] = numbers[visitor[row] as number] as number;
  const { visits, ips, newIps } = sums;
  const [width, length] = [outcomes.length, rows.length];
  let present = 0;
  let own = 0;
  let ownNew = 0;
  for (let index = 0; index < length; index += 1) {
    const row = rows[index] as number;
    const step = steps[slot[row] as number] as number;
    if (step !== present) {
      ips[present] = (ips[present] as number) + own;
      newIps[present] = (newIps[present] as number) + ownNew;
      present = step;
      own = 0;
      ownNew = 0;
    }
    const what = outcome[row] as number;
    const who = visitor[row] as number;
    const counted = isCounted[what] as number;
    const was = seen[who] as number;
    visits[step * width + what] = (visits[step * width + what] as number) + 1;
    seen[who] = was | counted;
    own += counted & (was ^ 1);
    ownNew += counted & (isNew[flags[row] as number] as number);
  }
  ips[present] = (ips[present] as number) + own;
  newIps[present] = (newIps[present] as number) + ownNew;
}

/** Adds first visits of a day by target, and those of addresses that had been here on another day. */
export function addReturning(found: { all: Counts; returning: Counts }, looked: Looked): void {
  const { picked } = looked;
  const rows = rowsThatCount(looked, { outcomes: [passed], without: undefined });
  const [{ ids, places }, flags] = [picked.named('target'), picked.bytes('flags')];
  const [all, returning] = [new Uint32Array(ids.length), new Uint32Array(ids.length)];
  const isFirst = tableOf((flag) => (flag & isFirstOfDay) !== 0);
  const isReturning = tableOf((flag) => (flag & isFirstOfDay) !== 0 && (flag & isFirstEver) === 0);
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    const place = places[row] as number;
    const flag = flags[row] as number;
    all[place] = (all[place] as number) + (isFirst[flag] as number);
    returning[place] = (returning[place] as number) + (isReturning[flag] as number);
  }
  found.all.addAll(ids, all);
  found.returning.addAll(ids, returning);
}
