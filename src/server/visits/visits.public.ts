import { and, type SQL, sql } from 'drizzle-orm';
import type { qrCodeList } from '../../contract/codes/qr-code-list.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import type { SeriesPoint } from '../../contract/visits/statistics.ts';
import type { Scope } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { addDays, daysBetween, type SiteClock, siteClock } from '../kit/visits/site-clock.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { hasOpenFigures } from '../orders/over-quota.public.ts';
import { breakdownsOf, type Sums, seriesOf, sumOf, type TopCode, topCodes } from './statistics/figures.ts';
import { hourCounts } from './statistics/hour-counts.ts';
import { todayFigures } from './statistics/today.ts';
import { passed, visibleHours, visibleKeys, visibleTargets } from './statistics/visible.ts';
import { askOf } from './statistics/workbench/question.ts';

export { addDays, type SiteClock, siteClock } from '../kit/visits/site-clock.ts';
export { codeAddresses } from './visitors/addresses.ts';

/** The moment of a call and the site's time zone, which say what "today" is. */
export type SiteTime = { now: Date; time_zone: string };
export type VisitCounts = { visits: number; ips: number };

const maxRangeDays = 400;
/** Ranges of so many days are shown by hour. */
const hourlyDays = 2;

const ofCodes = (ids: readonly number[]): SQL => isOneOf(live_code.id, ids);

/** Hours from the first one that can have visits; totals of codes whose history was cleared are summed from there. */
const truncate = Date.parse('2000-01-01T00:00:00Z');

async function countsOf(
  db: Database,
  ids: readonly number[],
  clock: SiteClock,
  from: number,
  to: number,
): Promise<Map<number, VisitCounts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<VisitCounts & { live_code_id: number }>(sql`
    SELECT live_code_id::float8 AS live_code_id, sum(visits)::float8 AS visits, sum(ips)::float8 AS ips
    FROM ${visibleHours(ofCodes(ids), { from, to }, clock)} AS visible WHERE outcome = ${passed} GROUP BY live_code_id`);
  return new Map(rows.map(({ live_code_id, visits, ips }) => [live_code_id, { visits, ips }]));
}

/** Visits and addresses (unique a day, summed over days) of each code since its history begins; codes without visits are left out. */
export async function codeTotals(db: Database, ids: readonly number[], { now, time_zone }: SiteTime): Promise<Map<number, VisitCounts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<VisitCounts & { id: number; is_cleared: boolean }>(sql`
    SELECT ${live_code.id}::float8 AS id, ${live_code.visible_from} IS NOT NULL AS is_cleared,
      coalesce(total.visits, 0)::float8 AS visits, coalesce(total.ips, 0)::float8 AS ips
    FROM ${live_code} LEFT JOIN live_code_total AS total ON total.live_code_id = ${live_code.id} WHERE ${ofCodes(ids)}`);
  const whole = rows.filter(({ is_cleared, visits }) => !is_cleared && visits > 0);
  const cleared = rows.filter(({ is_cleared }) => is_cleared).map(({ id }) => id);
  const clock = siteClock(time_zone);
  const totals = await countsOf(db, cleared, clock, clock.hourOf(truncate), clock.startOf(addDays(clock.dayOf(now.getTime()), 2)));
  for (const { id, visits, ips } of whole) totals.set(id, { visits, ips });
  return totals;
}

/** Counts by hour since a moment, and since the history of each code begins, as a subquery: live_code_id, hour, outcome, visits, ips, new_ips. */
export const countsSince = (codes: SQL, since?: Date): SQL =>
  hourCounts('visit_hour', codes, { from: since?.getTime() ?? truncate, to: Date.UTC(9999) });

/** Today's visits and addresses of each code; codes without visits are left out. */
export function todayByCode(db: Database, ids: readonly number[], { now, time_zone }: SiteTime): Promise<Map<number, VisitCounts>> {
  const clock = siteClock(time_zone);
  const today = clock.dayOf(now.getTime());
  return countsOf(db, ids, clock, clock.startOf(today), clock.startOf(addDays(today, 1)));
}

/** A code's counts of a range of the site's days, both included, open where an end is null. */
export async function rangeCounts(
  db: Database,
  id: number,
  { from, to }: { from: string | null; to: string | null },
  { now, time_zone }: SiteTime,
): Promise<VisitCounts> {
  const clock = siteClock(time_zone);
  const start = from === null ? truncate : clock.startOf(from);
  const end = clock.startOf(addDays(to ?? clock.dayOf(now.getTime()), 1));
  return (await countsOf(db, [id], clock, start, end)).get(id) ?? { visits: 0, ips: 0 };
}

/** The hours of today that have begun. */
async function todaySeries(db: Database, codes: SQL | undefined, { now, time_zone }: SiteTime): Promise<SeriesPoint[]> {
  const clock = siteClock(time_zone);
  const today = clock.dayOf(now.getTime());
  const begun = clock.hoursOf(today).filter((start) => start <= now.getTime());
  return seriesOf(db, codes, begun, clock.startOf(addDays(today, 1)), clock);
}

type CodeStatistics = OutputOf<(typeof qrCodeList)['calls']['statistics']>;

/**
 * One code's statistics of a range of the site's days, both included; without one, of the last seven. Up to two days are told by hour.
 * Whether the caller may see the code must be settled before. Steps that lie ahead are left out.
 */
