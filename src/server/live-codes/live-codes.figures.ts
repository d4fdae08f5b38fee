import { type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../contract/enums.ts';
import type { LiveCode } from '../../contract/live-code.ts';
import type { Database } from '../kit/database.ts';
import { codeTotals, type SiteTime, siteClock, todayByCode } from '../visits/visits.reads.ts';
import { live_code, live_code_total } from './live-codes.table.ts';

type Figures = Pick<LiveCode, 'view_number' | 'ip_view_number' | 'today_view_number' | 'today_ip_view_number'>;

/** The figures of each of these codes. */
export async function figuresOf(db: Database, ids: readonly number[], time: SiteTime): Promise<(id: number) => Figures> {
  const totals = await codeTotals(db, ids, time);
  const today = await todayByCode(db, ids, time);
  return (id) => ({
    view_number: totals.get(id)?.visits ?? 0,
    ip_view_number: totals.get(id)?.ips ?? 0,
    today_view_number: today.get(id)?.visits ?? 0,
    today_ip_view_number: today.get(id)?.ips ?? 0,
  });
}

/** Visits that passed and their addresses by code, of the codes for which `where` holds, from the moment on and since their history begins. */
const passedSince = (where: SQL, since: Date): SQL => sql`(
  SELECT ${live_code.id} AS live_code_id, sum(visits) AS visits, sum(ips) AS ips
  FROM ${live_code} JOIN visit_hour ON visit_hour.live_code_id = ${live_code.id}
  WHERE ${where} AND outcome = ${outcomes.indexOf('passed')} AND hour >= ${since.toISOString()}
    AND (${live_code.visible_from} IS NULL OR hour >= ${live_code.visible_from})
  GROUP BY ${live_code.id})`;

/**
 * What a list joins to sort by each figure, and the figure itself, so that the order is exact over all pages.
 * @param where the codes whose figures are needed
 */
export function figureSorts(where: SQL, { now, time_zone }: SiteTime) {
  const clock = siteClock(time_zone);
  const midnight = new Date(clock.startOf(clock.dayOf(now.getTime())));
  const today = [sql`${passedSince(where, midnight)} AS today`, sql`today.live_code_id = ${live_code.id}`] as const;
  // All-time totals say nothing of a history that was cleared; those codes are few and are summed by the hour.
  const cleared = sql`${passedSince(sql`${where} AND ${live_code.visible_from} IS NOT NULL`, new Date(0))}`;
  const totals = sql`(
    SELECT total.live_code_id, total.visits, total.ips FROM ${live_code_total} AS total
      JOIN ${live_code} ON ${live_code.id} = total.live_code_id WHERE ${where} AND ${live_code.visible_from} IS NULL
    UNION ALL SELECT * FROM ${cleared} AS cleared)`;
  const total = [sql`${totals} AS total`, sql`total.live_code_id = ${live_code.id}`] as const;
  return {
    view_number: { join: total, column: sql`coalesce(total.visits, 0)` },
    ip_view_number: { join: total, column: sql`coalesce(total.ips, 0)` },
    today_view_number: { join: today, column: sql`coalesce(today.visits, 0)` },
    today_ip_view_number: { join: today, column: sql`coalesce(today.ips, 0)` },
  };
}
