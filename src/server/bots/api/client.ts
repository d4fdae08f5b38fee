import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { settings } from '../../../contract/settings.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { guardedDownload, guardedRequest } from '../../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';

const timeoutMilliseconds = 10_000;
/** A hundred updates of the longest texts. */
const maxAnswerBytes = 4 * 2 ** 20;
const maxDescription = 200;

/** The label that tokens are sealed under. */
export const tokenLabel = 'telegram bot token';
export const sealToken = (vault: Vault, token: string): Buffer => vault.seal(Buffer.from(token), tokenLabel);
const openToken = (vault: Vault, sealed: Uint8Array): string => vault.open(sealed, tokenLabel).toString();

/** A token as BotFather gives it: the bot's number, a colon, the secret. */
export const isToken = (token: string): boolean => /^\d{3,15}:[A-Za-z0-9_-]{20,80}$/.test(token);
export const numberOf = (token: string): number => Number(token.split(':', 1)[0]);

/** What asks Telegram in the name of a bot. */
export type Telegram = <T>(method: string, params: object, output: z.ZodType<T>, options?: TelegramOptions) => Promise<T>;
type TelegramOptions = { timeout_ms?: number; signal?: AbortSignal };

const reply = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
});
type Reply = z.infer<typeof reply>;

/** Telegram knows the group by another number now. */
export class Migrated extends AppError {
  readonly chat_id: number;
  constructor(chat_id: number) {
    super(409, 'telegram.migrated');
    this.chat_id = chat_id;
  }
}

/** The reasons that Telegram gives in words only. */
const isChatGone = /chat not found|user is deactivated|group chat was (deleted|deactivated)|PEER_ID_INVALID/i;

const unavailable = (reason: string) => new AppError(502, 'telegram.unavailable', { params: { reason } });

function failureOf({ error_code = 0, description = '', parameters = {} }: Reply): AppError {
  const { retry_after, migrate_to_chat_id } = parameters;
  if (migrate_to_chat_id !== undefined) return new Migrated(migrate_to_chat_id);
  if (error_code === 401 || error_code === 404) return new AppError(502, 'telegram.unauthorized');
  if (error_code === 403) return new AppError(409, 'telegram.forbidden');
  if (error_code === 409) return new AppError(409, 'telegram.conflict');
  if (error_code === 429) {
    const seconds = Math.max(1, Math.ceil(retry_after ?? 1));
    return new AppError(503, 'telegram.too_many', { retryAfterSeconds: seconds, params: { seconds } });
  }
  if (error_code === 400 && isChatGone.test(description)) return new AppError(409, 'telegram.chat_gone');
  const reason = description.slice(0, maxDescription) || String(error_code);
  return error_code >= 500 ? unavailable(reason) : new AppError(502, 'telegram.failed', { params: { reason } });
}

function parse(body: string): Reply | undefined {
  try {
    return reply.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/**
 * A client of the Bot API. The token is part of the address: no failure tells the address, only its host.
 */
export function telegramClient(network: GuardedNetwork, { base, proxy }: Api, token: string): Telegram {
  return async (method, params, output, { timeout_ms = timeoutMilliseconds, signal } = {}) => {
    const { status, body } = await guardedRequest(network, {
      url: `${base.replace(/\/+$/, '')}/bot${token}/${method}`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
      timeout_ms,
      maximum_bytes: maxAnswerBytes,
      proxy,
      ...(signal ? { signal } : {}),
    });
    const answered = parse(body);
    // A proxy between, say, answers pages of its own.
    if (!answered) throw unavailable(`HTTP ${status}`);
    if (!answered.ok) throw failureOf(answered);
    const result = output.safeParse(answered.result);
    if (!result.success) throw new AppError(502, 'telegram.failed', { params: { reason: method } });
    return result.data;
  };
}

/** Where the Bot API is asked, and by which proxy; empty: by none. */
export type Api = { base: string; proxy?: string };

/** The settings, also where nobody holds them in memory. */
async function apiOf(db: Database): Promise<Api> {
  const { rows } = await db.execute<{ key: string; value: unknown }>(
    sql`SELECT key, value FROM setting WHERE key IN ('telegram_api', 'telegram_proxy')`,
  );
  const given = new Map(rows.map(({ key, value }) => [key, value]));
  const read = (key: 'telegram_api' | 'telegram_proxy'): string =>
    settings[key].schema.safeParse(given.get(key)).data ?? settings[key].default;
  return { base: read('telegram_api'), proxy: read('telegram_proxy') };
}

/** What a bot is asked with. */
export type Means = { db: Database; network: GuardedNetwork; vault: Vault };

export const clientOf = async ({ db, network, vault }: Means, bot: { token: Uint8Array }): Promise<Telegram> =>
  telegramClient(network, await apiOf(db), openToken(vault, bot.token));

/** Fetches what somebody sent to a bot, up to so many bytes. */
export type Download = (file_id: string, options: { maximum_bytes: number; signal: AbortSignal }) => Promise<Buffer>;
const stored = z.object({ file_path: z.string().regex(/^[\w./-]{1,300}$/) });

export async function downloaderOf({ db, network, vault }: Means, bot: { token: Uint8Array }): Promise<Download> {
  const [api, token] = [await apiOf(db), openToken(vault, bot.token)];
  const telegram = telegramClient(network, api, token);
  return async (file_id, options) => {
    const { file_path } = await telegram('getFile', { file_id }, stored, { signal: options.signal });
    const url = `${api.base.replace(/\/+$/, '')}/file/bot${token}/${file_path}`;
    const { status, bytes } = await guardedDownload(network, { url, proxy: api.proxy, ...options });
    if (status !== 200) throw unavailable(`HTTP ${status}`);
    return bytes;
  };
}

/** The same with a token that is not stored yet. */
export const clientWith = async ({ db, network }: Omit<Means, 'vault'>, token: string): Promise<Telegram> =>
  telegramClient(network, await apiOf(db), token);
