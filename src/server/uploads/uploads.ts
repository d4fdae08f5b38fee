import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyMultipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { UploadedFile } from '../../contract/file.ts';
import type { ServerKit } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import { createRequestAuthenticator } from '../kit/mount.ts';
import { reencode } from './pictures.ts';
import { file } from './uploads.table.ts';

export const uploadFolder = (dataDir: string): string => join(dataDir, 'uploads');
/** Where the back office serves an upload; the visit path serves the same name below `/~file/`. */
export const uploadUrl = (name: string): string => `/file/${name}`;

/** Writes under a temporary name and renames, so that a file that can be seen is whole. */
async function keep(folder: string, name: string, bytes: Buffer): Promise<void> {
  const temporary = join(folder, `.${name}.part`);
  const handle = await open(temporary, 'wx', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, join(folder, name));
}

/** `POST /api/file/add` (multipart, field `file`) and the pictures themselves at `/file/{name}`. */
export async function mountUploads(app: FastifyInstance, kit: ServerKit, dataDir: string): Promise<void> {
  const folder = uploadFolder(dataDir);
  await mkdir(folder, { recursive: true });
  await app.register(fastifyMultipart, { limits: { files: 1, fields: 0, fileSize: 50_000_000 } });
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/file/',
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
    dotfiles: 'deny',
    index: false,
  });
  const authenticate = createRequestAuthenticator(kit);

  app.post('/api/file/add', { config: { rateLimit: { max: 120, timeWindow: 60_000 } } }, async (request): Promise<UploadedFile> => {
    const actor = await authenticate(request);
    const { upload_limit_bytes } = await kit.settings();
    if (!request.isMultipart()) throw new AppError(415, 'input.not_multipart');
    const part = await request.file({ limits: { fileSize: upload_limit_bytes } });
    if (part?.fieldname !== 'file') throw new AppError(400, 'input.invalid', { fields: { file: 'required' } });
    const bytes = await part.toBuffer().catch(() => {
      throw new AppError(413, 'upload.limit_exceeded', { params: { megabytes: Math.floor(upload_limit_bytes / 100_000) / 10 } });
    });
    const picture = await reencode(bytes);
    const name = `${randomBytes(16).toString('hex')}.${picture.extension}`;
    await keep(folder, name, picture.bytes);
    const { content_type, width, height } = picture;
    const size = picture.bytes.length;
    const [row] = await kit.db
      .insert(file)
      .values({ owner_id: actor.user_id, name, content_type, width, height, size })
      .returning({ id: file.id });
    if (!row) throw new Error('the file row was not returned');
    return { id: row.id, url: uploadUrl(name), width, height, size };
  });
}
