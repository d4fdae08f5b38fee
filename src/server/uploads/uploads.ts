import { mkdir } from 'node:fs/promises';
import fastifyMultipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { UploadedFile } from '../../contract/content/file.ts';
import { userKey } from '../kit/bounded/tasks.ts';
import { createAdmission } from '../kit/calls/admission.ts';
import type { ServerKit } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { createRequestAuthenticator } from '../kit/calls/mount.ts';
import { receiveFile } from '../kit/calls/multipart.ts';
import { openPicture, pictureHeaders, pictureType } from '../kit/rows/picture-files.ts';
import { uploadsFolder } from '../kit/visits/visit-paths.ts';
import { reencode } from './pictures/pictures.ts';
import { createRemotePictures } from './pictures/remote-pictures.ts';
import type { Storages } from './storages/storage.ts';
import { storageFault } from './storages/storage-fault.ts';
import { storePicture } from './storing.ts';

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
      const upload = { owner_id: actor.user_id, title: titleOf(filename), picture, log: request.log };
      return storePicture({ db: kit.db, storages, pictures }, upload);
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

/** The name of the file on its owner's machine, as a first title: without a path, control characters or half a character. */
const titleOf = (filename: string | undefined): string =>
  (filename ?? '')
    .replace(/^.*[\\/]/s, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here.
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .slice(0, 100)
    .toWellFormed();
