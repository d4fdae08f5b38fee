import { timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { liveSessions } from '../kit/calls/authentication.ts';
import type { ServerKit } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { createRequestAuthenticator } from '../kit/calls/mount.ts';
import { makeFolder } from '../kit/folders.ts';
import { async_operation } from '../kit/jobs/operations.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';

export const exportFolder = (dataDir: string): string => join(dataDir, 'exports');

/** The folder of results; other accounts of the machine can't read it. */
export function makeExportFolder(dataDir: string): string {
  const folder = exportFolder(dataDir);
  makeFolder(folder, 0o700);
  return folder;
}

const ticketSeconds = 60;
const contentTypes: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const linkOf = (id: number): string => `/api/async_operations/file/${id}`;

const ticketText = (id: number, session_id: number, expires: number) => `${id}.${session_id}.${expires}`;

/** An address that works for a minute and as long as the session does: a browser's download carries no token. */
export function ticketedLink(vault: Vault, { id, session_id, now }: { id: number; session_id: number; now: Date }): string {
  const expires = Math.floor(now.getTime() / 1000) + ticketSeconds;
  const mac = vault.mac(ticketText(id, session_id, expires), 'export ticket').toString('base64url');
  return `${linkOf(id)}?session=${session_id}&expires=${expires}&ticket=${mac}`;
}

type Ticket = { session?: string; expires?: string; ticket?: string };

function isTicket(vault: Vault, id: number, { session = '', expires = '', ticket = '' }: Ticket, now: Date): boolean {
  if (!/^\d{1,15}$/.test(session) || !/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now.getTime()) return false;
  const expected = vault.mac(ticketText(id, Number(session), Number(expires)), 'export ticket');
  const given = Buffer.from(ticket, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Serves results to their owners. Whatever is wrong with an address is answered 404: it says nothing about what exists. */
export function mountDownloads(app: FastifyInstance, kit: ServerKit, dataDir: string): void {
  const { db, vault, now } = kit;
  const authenticate = createRequestAuthenticator(kit, ['async_operations']);

  /** The user for whom an address was made, or who says who he is, as a machine does; undefined where it is nobody. */
  async function receiver(id: number, request: FastifyRequest<{ Querystring: Ticket }>): Promise<number | undefined> {
    if (request.headers.authorization) return (await authenticate(request)).user_id;
    if (!isTicket(vault, id, request.query, now())) return undefined;
    const [session] = await liveSessions(db, [Number(request.query.session)]);
    return session?.user_id;
  }

  // A result can be long and is read once: compressing it would only keep the processor from calls.
  app.get<{ Params: { id: string }; Querystring: Ticket }>(
    '/api/async_operations/file/:id',
    { compress: false },
    async (request, reply) => {
      const id = /^\d{1,15}$/.test(request.params.id) ? Number(request.params.id) : 0;
      const user_id = await receiver(id, request);
      const [found] = user_id
        ? await db
            .select({ file: async_operation.file, file_name: async_operation.file_name })
            .from(async_operation)
            .where(and(eq(async_operation.id, id), eq(async_operation.user_id, user_id), sql`${async_operation.file_expires_at} > now()`))
        : [];
      if (!found?.file || !found.file_name) throw notFound();
      const path = join(exportFolder(dataDir), found.file);
      const size = await stat(path).then(
        (file) => file.size,
        () => {
          throw notFound();
        },
      );
      return reply
        .type(contentTypes[found.file.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
        .header('Content-Length', size)
        .header('Content-Disposition', `attachment; filename="${found.file_name}"`)
        .header('Cache-Control', 'private, no-store')
        .header('X-Content-Type-Options', 'nosniff')
        .send(createReadStream(path));
    },
  );
}

const orphanMilliseconds = 86_400_000;

/** Deletes results whose time is over, and files that belong to no operation. */
export async function removeExpiredFiles(db: Database, dataDir: string): Promise<number> {
  const folder = makeExportFolder(dataDir);
  const { rows: expired } = await db.execute<{ file: string }>(sql`
    UPDATE async_operation SET file = NULL, updated_at = now()
    FROM (SELECT id, file FROM async_operation WHERE file IS NOT NULL AND file_expires_at <= now() FOR UPDATE) AS old
    WHERE old.id = async_operation.id RETURNING old.file`);
  for (const { file } of expired) await rm(join(folder, file), { force: true });
  const kept = new Set(
    (await db.select({ file: async_operation.file }).from(async_operation).where(isNotNull(async_operation.file))).map((row) => row.file),
  );
  for (const name of await readdir(folder)) {
    if (kept.has(name)) continue;
    const path = join(folder, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    // What is being written now belongs to an operation that doesn't name it yet.
    if (age > orphanMilliseconds) await rm(path, { force: true });
  }
  return expired.length;
}
