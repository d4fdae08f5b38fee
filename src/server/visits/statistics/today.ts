import type { SeriesPoint } from '../../../contract/visits/statistics.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { addDays, type SiteClock, siteClock } from '../../kit/visits/site-clock.ts';
import { type Sums, seriesOf, sumOf, sumsOfRows } from './figures.ts';
import type { CodeCondition } from './visible.ts';

export type TodayFigures = {
  clock: SiteClock;
  day: string;
  /** The day's first moment and the first of the next one. */
  start: number;
  end: number;
  /** The hour of yesterday that was running at this time of day. */
  sameTime: number;
  runningHour: number;
  startBefore: number;
  /** The hours of today that have begun, and all of yesterday's. */
  today: SeriesPoint[];
  yesterday: SeriesPoint[];
  sums: Sums;
  before: Sums;
};

/**
 * Today's figures and yesterday's. Yesterday's sums go up to the same time of day: whole hours from the counts, and the hour that is still
 * running exactly, from rows. Codes without log have none, so that their visits of yesterday's same hour are compared once it is over.
 */
export async function todayFigures(
  db: Database,
  codes: CodeCondition,
  { now, time_zone }: { now: Date; time_zone: string },
): Promise<TodayFigures> {
  const clock = siteClock(time_zone);
  const day = clock.dayOf(now.getTime());
  const [start, end] = [clock.startOf(day), clock.startOf(addDays(day, 1))];
  const begun = clock.hoursOf(day).filter((hour) => hour <= now.getTime());
  const hoursBefore = clock.hoursOf(addDays(day, -1));
  const startBefore = clock.startOf(addDays(day, -1));
  const sameTime = Math.min(startBefore + (now.getTime() - start), start);
  const runningHour = clock.hourOf(sameTime);

  const today = await seriesOf(db, codes, begun, end, clock);
  const yesterday = await seriesOf(db, codes, hoursBefore, start, clock);
  const wholeHours = sumOf(yesterday.filter((_, index) => (hoursBefore[index] ?? start) < runningHour));
  const before = sumOf([wholeHours, await sumsOfRows(db, codes, { from: runningHour, to: sameTime })]);
  return { clock, day, start, end, sameTime, runningHour, startBefore, today, yesterday, sums: sumOf(today), before };
}
