import { createHash } from 'node:crypto';
import type { SiteClock } from '../../kit/visits/site-clock.ts';
import type { HourCounts, Part } from './parts.ts';

/** Visits that count over all codes are counted by slices of time beside hours, for some hours. */
export const sliceMilliseconds = 2_000;
export const sliceHours = 3;
/** How many visits came in a slice, and how many of them counts by code know alone; null where a loader of an earlier release counted some. */
export type SliceCounts = [starts_at: number, visits: number, unlogged: number | null];

/** Visits come a second or two after they were made: no tail has the last ones, nor what came while the loader was about to write it. */
const settledMilliseconds = 2 * sliceMilliseconds;
/** Where a tail did not hold, because a loader is behind or the clock of a host is: that of the next one's end. */
const lateMilliseconds = 20 * sliceMilliseconds;
const prefix = 'tail-';
export const isTail = (version: string): boolean => version.startsWith(prefix);

type Counted = { version: string; hours: readonly HourCounts[]; slices: readonly SliceCounts[] };
type Day = { from: number; to: number };

/** Whether slices have all that hours have from a moment on: a loader that knows none may have written some of it. */
function areWhole(from: number, { hours, slices }: Counted, clock: SiteClock): boolean {
  const sums = new Map<number, number>();
  for (const [at, visits] of slices) if (at >= from) sums.set(clock.hourOf(at), (sums.get(clock.hourOf(at)) ?? 0) + visits);
  return hours.every(([hour, counts]) => hour < from || Number(counts.split('-')[0]) === (sums.get(hour) ?? 0));
}

function tailOf(from: number, until: number, { version, slices }: Counted): Part {
  const counts = slices.flatMap(([at, visits]) => (at >= from && at < until ? `${at},${visits}` : [])).join(' ');
  const hash = createHash('sha256').update(counts).digest('hex').slice(0, 16);
  return { until, version: `${prefix}${version}-${from / 1000}-${until / 1000}-${hash}` };
}

/** `all` is how many visits came since the hours that a part has, `after` how many of them the longest tail does not have. */
export type Tails = {
  found: Part[];
  next: Part | undefined;
  more: number;
  all: number;
  after: number;
  unlogged: number | null;
  /** Whether none was made yet since those hours. */
  isFirst: boolean;
};
const none: Tails = { found: [], next: undefined, more: 0, all: 0, after: 0, unlogged: null, isFirst: false };

/**
 * The files of what came to a day since the hours that a part has, `from` on: those among the `stored` versions that still hold, the longest
 * first; and the one that might be made now, with how many visits it has more than the longest.
 */
export function tailsOf({ from, to }: Day, counted: Counted, stored: readonly string[], clock: SiteClock, now: number): Tails {
  const last = counted.slices.reduce((latest, [at]) => Math.max(latest, at), from);
  if (last <= from || !areWhole(from, counted, clock)) return none;
  const same = `${prefix}${counted.version}-${from / 1000}-`;
  const made = stored
    .filter((version) => version.startsWith(same))
    .map((version) => Number(version.slice(same.length).split('-')[0]) * 1000);
  const found = made
    .map((until) => tailOf(from, until, counted))
    .filter(({ version }) => stored.includes(version))
    .sort((one, other) => other.until - one.until);
  const isLate = made.some((until) => until > (found[0]?.until ?? 0));
  const until = Math.min(
    to,
    isLate ? Math.min(now, last) - lateMilliseconds : Math.min(now - settledMilliseconds, last - sliceMilliseconds),
  );
  const next = tailOf(from, until - (until % sliceMilliseconds), counted);
  const since = found[0]?.until ?? from;
  const own = counted.slices.filter(([at]) => at >= from);
  const visitsBetween = (begin: number, end: number) =>
    own.reduce((sum, [at, visits]) => (at >= begin && at < end ? sum + visits : sum), 0);
  return {
    ...{ found, next: next.until > since ? next : undefined, more: visitsBetween(since, next.until) },
    ...{ all: visitsBetween(from, Number.POSITIVE_INFINITY), after: visitsBetween(since, Number.POSITIVE_INFINITY) },
    isFirst: made.length === 0,
    unlogged: own.reduce((sum: number | null, [, , unlogged]) => (sum === null || unlogged === null ? null : sum + unlogged), 0),
  };
}
