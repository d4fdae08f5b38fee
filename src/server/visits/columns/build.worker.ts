import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { standBackThread } from '../../kit/niceness.ts';
import { type DayTask, removeOlder } from './columns.ts';
import { writeDay } from './day-file.ts';
import { dayOf, type Visits } from './day-of.ts';
import { merged, storedVisits } from './merge.ts';
import { readSums, readVisits } from './read-day.ts';
import { visitorLock } from './versions.ts';

// Nobody waits for it as visits are waited for.
standBackThread();
const { databaseUrl } = workerData as { databaseUrl: string };
const client = new pg.Client({ connectionString: databaseUrl, application_name: 'livecode columns', connectionTimeoutMillis: 5_000 });
client.on('error', () => {});
const connected = client.connect();
// Told by the first task.
connected.catch(() => {});

const longestBatchMilliseconds = 5_000;
/** Who writes visits now, by transaction. */
const writing = `SELECT virtualtransaction AS id FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND (classid::bigint << 32 | objid::bigint) = $1`;

/**
 * Resolves when the batches have ended that are under way. Their lock is looked at and not taken: who waits for it would hold up the batches
 * that come next.
 * @throws Error where one takes too long
 */
async function batchesEnded(): Promise<void> {
  const writers = async () => (await client.query<{ id: string }>(writing, [visitorLock])).rows.map(({ id }) => id);
  const until = performance.now() + longestBatchMilliseconds;
  for (let left = await writers(); left.length > 0; ) {
    if (performance.now() > until) throw new Error('visits are being written for too long');
    await pause(20);
    const now = new Set(await writers());
    left = left.filter((id) => now.has(id));
  }
}

/**
 * Writes the file of a day, of its first hours, or of what came since. Batches under way are waited for, so that those which come later find the day over and tell so by
 * its version (those of a day that goes on by its counts); what is read then has the version that was asked for, or a later one, whose file is asked for next.
 */
async function build(task: DayTask): Promise<void> {
  await connected;
  await batchesEnded();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const visits = await visitsOf(task);
  // A tail ends within an hour, of which it has no counts.
  const sums = task.kind === 'tail' ? [] : await readSums(client, task);
  await client.query('COMMIT');
  writeDay(task.path, dayOf(visits, sums));
  removeOlder(task);
}

/** Rows are read of what came after the file that is gone on with, where it can be read. */
async function visitsOf(task: DayTask): Promise<Visits> {
  const earlier = task.onto && storedOrNone(task.onto.path);
  return earlier ? merged(earlier, await readVisits(client, { ...task, since: task.onto?.to })) : readVisits(client, task);
}

function storedOrNone(path: string): Visits | undefined {
  try {
    return storedVisits(path);
  } catch {
    return undefined;
  }
}

parentPort?.on('message', (task: DayTask) => {
  build(task).then(
    () => parentPort?.postMessage({}),
    (error: unknown) => parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
