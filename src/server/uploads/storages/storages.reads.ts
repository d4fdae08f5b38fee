import { eq, inArray } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { file } from '../uploads.table.ts';
import type { StorageRow } from './storage.ts';
import { image_config } from './storages.table.ts';

const storageFields = {
  id: image_config.id,
  upload_type: image_config.upload_type,
  endpoint: image_config.endpoint,
  region: image_config.region,
  bucket: image_config.bucket,
  save_path: image_config.save_path,
  access_key_id: image_config.access_key_id,
  access_key_secret: image_config.access_key_secret,
  path_style: image_config.path_style,
  updated_at: image_config.updated_at,
};

export type SavedStorage = StorageRow & { save_path: string };

/** The storage that takes new uploads. */
export async function activeStorage(db: Database): Promise<SavedStorage> {
  const [row] = await db.select(storageFields).from(image_config).where(eq(image_config.active, true));
  if (!row) throw new Error('no storage is chosen for uploads');
  return row;
}

export async function storageById(db: Database, id: number): Promise<SavedStorage | undefined> {
  const [row] = await db.select(storageFields).from(image_config).where(eq(image_config.id, id));
  return row;
}

/** Pictures and where each one lies, as far as they are known by these names. */
export async function placesOfPictures(
  db: Database,
  names: readonly string[],
): Promise<{ name: string; object_key: string; storage: SavedStorage }[]> {
  return db
    .select({ name: file.name, object_key: file.object_key, storage: storageFields })
    .from(file)
    .innerJoin(image_config, eq(image_config.id, file.storage_id))
    .where(inArray(file.name, [...names]));
}

/** Whether any storage is elsewhere than on the disk. */
export async function hasRemoteStorage(db: Database): Promise<boolean> {
  return (await db.$count(image_config, inArray(image_config.upload_type, ['s3', 'oss']))) > 0;
}
