import type pg from 'pg';
import { isBucketAddress } from '../kit/bucket-address.ts';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { notifyAdministrators } from '../kit/messages/notify.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { removeLeftParts } from './archive/parts.ts';
import type { Made } from './backup.ts';
import { reasonOf, runApart, wasInterrupted } from './child.ts';
import { drillWhenDue, makeDrill } from './drills/drill.jobs.ts';
import { backupsAmong, type Found, newestAmong, openPlace } from './places.ts';
import { lastDue } from './runs/due.ts';
import { noteSchedule, recordRun, runOf } from './runs/runs.ts';

const [day, week] = [86_400_000, 7 * 86_400_000];

export type Schedule = {
  /** Where backups go. */
  place: string;
  /** From one to the next. */
  hours: number;
  /** So many of the newest stay, and the newest of each of so many weeks. */
  keep: number;
  weeks: number;
  /** Writes a backup there. */
  make: (place: string) => Promise<Omit<Made, 'path'>>;
};
type At = { now: Date; time_zone: string };

/** What goes: whole backups that neither the number nor the weeks keep, and what a killed one left a day ago. */
export function backupsToRemove(found: readonly Found[], { keep, weeks }: Pick<Schedule, 'keep' | 'weeks'>, now: Date): string[] {
  const whole = found.filter(({ isPart }) => !isPart);
  const newestOfWeek = new Map<number, string>();
  for (const { name, at } of whole) {
    const own = Math.floor((at + 3 * day) / week);
    if (!newestOfWeek.has(own) && newestOfWeek.size < weeks) newestOfWeek.set(own, name);
  }
  const kept = new Set([...whole.slice(0, keep).map(({ name }) => name), ...newestOfWeek.values()]);
  return found.filter(({ name, at, isPart }) => (isPart ? at < now.getTime() - day : !kept.has(name))).map(({ name }) => name);
}

/**
 * Makes a backup where one is due, and removes those that need not be kept; never one before a new one is whole. What fails is told to all
 * administrators, once each time that one is due: `told` remembers for which it was.
 */
export async function backUpWhenDue(db: Database, schedule: Schedule, at: At, told: Set<number>): Promise<boolean> {
  const due = await lastDue(db, schedule.hours, at);
  const run = runOf('backup', at.now);
  const place = openPlace(schedule.place);
  try {
    const newest = newestAmong(await place.list());
    if (newest && newest.at >= due) return false;
    const { name, ...made } = await schedule.make(schedule.place);
    await recordRun(db, { ...run(), ...made, file_name: name, outcome: 'good' });
    for (const name of backupsToRemove(backupsAmong(await place.list()), schedule, at.now)) await place.remove(name);
    return true;
  } catch (error) {
    if (!told.has(due) && !wasInterrupted(error)) {
      const reason = reasonOf(error);
      await recordRun(db, { ...run(), file_name: '', outcome: 'failed', message: reason });
      await transact(db, (tx) =>
        notifyAdministrators(tx, {
          words: ({ say }) => ({
            title: say('push_text.backup_failed.title'),
            content: say('push_text.backup_failed.content', { folder: schedule.place, reason }),
          }),
        }),
      );
      told.add(due);
    }
    throw error;
  } finally {
    place.close();
  }
}

/** A process of its own: it needs memory that the worker would keep. */
export const makeBackup = (dataDir: string, place: string): Promise<Made> =>
  runApart(new URL('./backup.main.ts', import.meta.url), dataDir, [place]);

type Options = {
  pool: pg.Pool;
  dataDir: string;
  backupPlace: string | undefined;
  backupHours: string;
  backupsKept: number;
  backupWeeks: number;
  backupRecipients: readonly string[];
  masterKey: Buffer | undefined;
  log: Log;
};

/**
 * Several times an hour a look whether a backup or a drill is due: one that failed is tried again. Either may take hours, and has the disk
 * for itself: they are jobs of a loop of their own.
 */
export function backupJobs(options: Options): RecurringJob[] {
  const { pool, dataDir, backupPlace, backupHours, backupsKept, backupWeeks, log } = options;
  if (!backupPlace) return [];
  const isKeyless = options.backupRecipients.length === 0 && !process.env.LIVECODE_BACKUP_PASSPHRASE && !options.masterKey;
  if (isKeyless)
    log.warn(
      {},
      'backups are not encrypted, so the master key is not in them: set LIVECODE_BACKUP_RECIPIENTS, or keep master.key elsewhere',
    );
  // What a backup left that was killed with its worker goes now; the next backup would find it, too.
  if (!isBucketAddress(backupPlace))
    removeLeftParts(backupPlace).catch((error) => log.warn({ error: String(error) }, 'left backups were not looked for'));
  const make = (place: string) => makeBackup(dataDir, place);
  const schedule = { place: backupPlace, hours: Number(backupHours), keep: backupsKept, weeks: backupWeeks, make };
  const told = new Set<number>();
  const db = openDatabase(pool);
  const note = (now: Date) => noteSchedule(db, { now, hours: schedule.hours, isKeyless });
  // Whoever has just set the place sees that it is known.
  note(new Date()).catch((error) => log.warn({ error: String(error) }, 'the schedule of backups could not be noted'));
  const backUp = async () => {
    const at = { now: new Date(), ...(await readSettings(pool)) };
    await note(at.now);
    return backUpWhenDue(db, schedule, at, told);
  };
  const drill = async () => {
    const at = { now: new Date(), time_zone: (await readSettings(pool)).time_zone };
    return drillWhenDue(db, { place: backupPlace, drill: (address, sha256) => makeDrill(dataDir, address, sha256) }, at);
  };
  return [
    { name: 'backup.scheduled', everyMinutes: 20, offsetMinutes: 17, run: backUp },
    { name: 'backup.drill', everyMinutes: 20, offsetMinutes: 7, run: drill },
  ];
}
