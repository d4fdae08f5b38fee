import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { readDay } from './build-day.ts';
import { type DayTask, removeOlder } from './columns.ts';
import { writeDay } from './day-file.ts';
import { visitorLock } from './versions.ts';

const { databaseUrl } = workerData as { databaseUrl: string };
const client = new pg.Client({ connectionString: databaseUrl, application_name: 'livecode columns', connectionTimeoutMillis: 5_000 });
client.on('error', () => {});
const connected = client.connect();
// Told by the first task.
connected.catch(() => {});

/**
 * Writes the file of a day that is over. Batches under way are waited for, so that those which come later find the day over and tell so by its
 * version; what is read then has the version that was asked for, or a later one, whose file is asked for next.
 */
async function build({ path, day, from, to }: DayTask): Promise<void> {
  await connected;
  await client.query("SET lock_timeout = '5s'");
  await client.query('SELECT pg_advisory_lock($1)', [visitorLock]);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The first statement is what the transaction sees everything at.
    await client.query('SELECT 1 FROM visit_day_version LIMIT 1');
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [visitorLock]);
  }
  const built = await readDay(client, { from, to });
  await client.query('COMMIT');
  writeDay(path, built);
  removeOlder(path, day);
}

parentPort?.on('message', (task: DayTask) => {
  build(task).then(
    () => parentPort?.postMessage({}),
    (error: unknown) => parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
