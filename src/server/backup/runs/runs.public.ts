// What the start page tells administrators of backups.
import { desc } from 'drizzle-orm';
import { type BackupKind, backupKinds } from '../../../contract/system/backup.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { backup_run } from './backup.table.ts';
import { readSchedule } from './runs.ts';

export type BackupFaults = {
  /** What failed last, and has not succeeded since. */
  failed: { kind: BackupKind; at: string }[];
  overdue: { kind: BackupKind; at: string }[];
  /** The backups do not hold the master key, and nobody said that it is kept elsewhere. */
  isKeyless: boolean;
};

export async function readBackupFaults(db: Database, now: Date): Promise<BackupFaults> {
  const schedule = await readSchedule(db, now);
  if (!schedule) return { failed: [], overdue: [], isKeyless: false };
  const last = await db
    .selectDistinctOn([backup_run.kind], { kind: backup_run.kind, at: backup_run.ended_at, outcome: backup_run.outcome })
    .from(backup_run)
    .orderBy(backup_run.kind, desc(backup_run.id));
  const failed = last.filter(({ outcome }) => outcome === 'failed');
  const overdueAt = { backup: schedule.backup_overdue_at, drill: schedule.drill_overdue_at };
  const overdue = backupKinds.flatMap((kind) => {
    const at = overdueAt[kind];
    return at === null || failed.some((one) => one.kind === kind) ? [] : [{ kind, at }];
  });
  return { failed, overdue, isKeyless: schedule.is_keyless && schedule.key_kept_at === null };
}
