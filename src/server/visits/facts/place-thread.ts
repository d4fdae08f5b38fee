import { Worker } from 'node:worker_threads';

/** What is in use in this database, or the built-in list of a family. */
export type PlaceTask = { databaseUrl: string } | { family: 4 | 6 };

/** Has a thread of its own read what the task asks for. */
export async function readPlacesAside<Answer>(task: PlaceTask): Promise<Answer> {
  const worker = new Worker(new URL('./place.worker.ts', import.meta.url), { workerData: task });
  return new Promise<Answer>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the address files were not read: ${code}`)));
  });
}
