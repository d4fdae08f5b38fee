import { outcomes } from '../../../contract/enums.ts';
import type { OpenDay } from './day-file.ts';
import { isSum } from './layout.ts';
import type { Asked, CountBy, Counts, Marks, SpanOfDay } from './scan.ts';

const passed = outcomes.indexOf('passed');

// What the file of a day knows without a look at its visits.

/** Whether a question is one about all that a day had: some answers to it stand in the file, and its visits need no look. */
export const isOfAll = (day: OpenDay, { from, until, since }: SpanOfDay, { codes, left, seenSince }: Asked): boolean =>
  since === undefined && day.last < until - from && codes === undefined && left === undefined && seenSince.size === 0;

/** Adds the visits of a whole day, of all codes, but for ids without a mark. Whether the file knows what is asked. */
export function addTotals(found: Counts, day: OpenDay, { by, outcomes: wanted, ofCodes }: CountBy, marks?: Marks): boolean {
  if (by === 'outcome' || by === 'hour' || isSum(by) || wanted?.length !== 1 || wanted[0] !== passed) return false;
  const { ids, visits } = day.totals(by, ofCodes);
  if (marks) for (let place = 0; place < ids.length; place += 1) if (marks[ids[place] as number] !== 1) visits[place] = 0;
  found.addAll(ids, visits);
  return true;
}

/** Adds what counts by hour had of each code on a day. Whether that is what is asked. */
export function addSums(found: Counts, day: OpenDay, { codes, left }: Asked, { by }: CountBy): boolean {
  if (!isSum(by)) return false;
  const own = day.sums(by);
  for (let place = 0; place < own.codes.length; place += 1) {
    const code = own.codes[place] as number;
    if ((!codes || codes[code] === 1) && left?.[code] !== 1) found.add(code, own.sums[place] as number);
  }
  return true;
}

/** The same of first visits of targets. */
export function addFirsts(found: { all: Counts; returning: Counts }, day: OpenDay): void {
  const { ids, all, returning } = day.firsts();
  found.all.addAll(ids, all);
  found.returning.addAll(ids, returning);
}

/** The codes that are asked for some of whose visits that passed kept no row. */
export const lackingOf = (day: OpenDay, { codes, left }: Asked): Float64Array =>
  day.incomplete().filter((code) => (!codes || codes[code] === 1) && left?.[code] !== 1);
