import { createHash } from 'node:crypto';
import type { SiteClock } from '../../kit/visits/site-clock.ts';

/** How many visits came in an hour, and of how many addresses: it changes with whatever rows come. */
export type HourCounts = [hour: number, counts: string];
/** The first hours of a day that goes on, up to `until`, as long as no visit came that belongs into them. */
export type Part = { until: number; version: string };

const prefix = 'part-';
export const isPart = (version: string): boolean => version.startsWith(prefix);
const hourLength = 3_600_000;
/** Visits come seconds after they were made: an hour that has only just ended would be made a file of twice. */
const settledMilliseconds = 60_000;

/** The parts that a day might have a file of, the longest first. */
export function partsOf(
  { from, to }: { from: number; to: number },
  { version, hours }: { version: string; hours: readonly HourCounts[] },
  clock: SiteClock,
  now: number,
): Part[] {
  const parts: Part[] = [];
  for (let until = Math.min(clock.hourOf(now - settledMilliseconds), to); until > from; until -= hourLength) {
    const counts = hours.filter(([hour]) => hour < until).join(' ');
    if (counts === '') break;
    parts.push({ until, version: `${prefix}${version}-${until / 1000}-${createHash('sha256').update(counts).digest('hex').slice(0, 16)}` });
  }
  return parts;
}

/** How many visits came in hours that begin then or later. */
export const visitsSince = (begin: number, hours: readonly HourCounts[]): number =>
  hours.reduce((sum, [hour, counts]) => (hour >= begin ? sum + Number(counts.split('-')[0]) : sum), 0);
