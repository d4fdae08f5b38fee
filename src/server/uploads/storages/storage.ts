import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadType } from '../../../contract/system/image-config.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Vault } from '../../kit/vault.ts';
import { uploadsFolder } from '../../kit/visits/visit-paths.ts';
import type { Bucket, Storage } from './bucket.ts';

export type StorageRow = Omit<Bucket, 'upload_type' | 'access_key_secret'> & {
  id: number;
  upload_type: UploadType;
  access_key_secret: Buffer | null;
  updated_at: string;
};

/** What a storage's secret is sealed for; it opens for no other storage. */
export const secretLabel = (id: number): string => `image_config:${id}`;

/** `pictures/2026` and `a1b2.png` become `pictures/2026/a1b2.png`. */
export const objectKey = (save_path: string, name: string): string =>
  [...save_path.split('/').filter((part) => part !== ''), name].join('/');

/** Writes under a temporary name and renames, so that a file that can be seen is whole. */
export async function keepFile(folder: string, name: string, bytes: Buffer): Promise<void> {
  const temporary = join(folder, `.${name}.${process.pid}.part`);
  const handle = await open(temporary, 'w', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, join(folder, name));
}

function localDisk(dataDir: string): Storage {
  const folder = uploadsFolder(dataDir);
  return {
    put: (key, bytes) => keepFile(folder, key, bytes),
    get: (key) => readFile(join(folder, key)),
    remove: (key) => rm(join(folder, key), { force: true }),
  };
}

export type Storages = {
  /** The storage of this row, the same one for as long as the row stays. */
  of: (row: StorageRow) => Promise<Storage>;
  /** A storage for one test, with a secret as typed. */
  openBucket: (bucket: Bucket) => Promise<Storage>;
  close: () => void;
};

/** Opens storages by their rows. The S3 client is loaded with the first bucket: who keeps pictures on the disk never needs it. */
export function createStorages({ dataDir, vault, network }: { dataDir: string; vault: Vault; network: GuardedNetwork }): Storages {
  const disk = localDisk(dataDir);
  const agents = network.agents();
  const held = new Map<number, { updated_at: string; storage: Promise<Storage> }>();

  const openBucket = async (bucket: Bucket): Promise<Storage> => {
    const { openS3 } = await import('./s3.ts');
    return openS3(bucket, { network, agents });
  };
  const unseal = ({ id, access_key_secret }: StorageRow): string =>
    access_key_secret === null ? '' : vault.open(access_key_secret, secretLabel(id)).toString();

  return {
    openBucket,
    of(row) {
      const { id, upload_type, updated_at } = row;
      if (upload_type === 'local') return Promise.resolve(disk);
      const known = held.get(id);
      if (known?.updated_at === updated_at) return known.storage;
      const storage = openBucket({ ...row, upload_type, access_key_secret: unseal(row) });
      held.set(id, { updated_at, storage });
      storage.catch(() => held.delete(id));
      return storage;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
