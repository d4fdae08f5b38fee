import { createHash } from 'node:crypto';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { groups, uploads } from '../contract/api.ts';
import { openApiDocument } from './kit/calls/openapi.ts';

/** Everything comes from here and no text is run as a program: the page has the back office's origin, whose memory holds sessions. */
const policy = (hashes: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')}`,
    // The reader writes its styles into the page as it renders.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Of the scripts that stand in a page, as a policy names them. */
const scriptHashes = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) =>
    createHash('sha256').update(script).digest('base64'),
  );

let made: ReturnType<typeof openApiDocument> | undefined;

/** Made when a reader first asks for it, once a process: it takes longer than the rest of the app together. */
function describeCalls(): ReturnType<typeof openApiDocument> {
  made ??= openApiDocument(Object.values(groups), uploads, 'Livecode');
  return made;
}

let reader: Promise<FastifyInstance> | undefined;

/** Loaded when somebody first reads: the reader's script takes 17 MB, which a web process would hold for nobody. */
function openReader(): Promise<FastifyInstance> {
  reader ??= import('@scalar/fastify-api-reference').then(async ({ default: apiReference }) => {
    const app = fastify();
    await app.register(apiReference, {
      routePrefix: '/api/docs',
      configuration: {
        url: '/api/openapi.json',
        pageTitle: 'Livecode API',
        withDefaultFonts: false,
        telemetry: false,
        // What is typed into the reader is kept nowhere, and no service of others is offered.
        persistAuth: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
    });
    return app;
  });
  return reader;
}

async function answerReader(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { statusCode, headers, body } = await (await openReader()).inject(request.url);
  const type = headers['content-type'];
  if (type) reply.type(String(type));
  if (headers.location) reply.header('Location', headers.location);
  const hashes = String(type).startsWith('text/html') ? scriptHashes(body) : [];
  await reply.code(statusCode).header('Content-Security-Policy', policy(hashes)).send(body);
}

/** The OpenAPI document of all calls, and a page that shows it. */
export function mountDocumentation(app: FastifyInstance): void {
  app.get('/api/openapi.json', describeCalls);
  app.get('/api/docs', answerReader);
  app.get('/api/docs/*', answerReader);
}
