import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../kit/calls/context.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { openDatabase, openPool } from '../../kit/postgres/database.ts';
import { pictureType, wantedPicturesFolder } from '../../kit/rows/picture-files.ts';
import { openVault } from '../../kit/vault.ts';
import { createStorages, type Storages } from '../storages/storage.ts';
import { storageFault } from '../storages/storage-fault.ts';
import { hasRemoteStorage } from '../storages/storages.reads.ts';
import { createRemotePictures, type RemotePictures } from './remote-pictures.ts';

type Options = {
  databaseUrl: string;
  dataDir: string;
  masterKey?: Buffer | undefined;
  allowedNetworks: readonly string[];
  log: Log;
  /** How often it is looked for a first storage elsewhere. */
  checkMilliseconds?: number;
};

const pollMilliseconds = 100;
const mostAtOnce = 16;

/**
 * Brings pictures of other storages to this machine's disk when the visit path misses one: answering processes read the disk and nothing
 * else, and hold no keys. Costs a query now and then while all pictures are on the disk.
 */
export function startPictureKeeper(options: Options): { stop: () => Promise<void> } {
  const { databaseUrl, dataDir, masterKey, allowedNetworks, log, checkMilliseconds = 10_000 } = options;
  const stopping = new AbortController();
  const pool = openPool(databaseUrl, log, 2);
  const db = openDatabase(pool);
  const folder = wantedPicturesFolder(dataDir);
  const running = new Map<string, Promise<void>>();
  let storages: Storages | undefined;

  async function openPictures(): Promise<RemotePictures | undefined> {
    if (!(await hasRemoteStorage(db))) {
      // Where the folder is missing, the visit path waits for nothing.
      await rm(folder, { recursive: true, force: true });
      return undefined;
    }
    const vault = await openVault(db, dataDir, masterKey);
    storages = createStorages({ dataDir, vault, network: guardNetwork(allowedNetworks) });
    // Loaded before anybody waits for a picture.
    await import('../storages/s3.ts');
    await mkdir(folder, { recursive: true });
    return createRemotePictures({ db, dataDir, storages, log });
  }

  async function bring(pictures: RemotePictures): Promise<void> {
    const wanted = (await readdir(folder)).filter((name) => !running.has(name)).slice(0, mostAtOnce - running.size);
    if (wanted.length === 0) return;
    const coming = await pictures.fetch(wanted.filter((name) => pictureType(name) !== undefined)).catch((error) => {
      log.warn({ error: String(error) }, 'it could not be looked up where pictures lie');
      return new Map<string, Promise<Buffer>>();
    });
    for (const name of wanted) {
      const decided = Promise.resolve(coming.get(name))
        .catch((error) => log.warn({ name, error: storageFault(error) }, 'a picture could not be fetched from its storage'))
        .then(() => rm(join(folder, name), { force: true }))
        .finally(() => running.delete(name));
      running.set(name, decided);
    }
  }

  async function run(): Promise<void> {
    let pictures: RemotePictures | undefined;
    let problem = '';
    while (!stopping.signal.aborted) {
      try {
        pictures ??= await openPictures();
        if (pictures) await bring(pictures);
        problem = '';
      } catch (error) {
        if (problem !== String(error)) log.warn({ error: String(error) }, 'pictures of other storages cannot be brought to this machine');
        problem = String(error);
      }
      await delay(pictures ? pollMilliseconds : checkMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const loop = run();
  return {
    async stop() {
      stopping.abort();
      await loop;
      storages?.close();
      await Promise.allSettled(running.values());
      await pool.end();
    },
  };
}