export async function codeStatistics(
  db: Database,
  { id, from: fromDay, to: toDay }: { id: number; from?: string; to?: string },
  { now, time_zone }: SiteTime,
): Promise<CodeStatistics> {
  const clock = siteClock(time_zone);
  const to = toDay ?? later(clock.dayOf(now.getTime()), fromDay);
  const from = fromDay ?? addDays(to, -6);
  const days = checkedDays(from, to);
  const step = days.length <= hourlyDays ? 'hour' : 'day';
  const starts = step === 'hour' ? days.flatMap((day) => clock.hoursOf(day)) : days.map((day) => clock.startOf(day));
  const span = { from: clock.startOf(from), to: clock.startOf(addDays(to, 1)) };
  const codes = ofCodes([id]);
  const begun = starts.filter((start) => start <= now.getTime());
  const series = await seriesOf(db, codes, begun, span.to, clock);
  const breakdowns = await breakdownsOf(db, await askOf(db, { codes, span, time_zone }));
  const { rows: targets } = await db.execute<{ target_id: number; name: string; visits: number; presses: number }>(sql`
    SELECT live_code_target.id::float8 AS target_id, live_code_target.name, coalesce(sum(counted.visits), 0)::float8 AS visits,
      coalesce(sum(counted.presses), 0)::float8 AS presses
    FROM live_code_target LEFT JOIN ${visibleTargets(codes, span, clock)} AS counted ON counted.target_id = live_code_target.id
    WHERE live_code_target.live_code_id = ${id} GROUP BY live_code_target.id ORDER BY live_code_target.sort DESC, live_code_target.id`);
  return { from, to, step, totals: sumOf(series), series, breakdowns, targets };
}

/** Visits of a code by alias (`live_code_key`), those of aliases that are gone included; without days since its history begins. */
export async function visitsByAlias(
  db: Database,
  id: number,
  { from = null, to = null }: { from?: string | null; to?: string | null },
  { now, time_zone }: SiteTime,
): Promise<Map<number, number>> {
  const clock = siteClock(time_zone);
  const span = {
    from: from === null ? clock.hourOf(truncate) : clock.startOf(from),
    to: clock.startOf(addDays(to ?? clock.dayOf(now.getTime()), 1)),
  };
  const { rows } = await db.execute<{ key_id: number; visits: number }>(sql`
    SELECT key_id::float8 AS key_id, sum(visits)::float8 AS visits FROM ${visibleKeys(ofCodes([id]), span, clock)} AS visible
    WHERE key_id IS NOT NULL GROUP BY key_id`);
  return new Map(rows.map(({ key_id, visits }) => [key_id, visits]));
}

type CodeFigures = OutputOf<(typeof qrCodeList)['calls']['figures']>;
const figuresDays = 30;

/** One code's figures of today, the last 7 and the last 30 days against those before. Whether the caller may see it must be settled before. */
export async function codeFigures(db: Database, id: number, time: SiteTime): Promise<CodeFigures> {
  const codes = ofCodes([id]);
  const { clock, day, end, sums, before } = await todayFigures(db, codes, time);
  const starts = daysBetween(addDays(day, 1 - 2 * figuresDays), day).map((one) => clock.startOf(one));
  const days = await seriesOf(db, codes, starts, end, clock);
  const last = (number: number) => ({ now: sumOf(days.slice(-number)), before: sumOf(days.slice(-2 * number, -number)) });
  const today = { now: sums, before };
  return { now: time.now.toISOString(), today, last_7: last(7), last_30: last(figuresDays), days: days.slice(-figuresDays) };
}

/** Today's figures of the codes that a user sees, yesterday's up to the same time, and those with most visits of which he is told. */
export async function todaySummary(
  db: Database,
  scope: Scope,
  time: SiteTime,
  limit: number,
): Promise<{ day: string; today: Sums; yesterday: Sums; top: TopCode[] }> {
  const codes = scope.sees(live_code.owner_id);
  const { clock, day, start, end, sums, before } = await todayFigures(db, codes, time);
  return {
    day,
    today: sums,
    yesterday: before,
    top: await topCodes(db, and(codes, hasOpenFigures(scope)), { from: start, to: end }, clock, limit),
  };
}

const later = (a: string, b: string | undefined): string => (b !== undefined && b > a ? b : a);

function checkedDays(from: string, to: string): string[] {
  if (from > to) throw invalidField('to', 'invalid');
  if (addDays(from, maxRangeDays) <= to) throw invalidField('from', 'invalid');
  return daysBetween(from, to);
}

export type SharedFigures = {
  view_number: number;
  ip_view_number: number;
  today_view_number: number;
  today_ip_view_number: number;
  /** Today by hour. */
  series: SeriesPoint[];
};

/** What the page of a shared code shows. */
export async function sharedFigures(db: Database, id: number, time: SiteTime): Promise<SharedFigures> {
  const total = (await codeTotals(db, [id], time)).get(id);
  const series = await todaySeries(db, ofCodes([id]), time);
  const today = sumOf(series);
  return {
    view_number: total?.visits ?? 0,
    ip_view_number: total?.ips ?? 0,
    today_view_number: today.visits,
    today_ip_view_number: today.ips,
    series,
  };
}
