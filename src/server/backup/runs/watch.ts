import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { backupKinds, maxBackupIntervals, maxDrillDays } from '../../../contract/system/backup.ts';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import { type Database, openDatabase, transact } from '../../kit/postgres/database.ts';
import { backup_run, backup_schedule } from './backup.table.ts';
import { lastGood, readSchedule, type Schedule, tellOfBackups } from './runs.ts';

const [hour, day] = [3_600_000, 86_400_000];
const keptDays = 365;

const patienceOf = ({ hours }: Schedule) => ({ backup: maxBackupIntervals * hours * hour, drill: maxDrillDays * day });
const columns = { backup: 'backup_overdue_at', drill: 'drill_overdue_at' } as const;

/** Tells the platform's owners that there was no good backup, or no good drill, for too long; each once until there is one. */
export async function watchBackups(db: Database, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('backup_schedule'))`);
    const schedule = await readSchedule(tx, now);
    if (!schedule) return;
    for (const kind of backupKinds) {
      const last = Math.max(Date.parse(schedule.since), Date.parse((await lastGood(tx, kind))?.ended_at ?? schedule.since));
      const isOverdue = now.getTime() - last > patienceOf(schedule)[kind];
      if (isOverdue === (schedule[columns[kind]] !== null)) continue;
      await tx
        .update(backup_schedule)
        .set({ [columns[kind]]: isOverdue ? now.toISOString() : null })
        .where(sql`true`);
      if (isOverdue) await tellOfBackups(tx, kind, 'overdue', { name: '', since: new Date(last).toISOString() });
    }
    const kept = sql`SELECT max(id) FROM backup_run WHERE outcome <> 'failed' GROUP BY kind`;
    const before = new Date(now.getTime() - keptDays * day).toISOString();
    await tx.delete(backup_run).where(sql`${backup_run.ended_at} < ${before} AND ${backup_run.id} NOT IN (${kept})`);
  });
}

/** Of every worker: one that makes no backups can still tell that nobody does. */
export const backupWatchJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'backup.watch', everyMinutes: 60, offsetMinutes: 53, run: () => watchBackups(openDatabase(pool), new Date()) },
];
