import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import type { SeriesPoint } from '../../../contract/visits/statistics.ts';
import { inZone } from '../../kit/texts/time.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** The figures that are counted by the hour. */
export const hourlyFigures = ['visits', 'ips', 'new_ips', 'refused', 'programs', 'own'] as const;
export type HourlyFigure = (typeof hourlyFigures)[number];

export type Point = { at: string; value: number };

/** The starts of a day's hours in a time zone: 24 of them, 23 or 25 where the clocks change. `day` is YYYY-MM-DD. */
export function hoursOfDay(day: string, timeZone: string): string[] {
  const midnight = dayjs.tz(`${day}T00:00:00`, timeZone).valueOf();
  // Where the clocks change at midnight the day may begin a little earlier or later than its midnight.
  const around = Array.from({ length: 32 }, (_, hour) => midnight + (hour - 3) * 3_600_000);
  return around.filter((at) => inZone(at, timeZone).format('YYYY-MM-DD') === day).map((at) => new Date(at).toISOString());
}

/** The hour that a clock shows, `00` to `23`. */
export const hourOf = (at: string, timeZone: string): string => inZone(at, timeZone).format('HH');

/** Sums by the hour that a clock shows, so that an hour which the clocks repeat is one. */
function byHour(points: readonly SeriesPoint[], figure: HourlyFigure, timeZone: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const point of points) {
    const hour = hourOf(point.at, timeZone);
    sums.set(hour, (sums.get(hour) ?? 0) + point[figure]);
  }
  return sums;
}

type DayAgainstDay = { day: string; now: string; today: readonly SeriesPoint[]; yesterday: readonly SeriesPoint[] };

/**
 * One figure over the hours of today and, laid over the same hours, of yesterday. Hours without visits are zero; those of today that
 * have not begun by `now` are left out.
 */
export function overlay(
  { day, now, today, yesterday }: DayAgainstDay,
  figure: HourlyFigure,
  timeZone: string,
): { today: Point[]; yesterday: Point[] } {
  const counted = byHour(today, figure, timeZone);
  const before = byHour(yesterday, figure, timeZone);
  // Of an hour that the clocks repeat the first start stands for both.
  const starts = new Map<string, string>();
  for (const at of hoursOfDay(day, timeZone)) if (!starts.has(hourOf(at, timeZone))) starts.set(hourOf(at, timeZone), at);
  const hours = [...starts];
  return {
    today: hours.filter(([, at]) => Date.parse(at) <= Date.parse(now)).map(([hour, at]) => ({ at, value: counted.get(hour) ?? 0 })),
    yesterday: hours.map(([hour, at]) => ({ at, value: before.get(hour) ?? 0 })),
  };
}

/** What the figures and the chart are of. */
export const spans = ['today', 'last_day'] as const;
export type Span = (typeof spans)[number];

const hoursOfADay = 24;

type Hours = DayAgainstDay & { day_before: readonly SeriesPoint[] };

/** One figure over the last 24 hours, the running one included, and, laid over them, the 24 before. */
export function lastDay({ day_before, yesterday, today }: Hours, figure: HourlyFigure): { now: Point[]; before: Point[] } {
  const hours = [...day_before, ...yesterday, ...today];
  const now = hours.slice(-hoursOfADay);
  const before = hours.slice(-2 * hoursOfADay, -hoursOfADay);
  return {
    now: now.map((point) => ({ at: point.at, value: point[figure] })),
    before: before.flatMap((point, index) => {
      const at = now[index]?.at;
      return at ? [{ at, value: point[figure] }] : [];
    }),
  };
}

/** One figure by the hour over today or the last 24 hours, and over the same hours of the day before. */
export function hoursOf(hours: Hours, span: Span, figure: HourlyFigure, timeZone: string): { now: Point[]; before: Point[] } {
  if (span === 'last_day') return lastDay(hours, figure);
  const { today, yesterday } = overlay(hours, figure, timeZone);
  return { now: today, before: yesterday };
}
