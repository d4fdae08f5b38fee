import { createHash } from 'node:crypto';
import type { SiteClock } from '../../kit/visits/site-clock.ts';

/** How many visits came in an hour, and of how many addresses: it changes with whatever rows come. */
export type HourCounts = [hour: number, counts: string];
/** The first hours of a day that goes on, up to `until`, as long as no visit came that belongs into them. */
export type Part = { until: number; version: string };

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
    parts.push({ until, version: `${version}-${until / 1000}-${createHash('sha256').update(counts).digest('hex').slice(0, 16)}` });
  }
  return parts;
}

/** Tells addresses of one code apart, as a whole number that JavaScript has without loss; `ip` names a column. */
export const addressHash = (ip: string): string => `(hashinetextended(${ip}, 0) >> 11 & ${Number.MAX_SAFE_INTEGER})`;

/** The addresses of a part by their numbers, in order of code and hash; 0 is none. */
export type Addresses = { codes: Float64Array; hashes: Float64Array };
/** Addresses that came after a part of their day, and the step of their first visit there. */
export type Later = Addresses & { steps: Uint16Array };

/** The number of an address in a part, 0 where it was not there. */
export function numberOf({ codes, hashes }: Addresses, code: number, hash: number): number {
  let [low, high] = [1, codes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = (codes[middle] as number) - code || (hashes[middle] as number) - hash;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return codes[low] === code && hashes[low] === hash ? low : 0;
}
