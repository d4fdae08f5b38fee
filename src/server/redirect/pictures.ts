import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { uploadsFolder } from '../kit/visit-paths.ts';

const prefix = '/~file/';
const namePattern = /^[a-z0-9]{26,64}\.(jpg|png|webp|gif)$/;
const contentTypes: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', gif: 'image/gif' };

export const isPicturePath = (url: string): boolean => url.startsWith(prefix);

/** Serves an uploaded picture. Its name is random and its content never changes; requests for it are no visits. */
export async function servePicture(request: IncomingMessage, response: ServerResponse, dataDir: string): Promise<void> {
  const name = (request.url ?? '').slice(prefix.length).split('?', 1)[0] ?? '';
  const [, ending = ''] = namePattern.exec(name) ?? [];
  const file = ending === '' ? undefined : await open(join(uploadsFolder(dataDir), name)).catch(() => undefined);
  if (!file) {
    response.writeHead(404, ['content-length', '0', 'cache-control', 'no-store']).end();
    return;
  }
  try {
    const { size } = await file.stat();
    response.writeHead(200, [
      ...['content-type', contentTypes[ending] ?? '', 'content-length', String(size)],
      ...['cache-control', 'public, max-age=31536000, immutable', 'x-content-type-options', 'nosniff'],
      ...['content-security-policy', "default-src 'none'"],
    ]);
    if (request.method === 'HEAD') response.end();
    else await pipeline(file.createReadStream({ autoClose: false }), response);
  } finally {
    await file.close();
  }
}
