import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { readBundled } from './place.ts';
import { createPlaceKeeper, type ReadPlaces } from './place-keeper.ts';
import type { PlaceTable } from './place-table.ts';
import type { PlaceTask } from './place-thread.ts';

const connectMilliseconds = 3_000;
const statementMilliseconds = 20_000;

/** What is in use, or the built-in lists where the database does not answer. */
async function readUsed(databaseUrl: string): Promise<ReadPlaces> {
  const keeper = createPlaceKeeper();
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'livecode places',
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: statementMilliseconds,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await keeper.read((text) => client.query(text));
  } catch (error) {
    return { ...(await keeper.builtIn()), fault: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.end().catch(() => {});
  }
}

const task = workerData as PlaceTask;
const answer = 'family' in task ? readBundled(task.family) : await readUsed(task.databaseUrl);
const tables: (PlaceTable | null)[] =
  'tables' in answer ? [answer.tables.ipv4, answer.tables.ipv6, answer.corrections.ipv4, answer.corrections.ipv6] : [answer];
// Tables are handed over, not copied: only the few thousand names of places are.
const buffers = tables.flatMap((table) => (table ? [table.starts, table.index, table.ids].map(({ buffer }) => buffer as ArrayBuffer) : []));
parentPort?.postMessage(answer, buffers);
