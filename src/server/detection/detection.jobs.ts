import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import { findSuspects } from './passive/suspects.ts';

const kept = { evidenceDays: 90, listDays: 30, healthDays: 90, useDays: 40, shareDays: 15, incidentDays: 400 };
const rowsAtOnce = 5_000;

/** What is kept, by table: the column of its moment, and for how many days. A verdict that still holds stays, however old. */
const spans: readonly [table: string, condition: string][] = [
  ['domain_verdict', `last_at < now() - interval '${kept.evidenceDays} days'`],
  ['domain_monitor_hour', `hour < now() - interval '${kept.evidenceDays} days'`],
  ['domain_incident', `ended_at < now() - interval '${kept.incidentDays} days'`],
  ['detector_hour', `hour < now() - interval '${kept.healthDays} days'`],
  ['detector_use', `day < (now() - interval '${kept.useDays} days')::date`],
  ['block_check', `created_at < now() - interval '${kept.listDays} days'`],
  ['domain_visit_share', `at < now() - interval '${kept.shareDays} days'`],
];

/** Forgets what checks found long ago. Answers how many rows. */
export async function purgeDetection(db: Database): Promise<number> {
  let purged = 0;
  for (const [table, condition] of spans) {
    const name = sql.identifier(table);
    for (let removed = rowsAtOnce; removed === rowsAtOnce; purged += removed) {
      const { rowCount } = await db.execute(sql`
        DELETE FROM ${name} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${name} WHERE ${sql.raw(condition)} LIMIT ${rowsAtOnce}))`);
      removed = rowCount ?? 0;
    }
  }
  return purged;
}

/** So long single hours are kept: the line of latency shows the last day. */
const hourlyDays = 2;

/**
 * Puts the hours of days that are long over into one row a day (UTC), each day in a transaction of its own: of ninety days a list reads a
 * row a day instead of twenty-four. Answers how many rows are gone.
 */
export async function rollUpChecks(db: Database, now: Date): Promise<number> {
  let gone = 0;
  const day = sql`date_trunc('day', hour, 'UTC')`;
  const isOld = sql`hour < date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC') - make_interval(days => ${hourlyDays}) AND hour > ${day}`;
  const { rows } = await db.execute<{ day: string }>(
    sql`SELECT DISTINCT ${day} AS day FROM domain_monitor_hour WHERE ${isOld} ORDER BY day`,
  );
  for (const { day: first } of rows)
    await transact(db, async (tx) => {
      const isOfDay = sql`hour > ${first}::timestamptz AND hour < ${first}::timestamptz + interval '1 day'`;
      await tx.execute(sql`
        INSERT INTO domain_monitor_hour (monitor_id, hour, normal, blocked, down, failed)
        SELECT monitor_id, ${first}::timestamptz, sum(normal), sum(blocked), sum(down), sum(failed) FROM domain_monitor_hour
        WHERE ${isOfDay} GROUP BY monitor_id ORDER BY monitor_id
        ON CONFLICT (monitor_id, hour) DO UPDATE SET normal = domain_monitor_hour.normal + excluded.normal,
          blocked = domain_monitor_hour.blocked + excluded.blocked, down = domain_monitor_hour.down + excluded.down,
          failed = domain_monitor_hour.failed + excluded.failed`);
      const { rowCount } = await tx.execute(sql`DELETE FROM domain_monitor_hour WHERE ${isOfDay}`);
      gone += rowCount ?? 0;
    });
  return gone;
}

export const detectionJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'detection.suspects', everyMinutes: 1, run: () => findSuspects(openDatabase(pool), { now: new Date() }) },
  { name: 'detection.roll_up', everyMinutes: 60, offsetMinutes: 37, run: () => rollUpChecks(openDatabase(pool), new Date()) },
  { name: 'detection.purge', everyMinutes: 60, offsetMinutes: 47, run: () => purgeDetection(openDatabase(pool)) },
];
