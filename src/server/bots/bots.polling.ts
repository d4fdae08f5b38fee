import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { z } from 'zod';
import { type BotMode, maxBots } from '../../contract/detection/telegram-bot.ts';
import { AppError } from '../kit/calls/errors.ts';
import { leasedRows } from '../kit/jobs/leased-rows.ts';
import { createWorkLoop, Stopped, type WorkLoop } from '../kit/jobs/work-loop.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import { clientOf, type Telegram } from './api/client.ts';
import { allowedUpdates } from './api/updates.ts';
import type { BotsOptions } from './bots.options.ts';
import { keepUpdates, readUpdates } from './bots.receive.ts';
import { tellCommands } from './commands/names.ts';
import { webhookSecret, webhookUrl } from './webhook/address.ts';

const pollMilliseconds = 1_000;
/** How long Telegram holds a request open until there is something. */
const waitSeconds = 25;
const updatesAtOnce = 100;
const maxBackoffSeconds = 120;
/** Telegram numbers anew at random after a week without updates, and forgets what nobody fetched within a day. */
const freshDays = 6;

type PolledBot = {
  id: number;
  claim: string;
  token: Buffer;
  mode: BotMode;
  webhook_base: string;
  webhook_path: string;
  enabled: boolean;
  is_configured: boolean;
  /** Null: whatever Telegram has. */
  offset: number | null;
};

const bots = leasedRows<PolledBot>('telegram_bot', {
  seconds: 10,
  retry: { at: 'due_at', seconds: sql`least(power(2, least(failures, 10)), ${maxBackoffSeconds})` },
});
/** Bots that Telegram has to be told of, and those that are polled. */
const isDue = sql`due_at <= now() AND (configured_at IS NULL OR (enabled AND mode = 'polling'))`;

async function claimBot(db: Database): Promise<PolledBot | undefined> {
  const [bot] = await bots.claim(db, {
    due: sql`SELECT id FROM telegram_bot WHERE ${isDue} AND ${bots.isFree} ORDER BY due_at, id LIMIT 1`,
    returning: sql`telegram_bot.token, telegram_bot.mode, telegram_bot.webhook_base, telegram_bot.webhook_path,
      telegram_bot.enabled, telegram_bot.configured_at IS NOT NULL AS is_configured,
      CASE WHEN last_update_at > now() - make_interval(days => ${freshDays}) THEN next_update_id END AS offset`,
  });
  return bot;
}

/** Tells Telegram how the bot is reached, and what it understands. */
async function configure(bot: PolledBot, telegram: Telegram, { vault, checkUrl }: BotsOptions, signal: AbortSignal): Promise<void> {
  if (bot.enabled && bot.mode === 'webhook') {
    const params = {
      url: webhookUrl(bot.webhook_base, bot.webhook_path),
      secret_token: webhookSecret(vault, bot.webhook_path),
      allowed_updates: allowedUpdates,
      max_connections: 10,
    };
    await telegram('setWebhook', params, z.literal(true), { signal });
  } else await telegram('deleteWebhook', {}, z.literal(true), { signal });
  if (bot.enabled) await tellCommands(telegram, signal, { withCheck: checkUrl !== undefined });
}

const given = z.array(z.unknown());

/** Waits for what the bot is sent and keeps it, in the transaction that says that it is kept: it can be told of neither twice nor not at all. */
async function poll(db: Database, bot: PolledBot, telegram: Telegram, signal: AbortSignal): Promise<void> {
  const params = {
    timeout: waitSeconds,
    limit: updatesAtOnce,
    allowed_updates: allowedUpdates,
    ...(bot.offset === null ? {} : { offset: bot.offset }),
  };
  const received = await telegram('getUpdates', params, given, { timeout_ms: (waitSeconds + 10) * 1000, signal });
  const ids = received.map((one) => z.object({ update_id: z.number().int() }).safeParse(one).data?.update_id ?? 0);
  const next = received.length === 0 ? null : Math.max(...ids) + 1;
  await transact(db, async (tx) => {
    const set = sql`next_update_id = coalesce(${next}::bigint, next_update_id),
      last_update_at = CASE WHEN ${next}::bigint IS NULL THEN last_update_at ELSE now() END, ${asWorking}`;
    // Another worker polls it now, or its token was changed meanwhile: that one keeps what is there.
    if (await bots.release(tx, bot, set)) await keepUpdates(tx, bot.id, readUpdates(received));
  });
}

const asWorking = sql`failures = 0, last_error = NULL, last_error_params = NULL, last_error_at = NULL, due_at = now()`;

/** A webhook that somebody set elsewhere stands in the way of polling, which Telegram calls a conflict as well: it is taken away anew. */
async function fail(db: Database, bot: PolledBot, error: unknown): Promise<void> {
  const known = error instanceof AppError ? error : new AppError(500, 'internal');
  const { params = null, retryAfterSeconds = 0 } = known.details;
  await bots.fail(db, bot, {
    minSeconds: retryAfterSeconds,
    set: sql`failures = failures + 1, last_error = ${known.code}, last_error_params = ${params && JSON.stringify(params)}::jsonb,
      last_error_at = now(), configured_at = CASE WHEN ${known.code === 'telegram.conflict'} THEN NULL ELSE configured_at END`,
  });
}

export type PollingOptions = BotsOptions & { pool: pg.Pool };

/** Fetches what polled bots are sent, each by one worker at a time, until it is stopped. */
export function startPolling(options: PollingOptions): WorkLoop {
  const { pool, bus, network, vault, log } = options;
  const db = openDatabase(pool);
  return createWorkLoop<PolledBot>({
    name: 'telegram bots',
    bus,
    topic: 'telegram_bot',
    pollMilliseconds,
    concurrency: maxBots,
    log,
    claim: () => claimBot(db),
    async run(bot, signal) {
      try {
        const telegram = await clientOf({ db, network, vault }, bot);
        if (bot.is_configured) return await poll(db, bot, telegram, signal);
        await configure(bot, telegram, options, signal);
        // Whether a polled bot works is what its polls say.
        const state = bot.enabled && bot.mode === 'polling' ? sql`due_at = now()` : asWorking;
        await bots.release(db, bot, sql`configured_at = now(), ${state}`);
      } catch (error) {
        const why = signal.aborted && signal.reason instanceof Stopped ? signal.reason : undefined;
        if (why?.why === 'stopping') throw why;
        if (why) await bots.release(db, bot);
        else await fail(db, bot, error);
      }
    },
    lease: {
      ...bots.lease(db),
      async renew(bot) {
        const { rows } = await db.execute<{ is_wanted: boolean }>(sql`
          UPDATE telegram_bot SET ${bots.renewed} WHERE ${bots.isOwn(bot)}
          RETURNING (configured_at IS NULL) = ${!bot.is_configured} AND (enabled = ${bot.enabled}) AND mode = ${bot.mode} AS is_wanted`);
        if (!rows[0]) return 'lost';
        return rows[0].is_wanted ? undefined : 'cancelled';
      },
    },
    release: (bot) => bots.release(db, bot),
  });
}
