import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type BotMode, type BotState, maxBots, type TelegramBot, type telegramBots } from '../../contract/detection/telegram-bot.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseImpersonator, type Service } from '../kit/calls/context.ts';
import { AppError, invalidField, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import { guardedUrl } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, isOneOf, list } from '../kit/rows/list.ts';
import { clientOf, clientWith, isToken, numberOf, sealToken, type Telegram } from './api/client.ts';
import { telegram_bot } from './bots.table.ts';
import { newWebhookPath } from './webhook/address.ts';

type Row = typeof telegram_bot.$inferSelect;

const fields = {
  id: telegram_bot.id,
  telegram_id: telegram_bot.telegram_id,
  name: telegram_bot.name,
  username: telegram_bot.username,
  mode: telegram_bot.mode,
  webhook_base: telegram_bot.webhook_base,
  enabled: telegram_bot.enabled,
  configured_at: telegram_bot.configured_at,
  // By name: drizzle leaves out the table of a column where a query has but one.
  chats: sql<number>`(SELECT count(*)::int FROM telegram_chat WHERE telegram_chat.bot_id = telegram_bot.id)`,
  last_update_at: telegram_bot.last_update_at,
  last_error: telegram_bot.last_error,
  last_error_params: telegram_bot.last_error_params,
  last_error_at: telegram_bot.last_error_at,
  remark: telegram_bot.remark,
  created_at: telegram_bot.created_at,
  updated_at: telegram_bot.updated_at,
};
type Shown = Pick<Row, Exclude<keyof typeof fields, 'chats'>> & { chats: number };

const stateOf = ({ enabled, last_error, configured_at }: Shown): BotState =>
  !enabled ? 'off' : last_error ? 'failing' : configured_at ? 'running' : 'starting';

const shown = (row: Shown, { language }: Context): TelegramBot => ({
  ...row,
  state: stateOf(row),
  last_error: row.last_error && translate(language, `errors.${row.last_error}`, row.last_error_params ?? {}),
});

/** What the log holds of a bot: nothing by which it could be spoken for. */
const logged = ({ telegram_id, username, name, mode, webhook_base, enabled, remark }: Row) => ({
  telegram_id,
  username,
  name,
  mode,
  webhook_base,
  enabled,
  remark,
});

const me = z.object({ id: z.number().int().positive(), first_name: z.string(), username: z.string() });

/** Who a bot is. A token that Telegram does not know is the field's fault. */
async function askWho(telegram: Telegram): Promise<{ id: number; name: string; username: string }> {
  const { id, first_name, username } = await telegram('getMe', {}, me);
  return { id, name: first_name.slice(0, 128), username };
}

async function readToken(token: string, telegram: Telegram) {
  if (!isToken(token)) throw invalidField('token', 'telegram_token');
  try {
    return await askWho(telegram);
  } catch (error) {
    throw error instanceof AppError && error.code === 'telegram.unauthorized' ? invalidField('token', 'telegram_token') : error;
  }
}

function checkedBase(mode: BotMode, base: string): string {
  if (mode === 'polling') return base;
  try {
    const url = guardedUrl(base);
    if (url.search !== '') throw new Error('an address without a query is needed');
    return url.href.replace(/\/+$/, '');
  } catch {
    throw invalidField('webhook_base', base === '' ? 'required' : 'invalid_url');
  }
}

const taken = mapUniqueViolation({ telegram_bot_telegram_id_key: 'token' });

/** Two that are made at once must not both find room for one. */
async function refuseTooMany(tx: Database): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode telegram bots'))`);
  if ((await tx.$count(telegram_bot)) >= maxBots) throw new AppError(409, 'telegram.too_many_bots', { params: { maximum: maxBots } });
}

type Changes = { token?: string; mode?: BotMode; webhook_base?: string; enabled?: boolean; remark?: string };

