import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { type BoundChat, maxChats, type telegramBotBinding } from '../../contract/detection/telegram-bot-binding.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseImpersonator, type Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import { languageOfUser } from '../kit/calls/user-language.ts';
import { translate } from '../kit/messages/messages.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { contains, equals, isOneOf, list, matches } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { say } from './api/answers.ts';
import { type ChatRow, sayLater } from './bots.chats.ts';
import { makeCode, shownCode } from './bots.codes.ts';
import { sendTelegram } from './bots.public.ts';
import { telegram_bot, telegram_chat, telegram_code } from './bots.table.ts';

const fields = {
  id: telegram_chat.id,
  bot_id: telegram_chat.bot_id,
  bot_username: sql<string>`${telegram_bot.username}`,
  bot_enabled: sql<boolean>`${telegram_bot.enabled}`,
  kind: telegram_chat.kind,
  nickname: telegram_chat.nickname,
  username: telegram_chat.username,
  language: telegram_chat.language,
  user_id: telegram_chat.user_id,
  platform_account: sql<string>`${user_account.account}`,
  platform_nickname: sql<string>`${user_account.name}`,
  chat_id: telegram_chat.chat_id,
  muted_until: telegram_chat.muted_until,
  bound_at: telegram_chat.bound_at,
};
const joins = [
  [telegram_bot, eq(telegram_bot.id, telegram_chat.bot_id)],
  [user_account, eq(user_account.id, telegram_chat.user_id)],
] as const;

/** A silence that is over is none. */
const shown = (row: BoundChat, { now }: Context): BoundChat => ({
  ...row,
  muted_until: row.muted_until !== null && new Date(row.muted_until) > now ? row.muted_until : null,
});

/** What an agent's customers talk about with a bot is their own business: only administrators see chats of others. */
const own = ({ scope }: Context): SQL | undefined => scope.changes(telegram_chat.user_id);

async function readChat(id: number, context: Context): Promise<BoundChat> {
  const page = await list(
    context.db,
    {},
    { fields, from: telegram_chat, joins, where: and(eq(telegram_chat.id, id), own(context)), sorts: {}, key: telegram_chat.id },
  );
  const [row] = page.content;
  if (!row) throw notFound();
  return shown(row, context);
}

const offered = { id: telegram_bot.id, name: telegram_bot.name, username: telegram_bot.username };

async function readBot(db: Database, id: number) {
  const [bot] = await db
    .select(offered)
    .from(telegram_bot)
    .where(and(eq(telegram_bot.id, id), eq(telegram_bot.enabled, true)));
  if (!bot) throw notFound();
  return bot;
}

/** Each chat hears once that it is bound no more, in its user's language. */
async function sayGoodbye(tx: Database, chats: readonly ChatRow[]): Promise<void> {
  const languages = new Map<number, string>();
  for (const chat of chats) {
    const language = languages.get(chat.user_id) ?? (await languageOfUser(tx, chat.user_id));
    languages.set(chat.user_id, language);
    await sayLater(tx, chat, [say(chat.chat_id, { text: translate(language, 'telegram_bot_binding.reply.unbound') })]);
  }
}

/** @param network keeps requests away from addresses inside */
export const createTelegramBotBindingService = (network: GuardedNetwork): Service<typeof telegramBotBinding> => ({
  async inquire({ search, kind, bot_id, user_id, ...input }, context) {
    const page = await list(context.db, input, {
      fields,
      from: telegram_chat,
      joins,
      where: and(
        own(context),
        contains([telegram_chat.nickname, telegram_chat.username, user_account.account, user_account.name], search),
        matches(telegram_chat, { kind, bot_id }),
        equals(telegram_chat.user_id, user_id),
      ),
      sorts: telegram_chat,
      key: telegram_chat.id,
    });
    return { ...page, content: page.content.map((row) => shown(row, context)) };
  },

  async bots(_input, { db }) {
    const content = await db.select(offered).from(telegram_bot).where(eq(telegram_bot.enabled, true)).orderBy(asc(telegram_bot.id));
    return { content };
  },

  // Not `writes`: an answer that is kept for a repetition would keep the code.
  async bind({ bot_id }, context) {
    const { db, actor, vault } = context;
    // He would go on hearing of the user in a chat of his own.
    refuseImpersonator(context);
    const bot = await readBot(db, bot_id);
    const held = await db.$count(telegram_chat, eq(telegram_chat.user_id, actor.user_id));
    if (held >= maxChats) throw new AppError(409, 'telegram.too_many_chats', { params: { maximum: maxChats } });
    return transact(db, async (tx) => {
      const { id, code, expires_at } = await makeCode(tx, vault, { bot_id, user_id: actor.user_id });
      await recordAct(tx, context, { type: 'telegram_bot_binding/bind', content: { bot_id } });
      const link = `https://t.me/${bot.username}`;
      return { id, code: shownCode(code), url: `${link}?start=${code}`, group_url: `${link}?startgroup=${code}`, expires_at, bot };
    });
  },

  async binding({ id }, context) {
    const { db, actor, now } = context;
    const [code] = await db
      .select()
      .from(telegram_code)
      .where(and(eq(telegram_code.id, id), eq(telegram_code.user_id, actor.user_id)));
    if (!code) throw notFound();
    if (code.used_at === null) return { state: new Date(code.expires_at) > now ? 'waiting' : 'expired', chat: null };
    const chat = code.telegram_chat_id === null ? null : await readChat(code.telegram_chat_id, context);
    return { state: 'bound', chat };
  },

  async test({ id }, context) {
    const { db, vault } = context;
    const chat = await readChat(id, context);
    await recordAct(db, context, { type: 'telegram_bot_binding/test', content: { id } });
    const language = await languageOfUser(db, chat.user_id);
    const text = translate(language, 'telegram_bot_binding.reply.test', { account: chat.platform_account });
    return sendTelegram(db, network, vault, { bot_id: chat.bot_id, chat_id: chat.chat_id, text });
  },

  async unbind({ ids }, context) {
    const { db, audit } = context;
    const removed = await db
      .delete(telegram_chat)
      .where(and(isOneOf(telegram_chat.id, ids), own(context)))
      .returning();
    await sayGoodbye(db, removed);
    audit({ before: removed });
    return { affected: removed.length };
  },
});
