import { eq, sql } from 'drizzle-orm';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { claim } from '../kit/jobs/leased-rows.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Storages } from './storages/storage.ts';
import { storageFault } from './storages/storage-fault.ts';
import { storageById } from './storages/storages.reads.ts';
import { storage_removal } from './storages/storages.table.ts';

const atOnce = 50;

type Due = { id: number; storage_id: number; object_key: string; attempts: number };

/**
 * Takes away the objects that are due, each from its own storage. One that fails is tried again, later each time, at last once a day.
 * @returns how many are gone
 */
export async function removeDueObjects(db: Database, storages: Storages, log: Log): Promise<number> {
  let removed = 0;
  // Claimed before the storage is asked: an upload that comes to its end now sees that its object is lost.
  const due = await claim<Due>(db, {
    table: 'storage_removal',
    due: sql`SELECT id FROM storage_removal WHERE due_at <= now() ORDER BY due_at LIMIT ${atOnce}`,
    set: sql`attempts = attempts + 1, due_at = now() + least(power(2, least(attempts, 11)), 1440) * interval '1 minute'`,
    returning: sql`storage_removal.id, storage_id, object_key, attempts`,
  });
  for (const { id, storage_id, object_key, attempts } of due) {
    try {
      const row = await storageById(db, storage_id);
      if (!row) continue;
      await (await storages.of(row)).remove(object_key);
      await db.delete(storage_removal).where(eq(storage_removal.id, id));
      removed += 1;
    } catch (error) {
      log.warn({ storage_id, object_key, attempts, error: storageFault(error) }, 'an object could not be removed; it is tried again');
    }
  }
  return removed;
}

export const uploadJobs = (db: Database, storages: Storages, log: Log): RecurringJob[] => [
  { name: 'storage.clean', everyMinutes: 1, run: () => removeDueObjects(db, storages, log) },
];
