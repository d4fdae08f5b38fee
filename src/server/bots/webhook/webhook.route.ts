import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerKit } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { transact } from '../../kit/postgres/database.ts';
import { keepUpdates, readUpdates } from '../bots.receive.ts';
import { webhookRoute, webhookSecret } from './address.ts';

const secretHeader = 'x-telegram-bot-api-secret-token';
/** An update of the longest text with all that stands around it. */
const maxBodyBytes = 131_072;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Of texts of any length, in a time that tells nothing of where they differ. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

type Called = FastifyRequest<{ Params: { path: string } }>;

/**
 * Where Telegram sends what bots in webhook mode are sent. It is answered as soon as the update is kept; a worker does the rest. Whoever
 * does not know address and secret is answered as if nothing were there, before his body is read.
 */
export function mountTelegramWebhook(app: FastifyInstance, { db, vault }: ServerKit): void {
  const bots = new WeakMap<FastifyRequest, number>();

  async function admit(request: Called): Promise<void> {
    const { path } = request.params;
    const sent = request.headers[secretHeader];
    const isKnown = isSame(typeof sent === 'string' ? sent : '', webhookSecret(vault, path));
    if (!isKnown) throw notFound();
    const { rows } = await db.execute<{ id: number }>(
      sql`SELECT id FROM telegram_bot WHERE webhook_path = ${path} AND mode = 'webhook' AND enabled`,
    );
    if (!rows[0]) throw notFound();
    bots.set(request, rows[0].id);
  }

  app.post(`${webhookRoute}:path`, { bodyLimit: maxBodyBytes, preParsing: (request) => admit(request as Called) }, async (request) => {
    const bot_id = bots.get(request);
    if (bot_id === undefined) throw notFound();
    await transact(db, async (tx) => {
      const kept = await keepUpdates(tx, bot_id, readUpdates([request.body]));
      if (kept > 0) await tx.execute(sql`UPDATE telegram_bot SET last_update_at = now() WHERE id = ${bot_id}`);
    });
    return {};
  });
}
