import { type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../contract/enums.ts';
import type { LiveCode } from '../../contract/live-code.ts';
import type { PublicContext } from '../kit/context.ts';
import { isOneOf } from '../kit/list.ts';
import { settingsOver } from './live-codes.settings.ts';
import { live_code, live_code_total } from './live-codes.table.ts';

export type Figures = Pick<LiveCode, 'view_number' | 'ip_view_number' | 'today_view_number' | 'today_ip_view_number'>;
export const noFigures: Figures = { view_number: 0, ip_view_number: 0, today_view_number: 0, today_ip_view_number: 0 };

/** Visits that passed today, on the site's calendar, and their addresses, of the codes that `which` selects by their id. */
const todayOf = (which: SQL, now: Date, timeZone: string): SQL => sql`(
  SELECT live_code_id, sum(visits) AS visits, sum(ips) AS ips FROM visit_hour
  WHERE live_code_id IN (${which}) AND outcome = ${outcomes.indexOf('passed')}
    AND hour >= (${now.toISOString()}::timestamptz AT TIME ZONE ${timeZone})::date::timestamp AT TIME ZONE ${timeZone}
  GROUP BY live_code_id)`;

/** What a list that sorts by a figure joins, and the figure: exact over all pages. `where` limits the codes whose figures are summed. */
export async function figureSorts(where: SQL | undefined, { db, now }: PublicContext) {
  const { time_zone } = await settingsOver(db);
  const own = sql`SELECT ${live_code.id} FROM ${live_code} WHERE ${where ?? sql`true`}`;
  const total = [live_code_total, sql`${live_code_total.live_code_id} = ${live_code.id}`] as const;
  const today = [sql`${todayOf(own, now, time_zone)} today`, sql`today.live_code_id = ${live_code.id}`] as const;
  return {
    view_number: { join: total, column: sql`coalesce(${live_code_total.visits}, 0)` },
    ip_view_number: { join: total, column: sql`coalesce(${live_code_total.ips}, 0)` },
    today_view_number: { join: today, column: sql`coalesce(today.visits, 0)` },
    today_ip_view_number: { join: today, column: sql`coalesce(today.ips, 0)` },
  };
}

/** The figures of these codes; a code without visits has none. */
export async function figuresOf(ids: readonly number[], { db, now }: PublicContext): Promise<Map<number, Figures>> {
  const { time_zone } = await settingsOver(db);
  const { rows } = await db.execute<Figures & { id: number }>(sql`
    SELECT id, coalesce(total.visits, 0)::bigint AS view_number, coalesce(total.ips, 0)::bigint AS ip_view_number,
      coalesce(today.visits, 0)::bigint AS today_view_number, coalesce(today.ips, 0)::bigint AS today_ip_view_number
    FROM ${live_code}
    LEFT JOIN ${live_code_total} AS total ON total.live_code_id = id
    LEFT JOIN ${todayOf(sql`SELECT unnest(${sql.param([...ids])}::bigint[])`, now, time_zone)} AS today ON today.live_code_id = id
    WHERE ${isOneOf(live_code.id, ids)}`);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}
