import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../kit/calls/errors.ts';
import { answerFailure } from '../kit/calls/mount.ts';

const webFolder = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

/** The sources that allow the scripts which the built page has in itself: what runs before the app's code is there. */
export function inlineScripts(): string[] {
  const page = join(webFolder, 'index.html');
  const html = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  return scripts.map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/** The built web app; in development Vite serves it and this folder may be missing. */
export async function mountWebApp(app: FastifyInstance): Promise<void> {
  if (existsSync(webFolder)) {
    await app.register(fastifyStatic, {
      root: webFolder,
      cacheControl: false,
      // Written by the build beside each file.
      preCompressed: true,
      setHeaders: (reply, path) => {
        reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) answerFailure(new AppError(404, 'no_such_call'), request, reply);
    else reply.status(404).type('text/plain; charset=utf-8').send('404');
  });
}
