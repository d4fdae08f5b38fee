import type { SeriesPoint } from '../../contract/visits/statistics.ts';
import { inZone } from '../kit/texts/time.ts';

export type HourBar = {
  /** `08:00` in the site's time zone. */
  label: string;
  visits: number;
  ips: number;
  isCurrent: boolean;
  isAhead: boolean;
};

/**
 * The 24 hours of a day, also those without visits and those to come. An hour that a clock change repeats holds both;
 * one that it leaves out stays empty.
 */
export function hourBars(points: readonly SeriesPoint[], timeZone: string, currentHour: number): HourBar[] {
  const bars = Array.from({ length: 24 }, (_, hour) => ({
    label: `${String(hour).padStart(2, '0')}:00`,
    visits: 0,
    ips: 0,
    isCurrent: hour === currentHour,
    isAhead: hour > currentHour,
  }));
  for (const point of points) {
    const bar = bars[inZone(point.at, timeZone).hour()];
    if (!bar) continue;
    bar.visits += point.visits;
    bar.ips += point.ips;
  }
  return bars;
}