/** What is written for a change. Whatever Telegram has to be told of makes the bot be told of anew, under another address. */
function written(before: Row, { token, ...input }: Changes, sealed: Buffer | undefined): Partial<Row> {
  const after = { ...before, ...input };
  const webhook_base = checkedBase(after.mode, after.webhook_base);
  const isRouted = before.mode !== after.mode || before.webhook_base !== webhook_base || sealed !== undefined;
  const isTold = isRouted || before.enabled !== after.enabled;
  return {
    ...input,
    webhook_base,
    ...(sealed ? { token: sealed } : {}),
    ...(isRouted ? { webhook_path: newWebhookPath() } : {}),
    ...(isTold ? { configured_at: null, last_error: null, last_error_params: null, last_error_at: null, failures: 0 } : {}),
  };
}

/** @param network keeps requests away from addresses inside */
export const createTelegramBotService = (network: GuardedNetwork): Service<typeof telegramBots> => ({
  async inquire({ search, ...input }, context) {
    const where = contains([telegram_bot.name, telegram_bot.username, telegram_bot.remark], search);
    const page = await list(context.db, input, { fields, from: telegram_bot, where, sorts: telegram_bot, key: telegram_bot.id });
    return { ...page, content: page.content.map((row) => shown(row as Shown, context)) };
  },

  // Telegram is asked before anything is written: no request is waited for within a transaction.
  async add({ token, mode = 'polling', webhook_base = '', enabled = true, remark = '' }, context) {
    const { db, vault } = context;
    refuseImpersonator(context);
    const base = checkedBase(mode, webhook_base);
    const { id: telegram_id, name, username } = await readToken(token, await clientWith({ db, network }, token));
    if (telegram_id !== numberOf(token)) throw invalidField('token', 'telegram_token');
    return transact(db, async (tx) => {
      await refuseTooMany(tx);
      const values = { telegram_id, name, username, mode, webhook_base: base, enabled, remark };
      const [made] = await tx
        .insert(telegram_bot)
        .values({ ...values, token: sealToken(vault, token), webhook_path: newWebhookPath() })
        .returning({ id: telegram_bot.id })
        .catch(taken);
      if (!made) throw new Error('the bot was not returned');
      await recordAct(tx, context, { type: 'telegram_bot/add', content: values, changes: { after: { id: made.id, ...values } } });
      return { id: made.id };
    });
  },

  async update({ id, token, ...input }, context) {
    const { db, vault } = context;
    refuseImpersonator(context);
    const [present] = await db.select().from(telegram_bot).where(eq(telegram_bot.id, id));
    if (!present) throw notFound();
    const who = token ? await readToken(token, await clientWith({ db, network }, token)) : undefined;
    if (who && who.id !== present.telegram_id) throw invalidField('token', 'telegram_other_bot');
    return transact(db, async (tx) => {
      const [before] = await tx.select().from(telegram_bot).where(eq(telegram_bot.id, id)).for('no key update');
      if (!before) throw notFound();
      const names = who ? { name: who.name, username: who.username } : {};
      const values = { ...written(before, input, token ? sealToken(vault, token) : undefined), ...names };
      const [after] = await tx
        .update(telegram_bot)
        // Whoever polls with what it was before finds out by its claim.
        .set({ ...values, claim: null, claimed_until: null, due_at: sql`now()`, updated_at: sql`now()` })
        .where(eq(telegram_bot.id, id))
        .returning();
      const changes = after && changesBetween(logged(before), logged(after));
      await recordAct(tx, context, { type: 'telegram_bot/update', content: { id, ...input, ...(token ? { token: '***' } : {}) }, changes });
      return { affected: 1 };
    });
  },

  async test({ id }, context) {
    const { db, vault } = context;
    const [bot] = await db.select().from(telegram_bot).where(eq(telegram_bot.id, id));
    if (!bot) throw notFound();
    const startedAt = performance.now();
    const { name, username } = await askWho(await clientOf({ db, network, vault }, bot));
    await db.update(telegram_bot).set({ name, username }).where(eq(telegram_bot.id, id));
    return { name, username, duration_ms: Math.round(performance.now() - startedAt) };
  },

  async remove({ ids }, { db, audit }) {
    const removed = await db
      .delete(telegram_bot)
      .where(and(isOneOf(telegram_bot.id, ids)))
      .returning();
    audit({ before: removed.map(logged) });
    return { affected: removed.length };
  },
});
