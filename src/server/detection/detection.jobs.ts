import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
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

export const detectionJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'detection.suspects', everyMinutes: 1, run: () => findSuspects(openDatabase(pool), { now: new Date() }) },
  { name: 'detection.purge', everyMinutes: 60, offsetMinutes: 47, run: () => purgeDetection(openDatabase(pool)) },
];
