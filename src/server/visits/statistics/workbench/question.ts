import { and, eq, type SQL } from 'drizzle-orm';
import {
  type Comparison,
  maxStatisticsDays,
  type StatisticsStep,
  type VisitFilters,
} from '../../../../contract/visits/historical-statistics.ts';
import type { Context } from '../../../kit/calls/context.ts';
import { invalidField } from '../../../kit/calls/errors.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { isOneOf } from '../../../kit/rows/list.ts';
import { addDays, daysBetween, type SiteClock, siteClock } from '../../../kit/visits/site-clock.ts';
import { live_code } from '../../../live-codes/live-codes.table.ts';
import { hasOpenFigures, lockedCode, refuseLockedFigures } from '../../../orders/over-quota.public.ts';
import { storeOf } from '../../clickhouse/visit-stores.ts';
import type { Span } from '../spans.ts';
import { hiddenOf } from '../visible.ts';
import { namesCodes, weekdayOf } from './dimensions.ts';
import type { Question } from './store.ts';

export type { Question } from './store.ts';

type Input = {
  from: string;
  to: string;
  live_code_ids?: number[] | undefined;
  group_id?: number | undefined;
  owner_id?: number | undefined;
  filters?: VisitFilters | undefined;
};
type Days = { from: string; to: string };

type Picked = Pick<Input, 'live_code_ids' | 'group_id' | 'owner_id' | 'filters'>;

/** The codes that the caller asks for of those that he may see, also those whose figures are locked to him. */
export const askedCodes = ({ scope }: Pick<Context, 'scope'>, { live_code_ids, group_id, owner_id }: Picked): SQL | undefined =>
  and(
    scope.sees(live_code.owner_id),
    live_code_ids && live_code_ids.length > 0 ? isOneOf(live_code.id, live_code_ids) : undefined,
    group_id === undefined ? undefined : eq(live_code.group_id, group_id),
    owner_id === undefined ? undefined : eq(live_code.owner_id, owner_id),
  );

/** What may be one code's alone. */
const isNarrow = ({ live_code_ids = [], group_id, filters = {} }: Picked): boolean =>
  live_code_ids.length > 0 || group_id !== undefined || namesCodes.some((dimension) => filters[dimension] !== undefined);

/**
 * The codes that the caller may see, or those of them that he picked. Sums over all of a user's codes count those whose figures are locked;
 * as soon as he narrows them down they are left out, so that no filter tells a code's own.
 */
export const pickedCodes = (context: Pick<Context, 'scope'>, picked: Picked): SQL | undefined =>
  and(askedCodes(context, picked), isNarrow(picked) ? hasOpenFigures(context.scope) : undefined);

export function spanOf({ from, to }: Days, clock: SiteClock): Span {
  if (from > to) throw invalidField('to', 'invalid');
  if (addDays(from, maxStatisticsDays) <= to) throw invalidField('from', 'invalid');
  return { from: clock.startOf(from), to: clock.startOf(addDays(to, 1)) };
}

/** @throws AppError 409 where the figures of a code that is picked are locked to the caller */
export async function questionOf(input: Input, context: Pick<Context, 'db' | 'scope' | 'settings'>): Promise<Question> {
  await refuseLockedFigures(input.live_code_ids ?? [], context);
  const { time_zone } = await context.settings();
  const span = spanOf(input, siteClock(time_zone));
  const asked = { span, time_zone, filters: input.filters ?? {}, isAskedAgain: true };
  // Mostly none is locked, and statements are spared from finding out, each for itself.
  const codes = askedCodes(context, input);
  if (!(await lockedCode(context.db, codes, context.scope))) return askOf(context.db, { ...asked, codes });
  return askOf(context.db, { ...asked, codes: pickedCodes(context, input), open: hasOpenFigures(context.scope) });
}

/** A question about codes whose seeing is settled. */
export async function askOf(db: Database, asked: Pick<Question, 'codes' | 'span' | 'time_zone'> & Partial<Question>): Promise<Question> {
  const [store, hidden] = [await storeOf(db), await hiddenOf(db, asked.codes, asked.span)];
  return { filters: {}, ...asked, store, clock: siteClock(asked.time_zone), hidden };
}

const lengthOf = ({ from, to }: Days): number => daysBetween(from, to).length;

/** The same date of the year before; of 29 February the 28th. */
function yearBefore(day: string): string {
  const date = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return date.endsWith('-02-29') ? date.replace(/29$/, '28') : date;
}

/** The days that a range is compared with. */
export function daysBefore({ from, to }: Days, comparison: Comparison): Days {
  if (comparison === 'year') return { from: yearBefore(from), to: yearBefore(to) };
  const back = comparison === 'week' ? 7 : lengthOf({ from, to });
  return { from: addDays(from, -back), to: addDays(to, -back) };
}

/**
 * The other period, cut where the range is not over yet: both then go from their beginning to the same time of day, so that a day that has
 * just begun is not compared with a whole one.
 */
export function spanBefore(days: Days, comparison: Comparison, now: Date, clock: SiteClock): Span {
  const before = daysBefore(days, comparison);
  const whole = { from: clock.startOf(before.from), to: clock.startOf(addDays(before.to, 1)) };
  const today = clock.dayOf(now.getTime());
  if (now.getTime() >= clock.startOf(addDays(days.to, 1))) return whole;
  if (today < days.from) return { from: whole.from, to: whole.from };
  const sameDay = addDays(before.from, daysBetween(days.from, today).length - 1);
  const [start, end] = [clock.startOf(sameDay), clock.startOf(addDays(sameDay, 1))];
  return { from: whole.from, to: Math.min(start + (now.getTime() - clock.startOf(today)), end, whole.to) };
}

/** Up to so many days are told by hour, then by day, and a long range by week, where nobody asks for another step. */
const hourlyDays = 2;
const dailyDays = 120;

export function stepFor(days: Days, asked: StatisticsStep | undefined): StatisticsStep {
  const length = lengthOf(days);
  if (asked === 'hour' && length > 31) return 'day';
  return asked ?? (length <= hourlyDays ? 'hour' : length <= dailyDays ? 'day' : 'week');
}

const isFirstOf = { day: () => true, week: (day: string) => weekdayOf(day) === 1, month: (day: string) => day.endsWith('-01') } as const;

/** The starts of a range's steps; the first and the last week or month may be parts. */
export function startsOf({ from, to }: Days, step: StatisticsStep, clock: SiteClock): number[] {
  const days = daysBetween(from, to);
  if (step === 'hour') return days.flatMap((day) => clock.hoursOf(day));
  return days.filter((day) => day === from || isFirstOf[step](day)).map((day) => clock.startOf(day));
}
