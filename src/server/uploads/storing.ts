import { randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { UploadedFile } from '../../contract/content/file.ts';
import { userKey } from '../kit/bounded/tasks.ts';
import { AppError } from '../kit/calls/errors.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import type { Picture } from './pictures/pictures.ts';
import { findQr, type QrFinding } from './pictures/qr-reader.ts';
import type { RemotePictures } from './pictures/remote-pictures.ts';
import { pictureUrl } from './pictures.public.ts';
import { objectKey, type Storages } from './storages/storage.ts';
import { storageFault } from './storages/storage-fault.ts';
import { activeStorage } from './storages/storages.reads.ts';
import { storage_removal } from './storages/storages.table.ts';
import { file } from './uploads.table.ts';

/** An upload that has not become a file by then has failed: far longer than one can take. */
const unfinishedMinutes = 15;

type Parts = { db: Database; storages: Storages; pictures: RemotePictures };
type Upload = {
  owner_id: number;
  title: string;
  picture: Picture /** Where it was read already. */;
  finding?: QrFinding;
  log: { error: (details: object, message: string) => void };
};

/**
 * Writes the picture to the storage of new uploads and makes it a file. What is written is entered for removal first, and that entry is
 * taken back in the transaction that makes the file: nothing that fails in between leaves an object behind.
 * @throws AppError 502 `upload.storage_failed`, 503 `unavailable`
 */
export async function storePicture(
  { db, storages, pictures }: Parts,
  { owner_id, title, picture, finding: found, log }: Upload,
): Promise<UploadedFile> {
  const { bytes, content_type, width, height } = picture;
  // Read while the picture is written.
  const reading = found ?? findQr(bytes, userKey(owner_id));
  const name = `${randomBytes(16).toString('hex')}.${picture.extension}`;
  const row = await activeStorage(db);
  const isLocal = row.upload_type === 'local';
  const object_key = isLocal ? name : objectKey(row.save_path, name);
  const [entry] = await db
    .insert(storage_removal)
    .values({ storage_id: row.id, object_key, due_at: sql`now() + ${unfinishedMinutes} * interval '1 minute'` })
    .returning({ id: storage_removal.id });
  if (!entry) throw new Error('the entry for removal was not returned');
  try {
    await (await storages.of(row)).put(object_key, bytes, content_type);
  } catch (error) {
    await db.update(storage_removal).set({ due_at: sql`now()` }).where(eq(storage_removal.id, entry.id));
    log.error({ storage_id: row.id, error: storageFault(error) }, 'a picture could not be written to its storage');
    throw new AppError(502, 'upload.storage_failed');
  }
  const size = bytes.length;
  const finding = await reading;
  const id = await transact(db, async (tx) => {
    // Gone or already tried: the cleaner took the object for lost, and may have removed it.
    const own = and(eq(storage_removal.id, entry.id), eq(storage_removal.attempts, 0));
    if ((await tx.delete(storage_removal).where(own).returning({ id: storage_removal.id })).length === 0)
      throw new AppError(503, 'unavailable');
    const [made] = await tx
      .insert(file)
      .values({
        owner_id,
        title,
        name,
        content_type,
        width,
        height,
        size,
        storage_id: row.id,
        object_key: isLocal ? '' : object_key,
        ...finding,
      })
      .returning({ id: file.id });
    if (!made) throw new Error('the file row was not returned');
    return made.id;
  });
  if (!isLocal) await pictures.keep(name, bytes);
  return { id, url: pictureUrl(name), width, height, size, ...finding };
}
