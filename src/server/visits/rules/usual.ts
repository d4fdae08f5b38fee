import type { RuleDirection } from '../../../contract/visits/visit-rule.ts';

/** Visits by hour, the latest first. */
export type Hours = readonly number[];
/** The hours before the same moment: of now, and of the same weekday of the weeks before, the latest first. */
export type Course = { now: Hours; weeks: readonly Hours[] };
export type Change = { visits: number; usual: number; percent: number; hours: number };

/** Visits of the last of these many hours are compared that are usually enough. */
export const windows = [1, 3, 6, 12, 24] as const;
export const weeksBefore = 6;
/** Fewer weeks have no usual. */
const minWeeks = 3;
const minUsual = 30;
/** Chance alone goes beyond so many times its usual width less than once in 10,000 looks. */
const deviations = 4;
/** Makes the median of deviations a standard deviation, where they are as chance makes them. */
const normal = 1.4826;

const sumOf = (hours: Hours, length: number): number => hours.slice(0, length).reduce((sum, visits) => sum + visits, 0);

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return (low + high) / 2;
}

/** How many are to be expected before a change by this share can be told from chance. */
const minFor = (share: number): number => Math.max(minUsual, (deviations / share) ** 2);

/** The change that a rule asks for, where there is one beyond chance. Weeks before the first visit are none. */
export function changeIn({ now, weeks }: Course, rule: { direction: RuleDirection; percent: number }): Change | undefined {
  const lived = weeks.slice(0, weeks.findLastIndex((hours) => hours.some((visits) => visits > 0)) + 1);
  if (lived.length < minWeeks) return undefined;
  const asked = rule.percent / 100;
  for (const hours of windows) {
    const sums = lived.map((week) => sumOf(week, hours));
    const usual = median(sums);
    if (usual < minFor(asked)) continue;
    const visits = sumOf(now, hours);
    const share = (visits - usual) / usual;
    const spread = Math.max(Math.sqrt(usual), normal * median(sums.map((sum) => Math.abs(sum - usual))));
    const isAsked = rule.direction === 'both' || (rule.direction === 'falls') === share < 0;
    if (!isAsked || Math.abs(share) < asked || Math.abs(visits - usual) <= deviations * spread) return undefined;
    return { visits, usual: Math.round(usual), percent: Math.round(Math.abs(share) * 100), hours };
  }
  return undefined;
}
