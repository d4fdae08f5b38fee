import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { type BackupKind, maxDrillDays } from '../../../contract/system/backup.ts';
import { platformOwners } from '../../detection/detection.public.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { backup_run, backup_schedule } from './backup.table.ts';

export type Run = typeof backup_run.$inferSelect;
export type NewRun = Omit<typeof backup_run.$inferInsert, 'id'>;
export type Schedule = typeof backup_schedule.$inferSelect;

const failedEvent = { backup: 'backup.failed', drill: 'backup.drill_failed' } as const;
const overdueEvent = { backup: 'backup.overdue', drill: 'backup.drill_overdue' } as const;

/** How long one took whose record is made when it has ended, begun at a moment of the caller's clock. */
export function runOf(kind: BackupKind, now: Date): () => Pick<NewRun, 'kind' | 'began_at' | 'ended_at'> {
  const startedAt = performance.now();
  const later = () => new Date(now.getTime() + performance.now() - startedAt).toISOString();
  return () => ({ kind, began_at: now.toISOString(), ended_at: later() });
}

/** Tells the platform's owners what became of backups or drills. */
export async function tellOfBackups(
  tx: Database,
  kind: BackupKind,
  what: 'failed' | 'overdue',
  data: Record<string, unknown>,
): Promise<void> {
  const type = (what === 'failed' ? failedEvent : overdueEvent)[kind];
  const owners = await platformOwners(tx);
  await emitEvents(
    tx,
    owners.map((owner_id) => ({ type, owner_id, data })),
  );
}

/** Keeps what became of a backup or drill, and tells of a failure. */
export const recordRun = (db: Database, run: NewRun): Promise<void> =>
  transact(db, async (tx) => {
    await tx.insert(backup_run).values(run);
    if (run.outcome === 'failed') await tellOfBackups(tx, run.kind, 'failed', { name: run.file_name, reason: run.message });
  });

/** The last backup or drill that found nothing wrong. */
export async function lastGood(db: Database, kind: BackupKind): Promise<Run | undefined> {
  const where = and(eq(backup_run.kind, kind), ne(backup_run.outcome, 'failed'));
  const [row] = await db.select().from(backup_run).where(where).orderBy(desc(backup_run.id)).limit(1);
  return row;
}

/**
 * Notes how a worker makes backups. A schedule that nobody kept for long begins anew: what was overdue then says nothing of it. Where the key
 * comes into the backups, what was said of it is over.
 */
export async function noteSchedule(
  db: Database,
  { now, hours, isKeyless }: { now: Date; hours: number; isKeyless: boolean },
): Promise<void> {
  const at = now.toISOString();
  await db
    .insert(backup_schedule)
    .values({ since: at, seen_at: at, hours, is_keyless: isKeyless })
    .onConflictDoUpdate({
      target: backup_schedule.id,
      set: {
        since: sql`CASE WHEN ${isKept(now)} THEN ${backup_schedule.since} ELSE excluded.since END`,
        seen_at: sql`excluded.seen_at`,
        hours,
        is_keyless: isKeyless,
        key_kept_at: sql`CASE WHEN excluded.is_keyless THEN ${backup_schedule.key_kept_at} END`,
      },
    });
}

/** Whether a worker kept the schedule lately: that of a site which ended its backups is forgotten, after its administrators were told. */
const isKept = (now: Date) => sql`${backup_schedule.seen_at} > ${now.toISOString()}::timestamptz - make_interval(days => ${maxDrillDays})`;

export async function readSchedule(db: Database, now: Date): Promise<Schedule | undefined> {
  const [row] = await db.select().from(backup_schedule).where(isKept(now));
  return row;
}
