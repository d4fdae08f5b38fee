import { addDays, siteClock } from '../kit/visits/site-clock.ts';

/** Hours of the day in which nothing is sent, as `HH:MM`; from the evening to the morning where they end earlier than they begin. */
export type QuietHours = { quiet_from: string | null; quiet_to: string | null };

const minuteLength = 60_000;

/** The first moment of a day at which clocks show this time, or a later one where it is skipped for summer time. */
function momentOf(clock: ReturnType<typeof siteClock>, day: string, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return clock.startOf(day, hour) + minute * minuteLength;
}

/** When the quiet hours end that a moment lies in; undefined where it lies in none. */
export function quietUntil(at: Date, { quiet_from, quiet_to }: QuietHours, time_zone: string): Date | undefined {
  if (quiet_from === null || quiet_to === null || quiet_from === quiet_to) return undefined;
  const clock = siteClock(time_zone);
  const today = clock.dayOf(at.getTime());
  // Those that began yesterday may last still.
  for (const day of [addDays(today, -1), today]) {
    const from = momentOf(clock, day, quiet_from);
    const to = momentOf(clock, quiet_to > quiet_from ? day : addDays(day, 1), quiet_to);
    if (from <= at.getTime() && at.getTime() < to) return new Date(to);
  }
  return undefined;
}
