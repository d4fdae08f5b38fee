import { and, desc, eq, isNull } from 'drizzle-orm';
import { type backup, shownRuns } from '../../../contract/system/backup.ts';
import { recordAct } from '../../kit/calls/audit.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { transact } from '../../kit/postgres/database.ts';
import { backup_run, backup_schedule } from './backup.table.ts';
import { lastDue, nextDrillAt } from './due.ts';
import { lastGood, type Run, readSchedule, type Schedule } from './runs.ts';

const hour = 3_600_000;

/** Both come at their times of the night, or as soon as a worker gets to them where that has passed. */
async function nextRuns({ db, now, settings }: Context, { hours }: Schedule, lastDrill: Run | undefined) {
  const { time_zone } = await settings();
  const isoOf = (at: number) => new Date(Math.max(at, now.getTime())).toISOString();
  const backup_at = (await lastDue(db, hours, { now, time_zone })) + hours * hour;
  return { backup_at: isoOf(backup_at), drill_at: isoOf(await nextDrillAt(db, time_zone, lastDrill)) };
}

export const backupService: Service<typeof backup> = {
  async inquire(_input, context) {
    const { db, now } = context;
    const schedule = await readSchedule(db, now);
    const [last_backup, last_drill] = [await lastGood(db, 'backup'), await lastGood(db, 'drill')];
    return {
      schedule: schedule ? { ...schedule, next: await nextRuns(context, schedule, last_drill) } : null,
      last_backup: last_backup ?? null,
      last_drill: last_drill ?? null,
      runs: await db.select().from(backup_run).orderBy(desc(backup_run.id)).limit(shownRuns),
    };
  },

  keep_key: (_input, context) =>
    transact(context.db, async (tx) => {
      const kept = await tx
        .update(backup_schedule)
        .set({ key_kept_at: context.now.toISOString() })
        .where(and(eq(backup_schedule.is_keyless, true), isNull(backup_schedule.key_kept_at)))
        .returning({ id: backup_schedule.id });
      if (kept.length > 0) await recordAct(tx, context, { type: 'backup/keep_key', content: {} });
      return { affected: kept.length };
    }),
};
