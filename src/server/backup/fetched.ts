import { dirname } from 'node:path';
import { StartError } from '../kit/start-error.ts';
import { withPartFolder } from './archive/parts.ts';
import { openBucket } from './bucket.ts';
import { secondsSince } from './words.ts';

type Options = { beside: string; signal: AbortSignal; log: (line: string) => void };

/** Works on a backup of a bucket: it is copied beside the new data folder, where there has to be room anyway, and removed afterwards. */
export const withFetched = (address: string, { beside, signal, log }: Options, work: (path: string) => Promise<void>): Promise<void> =>
  withPartFolder(dirname(beside), '.livecode-fetched-', async (folder) => {
    const startedAt = performance.now();
    const path = await fetchInto(address, folder, signal);
    log(`${address.split('?')[0]}: fetched (${secondsSince(startedAt)}).`);
    await work(path);
  });

/** Copies a backup of a bucket into a folder, and answers where it is. */
export async function fetchInto(address: string, folder: string, signal: AbortSignal): Promise<string> {
  const [place = '', query] = address.split('?');
  const [, parent, name] = /^(.*)\/([^/]+)$/.exec(place) ?? [];
  if (!parent || !name) throw new StartError(`${address} names no file: s3://bucket/folder/livecode-….tar.zst`);
  const bucket = openBucket(query ? `${parent}?${query}` : parent);
  try {
    return await bucket.fetch(name, folder, signal);
  } finally {
    bucket.close();
  }
}
