import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import fastifyMultipart from '@fastify/multipart';
import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { UploadedFile } from '../../contract/content/file.ts';
import { userKey } from '../kit/bounded/tasks.ts';
import { createAdmission } from '../kit/calls/admission.ts';
import type { ServerKit } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { createRequestAuthenticator } from '../kit/calls/mount.ts';
import { receiveFile } from '../kit/calls/multipart.ts';
import { transact } from '../kit/postgres/database.ts';
import { openPicture, pictureHeaders, pictureType } from '../kit/rows/picture-files.ts';
import { uploadsFolder } from '../kit/visits/visit-paths.ts';
import { type Picture, reencode } from './pictures/pictures.ts';
import { findQr } from './pictures/qr-reader.ts';
import { createRemotePictures, type RemotePictures } from './pictures/remote-pictures.ts';
import { pictureUrl } from './pictures.public.ts';
import { objectKey, type Storages } from './storages/storage.ts';
import { storageFault } from './storages/storage-fault.ts';
import { activeStorage } from './storages/storages.reads.ts';
import { storage_removal } from './storages/storages.table.ts';
import { file } from './uploads.table.ts';

/** An upload that has not become a file by then has failed: far longer than one can take. */
const unfinishedMinutes = 15;

/** A user who may use a picture somewhere may upload one. */
const uploaders = [
  'qr_code_list.add',
  'qr_code_list.update',
  'set_qr_code.save',
  'qr_code_list_admin.update',
  'image_configs.add',
  'image_configs.update',
  'url_key_platform.add',
  'url_key_platform.update',
  'rotation.add',
  'rotation.update',
  'document_list.add',
  'document_list.update',
  'home_page_config.update',
  'mall_brand_list.add',
  'mall_brand_list.update',
  'mall_category_list.add',
  'mall_category_list.update',
  'mall_product_list.add',
  'mall_product_list.update',
] as const;

/** A page sends one picture after the other; some pages may be open. */
const admission = createAdmission({ maxOfUser: 4, max: 40, maxBytes: 80_000_000 });

type Options = { dataDir: string; storages: Storages };

/** `POST /api/file/add` (multipart, field `file`) and the pictures themselves at `/file/{name}`. */
export async function mountUploads(app: FastifyInstance, kit: ServerKit, { dataDir, storages }: Options): Promise<void> {
  await mkdir(uploadsFolder(dataDir), { recursive: true });
  const pictures = createRemotePictures({ db: kit.db, dataDir, storages, log: app.log });
  await app.register(fastifyMultipart, { limits: { files: 1, fields: 0, parts: 1, headerPairs: 20, fileSize: 50_000_000 } });
  const authenticate = createRequestAuthenticator(kit, uploaders);

  app.post('/api/file/add', { config: { rateLimit: { max: 120, timeWindow: 60_000 } } }, async (request): Promise<UploadedFile> => {
    const actor = await authenticate(request);
    const { upload_limit_bytes } = await kit.settings();
    const tooLarge = new AppError(413, 'upload.limit_exceeded', { params: { megabytes: Math.floor(upload_limit_bytes / 100_000) / 10 } });
    const receiving = { user_id: actor.user_id, maxBytes: upload_limit_bytes, tooLarge };
    return receiveFile(request, admission, receiving, async ({ bytes, filename, signal }) => {
      const picture = await reencode(bytes, userKey(actor.user_id), { signal });
      return store({ kit, storages, pictures }, { owner_id: actor.user_id, title: titleOf(filename), picture, log: request.log });
    });
  });

  app.get<{ Params: { name: string } }>('/file/:name', async ({ params: { name }, log }, reply) => {
    const type = pictureType(name);
    if (type === undefined) return reply.callNotFound();
    const there = await openPicture(dataDir, name);
    if (there) {
      const { size } = await there.stat();
      return sendPicture(reply, type, size).send(there.createReadStream());
    }
    const coming = (await pictures.fetch([name])).get(name);
    if (!coming) return reply.callNotFound();
    try {
      const bytes = await coming;
      return sendPicture(reply, type, bytes.length).send(bytes);
    } catch (error) {
      log.error({ name, error: storageFault(error) }, 'a picture could not be fetched from its storage');
      return reply.status(502).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('502');
    }
  });
}

function sendPicture(reply: FastifyReply, type: string, size: number): FastifyReply {
  for (const [name, value] of pictureHeaders(type, size)) reply.header(name, value);
  return reply;
}

type Parts = { kit: ServerKit; storages: Storages; pictures: RemotePictures };
/** The name of the file on its owner's machine, as a first title: without a path, control characters or half a character. */
const titleOf = (filename: string | undefined): string =>
  (filename ?? '')
    .replace(/^.*[\\/]/s, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here.
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .slice(0, 100)
    .toWellFormed();

type Upload = { owner_id: number; title: string; picture: Picture; log: { error: (details: object, message: string) => void } };

/**
 * Writes the picture to the storage of new uploads and makes it a file. What is written is entered for removal first, and that entry is
 * taken back in the transaction that makes the file: nothing that fails in between leaves an object behind.
 */
async function store({ kit: { db }, storages, pictures }: Parts, { owner_id, title, picture, log }: Upload): Promise<UploadedFile> {
  const { bytes, content_type, width, height } = picture;
  // Read while the picture is written.
  const reading = findQr(bytes, userKey(owner_id));
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
