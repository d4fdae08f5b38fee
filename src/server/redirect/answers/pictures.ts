import { access, constants, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { openPicture, pictureHeaders, pictureType, wantedPicturesFolder } from '../../kit/rows/picture-files.ts';

const prefix = '/~file/';
/** Pictures that are waited for at a time; strangers can ask for any name, and must not make us hold thousands. */
const maxWaiting = 64;
const pollMilliseconds = 50;
const patienceMilliseconds = 5_000;

const awaited = new Map<string, Promise<void>>();

export const isPicturePath = (url: string): boolean => url.startsWith(prefix);

/** Serves an uploaded picture from the disk. Requests for it are no visits. */
export async function servePicture(request: IncomingMessage, response: ServerResponse, dataDir: string): Promise<void> {
  const name = (request.url ?? '').slice(prefix.length).split('?', 1)[0] ?? '';
  const type = pictureType(name);
  const file = type === undefined ? undefined : await find(dataDir, name);
  if (!file || type === undefined) {
    response.writeHead(404, ['content-length', '0', 'cache-control', 'no-store']).end();
    return;
  }
  try {
    const { size } = await file.stat();
    response.writeHead(200, pictureHeaders(type, size).flat());
    if (request.method === 'HEAD') response.end();
    else await pipeline(file.createReadStream({ autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/** The whole picture; null where it is not here and cannot be had. */
export async function readPicture(dataDir: string, name: string): Promise<{ bytes: Uint8Array; type: string } | null> {
  const type = pictureType(name);
  const file = type === undefined ? undefined : await find(dataDir, name);
  if (file === undefined || type === undefined) return null;
  return { bytes: await file.readFile().finally(() => file.close()), type };
}

async function find(dataDir: string, name: string) {
  const there = await openPicture(dataDir, name);
  if (there) return there;
  if (!awaited.has(name)) {
    if (awaited.size >= maxWaiting) return undefined;
    const coming = waitFor(dataDir, name).finally(() => awaited.delete(name));
    awaited.set(name, coming);
  }
  await awaited.get(name);
  return openPicture(dataDir, name);
}

/** Asks the keeper of pictures for one, and waits until it is decided. Where nothing is kept elsewhere, nobody can be asked. */
async function waitFor(dataDir: string, name: string): Promise<void> {
  const mark = join(wantedPicturesFolder(dataDir), name);
  try {
    await writeFile(mark, '');
  } catch {
    return;
  }
  const until = performance.now() + patienceMilliseconds;
  while (performance.now() < until) {
    await delay(pollMilliseconds);
    const isOpen = await access(mark, constants.F_OK).then(
      () => true,
      () => false,
    );
    if (!isOpen) return;
  }
  // Nobody answered: marks that are left must not pile up.
  await rm(mark, { force: true });
}
