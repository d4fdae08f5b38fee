import type { SeriesPoint } from '../../../contract/visits/statistics.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { addDays, type SiteClock, siteClock } from '../../kit/visits/site-clock.ts';
import { type Sums, seriesOf, sumOf, sumsOfRows } from './figures.ts';
import type { CodeCondition } from './spans.ts';

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
  /** The hours of today that have begun, and all of the two days before. */
  today: SeriesPoint[];
  yesterday: SeriesPoint[];
  dayBefore: SeriesPoint[];
  sums: Sums;
  before: Sums;
  /** The 24 hours that end now, and the 24 before them. */
  lastDay: Record<keyof Sums, { value: number; before: number }>;
};

const hourMilliseconds = 3_600_000;
const minus = (a: Sums | undefined, b: Sums): Sums => {
  const left = (figure: keyof Sums) => Math.max(0, (a?.[figure] ?? 0) - b[figure]);
  return {
    visits: left('visits'),
    ips: left('ips'),
    new_ips: left('new_ips'),
    refused: left('refused'),
    programs: left('programs'),
    own: left('own'),
  };
};

/**
 * The 24 hours up to now and those before, of whole hours, of which the last one runs, and of the parts of the same hour of both days
 * before that had passed at this minute.
 */
function lastDayOf(hours: readonly Sums[], [passedYesterday, passedBefore]: readonly [Sums, Sums]): TodayFigures['lastDay'] {
  const value = sumOf([...hours.slice(-24), minus(hours.at(-25), passedYesterday)]);
  const before = sumOf([...hours.slice(-48, -25), passedYesterday, minus(hours.at(-49), passedBefore)]);
  const compared = (figure: keyof Sums) => ({ value: value[figure], before: before[figure] });
  return {
    visits: compared('visits'),
    ips: compared('ips'),
    new_ips: compared('new_ips'),
    refused: compared('refused'),
    programs: compared('programs'),
    own: compared('own'),
  };
}

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
  const twoDays = await seriesOf(db, codes, [...clock.hoursOf(addDays(day, -2)), ...hoursBefore], start, clock);
  const yesterday = twoDays.slice(-hoursBefore.length);
  const dayBefore = twoDays.slice(0, -hoursBefore.length);
  const wholeHours = sumOf(yesterday.filter((_, index) => (hoursBefore[index] ?? start) < runningHour));
  const passedYesterday = await sumsOfRows(db, codes, { from: runningHour, to: sameTime });
  const passedBefore = await sumsOfRows(db, codes, { from: runningHour - 24 * hourMilliseconds, to: sameTime - 24 * hourMilliseconds });
  const before = sumOf([wholeHours, passedYesterday]);
  const lastDay = lastDayOf([...twoDays, ...today], [passedYesterday, passedBefore]);
  return { clock, day, start, end, sameTime, runningHour, startBefore, today, yesterday, dayBefore, sums: sumOf(today), before, lastDay };
}
