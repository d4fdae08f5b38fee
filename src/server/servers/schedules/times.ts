import { Cron } from 'croner';
import { invalidField } from '../../kit/calls/errors.ts';
import { siteClock } from '../../kit/visits/site-clock.ts';

const hourLength = 3_600_000;
/** More than clocks are ever set forward or back. */
const maxJump = 3 * hourLength;
const parts = ['minute', 'hour', 'day', 'month', 'weekday'] as const;

const parse = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, mode: '5-part', paused: true });

/** Which of the five fields cannot be read; undefined where all can. */
function faultyPart(cron: string): (typeof parts)[number] | undefined {
  const given = cron.split(/ +/);
  return parts.find((_, at) => {
    try {
      parse(parts.map((_part, index) => (index === at ? given[index] : '*')).join(' '), 'UTC');
      return false;
    } catch {
      return true;
    }
  });
}

/**
 * Of an expression that names hours: they are what clocks show. Where those skip an hour it comes as much later, where they repeat one it
 * comes the first time, so that what is meant for a day is done once on each.
 */
function timesByClock(cron: string, time_zone: string, after: number, number: number): number[] {
  const clock = siteClock(time_zone);
  const shown = parse(cron, 'UTC');
  const found = new Set<number>();
  const startOfHour = Date.parse(`${clock.dayOf(after)}T00:00:00Z`) + clock.clockHourOf(after) * hourLength;
  // What stands later on clocks may come earlier by as much as they jump.
  let end = Number.POSITIVE_INFINITY;
  for (let at = shown.nextRun(new Date(startOfHour - maxJump)); at && at.getTime() <= end; at = shown.nextRun(at)) {
    const day = at.toISOString().slice(0, 10);
    const time = clock.startOf(day, (at.getTime() - Date.parse(`${day}T00:00:00Z`)) / hourLength);
    if (time > after) found.add(time);
    if (found.size >= number && end === Number.POSITIVE_INFINITY) end = at.getTime() + maxJump;
  }
  return [...found].toSorted((one, other) => one - other).slice(0, number);
}

/** The first moments after `after` that a readable expression means, at most so many; those for every hour count hours that pass. */
export function nextTimes(cron: string, time_zone: string, after: Date, number: number): Date[] {
  const [, hours = ''] = cron.split(/ +/);
  if (hours.includes('*')) return parse(cron, time_zone).nextRuns(number, after);
  return timesByClock(cron, time_zone, after.getTime(), number).map((time) => new Date(time));
}

/** The same of what was typed: refuses what cannot be read, and what never comes. */
export function timesOf(cron: string, time_zone: string, after: Date, number: number): Date[] {
  const part = faultyPart(cron);
  if (part) throw invalidField('cron', `cron_${part}`);
  const times = nextTimes(cron, time_zone, after, number);
  if (times.length === 0) throw invalidField('cron', 'cron_never');
  return times;
}
