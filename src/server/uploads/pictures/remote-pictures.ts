import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { pictureCacheFolder, pictureType } from '../../kit/rows/picture-files.ts';
import { keepFile, type Storages } from '../storages/storage.ts';
import { placesOfPictures } from '../storages/storages.reads.ts';

/** Of pictures that lie elsewhere, so many bytes are kept on this machine; the oldest make room. */
const cacheBytes = 2 * 2 ** 30;

export type RemotePictures = {
  /** The pictures of these names that lie elsewhere, each from its own storage; they are kept on this machine from then on. */
  fetch: (names: readonly string[]) => Promise<Map<string, Promise<Buffer>>>;
  /** Keeps what was just uploaded, so that the first visitor doesn't wait for it. */
  keep: (name: string, bytes: Buffer) => Promise<void>;
};

type Options = { db: Database; dataDir: string; storages: Storages; log: Log; maximumBytes?: number };

/** Pictures of other storages, and the bounded folder in which this machine keeps them. */
export function createRemotePictures({ db, dataDir, storages, log, maximumBytes = cacheBytes }: Options): RemotePictures {
  const folder = pictureCacheFolder(dataDir);
  const fetching = new Map<string, Promise<Buffer>>();
  let unswept = Number.POSITIVE_INFINITY;

  async function keep(name: string, bytes: Buffer): Promise<void> {
    try {
      await mkdir(folder, { recursive: true });
      await keepFile(folder, name, bytes);
      unswept += bytes.length;
      if (unswept < maximumBytes / 20) return;
      unswept = 0;
      await makeRoom(folder, maximumBytes);
    } catch (error) {
      // It is in its storage; a full disk only makes it slower.
      log.warn({ name, error: String(error) }, 'a picture could not be kept on this machine');
    }
  }

  /** Of any number that want a picture at the same time, one asks its storage. */
  function fetchOnce(name: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const running = fetching.get(name);
    if (running) return running;
    const coming = read().finally(() => fetching.delete(name));
    fetching.set(name, coming);
    return coming;
  }

  return {
    keep,
    async fetch(names) {
      const places = await placesOfPictures(db, names);
      const remote = places.filter(({ storage }) => storage.upload_type !== 'local');
      return new Map(
        remote.map(({ name, object_key, storage }) => [
          name,
          fetchOnce(name, async () => {
            const bytes = await (await storages.of(storage)).get(object_key);
            await keep(name, bytes);
            return bytes;
          }),
        ]),
      );
    },
  };
}

/** Takes the oldest pictures away until a fifth of the room is free again. */
async function makeRoom(folder: string, maximumBytes: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => pictureType(name) !== undefined);
  const found = await Promise.all(names.map(async (name) => ({ name, ...(await sizeAndAge(join(folder, name))) })));
  let total = found.reduce((sum, { size }) => sum + size, 0);
  if (total <= maximumBytes) return;
  for (const { name, size } of found.sort((a, b) => a.at - b.at)) {
    await rm(join(folder, name), { force: true });
    total -= size;
    if (total <= maximumBytes * 0.8) return;
  }
}

/** Another process may have made room at the same time. */
const sizeAndAge = (path: string): Promise<{ size: number; at: number }> =>
  stat(path).then(
    ({ size, mtimeMs }) => ({ size, at: mtimeMs }),
    () => ({ size: 0, at: 0 }),
  );
