import { Worker } from 'node:worker_threads';
import { type PlaceReader, type PlaceTables, placeReader } from './facts/place.ts';

export type { PlaceReader } from './facts/place.ts';

/** Reads the address files in a thread of its own, for a process that must go on answering meanwhile. */
export async function openPlacesAside(): Promise<PlaceReader> {
  const worker = new Worker(new URL('./facts/place.worker.ts', import.meta.url));
  const tables = await new Promise<PlaceTables>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the address files were not read: ${code}`)));
  });
  return placeReader(tables);
}
