import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Log } from '../kit/calls/context.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { restored_copy } from './restored-copy.table.ts';

/** Lies in a restored data folder until the next start has put it into the database, which cannot be asked before. */
export const copyMark = 'restored.json';

export type RestoredCopy = { backed_up_at: string; restored_at: string };
type Stoppable = { stop: () => Promise<void> };

/** For what a lost message told of. */
const pollMilliseconds = 1_000;

export function leaveCopyMark(folder: string, copy: RestoredCopy): void {
  writeFileSync(join(folder, copyMark), JSON.stringify(copy), { mode: 0o600 });
}

/** Notes that this database is a copy of one that may run elsewhere. */
export async function noteCopy(db: Database, copy: RestoredCopy): Promise<void> {
  await db.insert(restored_copy).values(copy).onConflictDoUpdate({ target: restored_copy.id, set: copy });
}

/** Before any worker starts: what a restore has left in the data folder becomes the database's, and goes only then. */
export async function takeCopyMark(db: Database, dataDir: string): Promise<boolean> {
  let text: string;
  try {
    text = readFileSync(join(dataDir, copyMark), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
  await noteCopy(db, JSON.parse(text));
  rmSync(join(dataDir, copyMark));
  return true;
}

/** The restored copy that this site is, until an administrator says that it is the site. */
export async function readRestoredCopy(db: Database): Promise<RestoredCopy | undefined> {
  const [row] = await db
    .select({ backed_up_at: restored_copy.backed_up_at, restored_at: restored_copy.restored_at })
    .from(restored_copy)
    .where(sql`true`);
  return row;
}

type Options = { db: Database; bus: Bus; log: Log; start: () => Promise<Stoppable> };

/**
 * Starts what reaches outside: at once, on a restored copy only when it was said that it is the site. Nothing that runs is ever held again: a
 * site does not become a copy.
 */
export async function startOutward({ db, bus, log, start }: Options): Promise<Stoppable> {
  if (!(await readRestoredCopy(db))) return start();
  log.warn({}, 'this site was restored from a backup: nothing is sent until an administrator says that it is the site');
  const stopping = new AbortController();
  let news = new AbortController();
  const hear = () => news.abort();
  bus.subscribe('restored_copy', hear);
  bus.onGap(hear);

  async function wait(): Promise<Stoppable | undefined> {
    while (!stopping.signal.aborted) {
      news = new AbortController();
      try {
        if (!(await readRestoredCopy(db))) return await start();
      } catch (error) {
        log.warn({ error: String(error) }, 'what reaches outside could not be started; it is tried again');
      }
      await delay(pollMilliseconds, undefined, { signal: AbortSignal.any([news.signal, stopping.signal]) }).catch(() => {});
    }
    return undefined;
  }

  const started = wait();
  return {
    async stop() {
      stopping.abort();
      await (await started)?.stop();
    },
  };
}
