import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { reasonOf, runApart, wasInterrupted } from '../child.ts';
import { addressIn, newestAmong, openPlace } from '../places.ts';
import { backup_run } from '../runs/backup.table.ts';
import { lastDue, nextDrillAt } from '../runs/due.ts';
import { lastGood, recordRun, runOf } from '../runs/runs.ts';
import type { DrillResult } from './drill.ts';

/** In a process of its own, which stands back behind all others. */
export const makeDrill = (dataDir: string, address: string, sha256: string | undefined): Promise<DrillResult> =>
  runApart(new URL('./drill.main.ts', import.meta.url), dataDir, [address, ...(sha256 ? ['--sha256', sha256] : [])]);

type Means = { place: string; drill: (address: string, sha256: string | undefined) => Promise<DrillResult> };

type Clock = { now: Date; time_zone: string };

/** One that failed is tried again each night. */
async function isDue(db: Database, clock: Clock): Promise<boolean> {
  if ((await nextDrillAt(db, clock.time_zone, await lastGood(db, 'drill'))) > clock.now.getTime()) return false;
  const [last] = await db
    .select({ outcome: backup_run.outcome, began_at: backup_run.began_at })
    .from(backup_run)
    .where(eq(backup_run.kind, 'drill'))
    .orderBy(desc(backup_run.id))
    .limit(1);
  return last?.outcome !== 'failed' || Date.parse(last.began_at) < (await lastDue(db, 24, clock));
}

/** Proves that the newest backup can be restored, where that is due, and keeps and tells what came of it. */
export async function drillWhenDue(db: Database, { place: at, drill }: Means, clock: Clock): Promise<boolean> {
  if (!(await isDue(db, clock))) return false;
  const place = openPlace(at);
  try {
    const file_name = newestAmong(await place.list())?.name;
    if (file_name === undefined) return false;
    const [made] = await db
      .select({ sha256: backup_run.sha256 })
      .from(backup_run)
      .where(and(eq(backup_run.kind, 'backup'), eq(backup_run.file_name, file_name)))
      .orderBy(desc(backup_run.id))
      .limit(1);
    const run = runOf('drill', clock.now);
    try {
      const result = await drill(addressIn(at, file_name), made?.sha256 ?? undefined);
      await recordRun(db, { ...run(), ...result, file_name });
    } catch (error) {
      if (wasInterrupted(error)) throw error;
      await recordRun(db, { ...run(), file_name, outcome: 'failed', message: reasonOf(error) });
    }
    return true;
  } finally {
    place.close();
  }
}
