import type { DigestPeriod } from '../../../contract/visits/visit-digest.ts';
import { addDays, type SiteClock } from '../../kit/visits/site-clock.ts';
import { weekdayOf } from '../statistics/workbench/dimensions.ts';

export type Times = { every: DigestPeriod; weekday: number; hour: number };
/** Days of the site, both included. */
export type Days = { from: string; to: string };

/** The first moment after `after` at which a digest is to be sent; an hour that clocks skip comes later on that day. */
export function nextTime({ every, weekday, hour }: Times, after: Date, clock: SiteClock): Date {
  const today = clock.dayOf(after.getTime());
  for (let ahead = 0; ; ahead += 1) {
    const day = addDays(today, ahead);
    if (every === 'week' && weekdayOf(day) !== weekday) continue;
    const at = clock.startOf(day, hour);
    if (at > after.getTime()) return new Date(at);
  }
}

const lengths: Record<DigestPeriod, number> = { day: 1, week: 7 };

/** The days that are over at this moment: yesterday, or the seven days up to it. */
export function periodAt(every: DigestPeriod, at: Date, clock: SiteClock): Days {
  const to = addDays(clock.dayOf(at.getTime()), -1);
  return { from: addDays(to, 1 - lengths[every]), to };
}
