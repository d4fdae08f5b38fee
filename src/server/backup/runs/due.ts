import { sql } from 'drizzle-orm';
import { drillDays } from '../../../contract/system/backup.ts';
import type { Database } from '../../kit/postgres/database.ts';

/** The first of a day is made in the night of the site's time zone, after the ledger was verified. */
const nightlyHour = 4;

/** When the next drill is due: the first at once, then once a week in the night. */
export async function nextDrillAt(db: Database, time_zone: string, last: { ended_at: string } | undefined): Promise<number> {
  if (!last) return 0;
  return (await lastDue(db, 24, { now: new Date(last.ended_at), time_zone })) + drillDays * 24 * 3_600_000;
}

/** When the newest backup that there should be was due. */
export async function lastDue(db: Database, hours: number, { now, time_zone }: { now: Date; time_zone: string }): Promise<number> {
  const toNight = sql`make_interval(hours => ${nightlyHour})`;
  const { rows } = await db.execute<{ at: Date }>(
    sql`SELECT (((${now.toISOString()}::timestamptz AT TIME ZONE ${time_zone}) - ${toNight})::date + ${toNight}) AT TIME ZONE ${time_zone} AS at`,
  );
  const night = new Date(rows[0]?.at ?? 0).getTime();
  const interval = hours * 3_600_000;
  return night + Math.floor((now.getTime() - night) / interval) * interval;
}
