import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Language } from '../../contract/enums.ts';
import { isBucketAddress } from '../kit/bucket-address.ts';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { tellAdministrators } from '../kit/messages/administrators.ts';
import { translate } from '../kit/messages/messages.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import { runningPostgres } from '../kit/postgres/postgres-address.ts';
import { readSettings } from '../settings/settings.public.ts';
import { removeLeftParts } from './archive/parts.ts';
import { openBucket } from './bucket.ts';

/** The first of a day is made in the night of the site's time zone, after the ledger was verified. */
const nightlyHour = 4;
const backupName = /^livecode-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar\.zst(?:\.age)?(\.\d+(?:@[^/]+)?\.part)?$/;
const maxReason = 300;
const [day, week] = [86_400_000, 7 * 86_400_000];

/** A folder of this machine or of a bucket. */
type BackupPlace = { list(): Promise<string[]>; remove(name: string): Promise<void>; close(): void };

const openPlace = (place: string): BackupPlace =>
  isBucketAddress(place) ? openBucket(place) : { list: () => readdir(place), remove: (name) => rm(join(place, name)), close: () => {} };

export type Schedule = {
  /** Where backups go. */
  place: string;
  /** From one to the next. */
  hours: number;
  /** So many of the newest stay, and the newest of each of so many weeks. */
  keep: number;
  weeks: number;
  /** Writes a backup there. */
  make: (place: string) => Promise<void>;
};
type At = { now: Date; time_zone: string; default_language: Language };
type Found = { name: string; at: number; isPart: boolean };

/** Backups with the moments that their names tell, the newest first. What is called otherwise is somebody else's. */
function backupsAmong(names: readonly string[]): Found[] {
  const found = names.flatMap((name) => {
    const [, year, month, date, hour, minute, second, part] = backupName.exec(name) ?? [];
    return year ? [{ name, at: Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`), isPart: part !== undefined }] : [];
  });
  return found.toSorted((one, other) => other.at - one.at);
}

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

/** When the newest backup that there should be was due. */
async function lastDue(db: Database, hours: number, { now, time_zone }: At): Promise<number> {
  const toNight = sql`make_interval(hours => ${nightlyHour})`;
  const { rows } = await db.execute<{ at: Date }>(
    sql`SELECT (((${now.toISOString()}::timestamptz AT TIME ZONE ${time_zone}) - ${toNight})::date + ${toNight}) AT TIME ZONE ${time_zone} AS at`,
  );
  const night = new Date(rows[0]?.at ?? 0).getTime();
  const interval = hours * 3_600_000;
  return night + Math.floor((now.getTime() - night) / interval) * interval;
}

/**
 * Makes a backup where one is due, and removes those that need not be kept; never one before a new one is whole. What fails is told to all
 * administrators, once each time that one is due: `told` remembers for which it was.
 */
export async function backUpWhenDue(db: Database, schedule: Schedule, at: At, told: Set<number>): Promise<boolean> {
  const due = await lastDue(db, schedule.hours, at);
  const place = openPlace(schedule.place);
  try {
    const newest = backupsAmong(await place.list()).find(({ isPart }) => !isPart);
    if (newest && newest.at >= due) return false;
    await schedule.make(schedule.place);
    for (const name of backupsToRemove(backupsAmong(await place.list()), schedule, at.now)) await place.remove(name);
    return true;
  } catch (error) {
    if (!told.has(due)) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, maxReason);
      await transact(db, (tx) =>
        tellAdministrators(tx, at.default_language, (language) => ({
          title: translate(language, 'push_text.backup_failed.title'),
          content: translate(language, 'push_text.backup_failed.content', { folder: schedule.place, reason }),
        })),
      );
      told.add(due);
    }
    throw error;
  } finally {
    place.close();
  }
}

/** A process of its own: it needs memory that the worker would keep. */
export async function makeBackup(dataDir: string, place: string): Promise<void> {
  const { DATABASE_URL, INIT_CWD: _, ...environment } = process.env;
  // The supervisor names the embedded database to its parts, too; a backup of that one is made of its files.
  const outside = runningPostgres(dataDir) === undefined && DATABASE_URL ? { DATABASE_URL } : {};
  const program = fileURLToPath(new URL('./backup.main.ts', import.meta.url));
  const env = { ...environment, ...outside, LIVECODE_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [program, place], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-maxReason);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(said.trim() || `the backup ended with ${code}`);
}

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

/** Several times an hour a look whether a backup is due: one that failed is tried again. */
export function backupJobs(options: Options): RecurringJob[] {
  const { pool, dataDir, backupPlace, backupHours, backupsKept, backupWeeks, log } = options;
  if (!backupPlace) return [];
  if (options.backupRecipients.length === 0 && !options.masterKey)
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
  const run = async () => backUpWhenDue(openDatabase(pool), schedule, { now: new Date(), ...(await readSettings(pool)) }, told);
  return [{ name: 'backup.scheduled', everyMinutes: 20, offsetMinutes: 17, run }];
}
