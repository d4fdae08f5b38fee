import { and, eq, sql } from 'drizzle-orm';
import { notify } from '../kit/messages/notify.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import type { Answer } from './api/answers.ts';
import { telegram_chat, telegram_update } from './bots.table.ts';

export type ChatRow = typeof telegram_chat.$inferSelect;
/** A chat as Telegram names it: every bot has its own. */
export type ChatName = { bot_id: number; chat_id: number };

export const isChat = ({ bot_id, chat_id }: ChatName) => and(eq(telegram_chat.bot_id, bot_id), eq(telegram_chat.chat_id, chat_id));

export async function findChat(db: Database, name: ChatName): Promise<ChatRow | undefined> {
  const [found] = await db.select().from(telegram_chat).where(isChat(name));
  return found;
}

/** The chat while it is still the one that was read: locked, so that nobody unbinds it meanwhile. */
export async function lockChat(tx: Database, { id, user_id }: ChatRow): Promise<boolean> {
  const found = await tx
    .select({ id: telegram_chat.id })
    .from(telegram_chat)
    .where(and(eq(telegram_chat.id, id), eq(telegram_chat.user_id, user_id)))
    .for('no key update');
  return found.length > 0;
}

/** Unbinds a chat that the bot can write to no more, and tells its user: what he is told there would be lost without a word. */
export async function forgetChat(tx: Database, name: ChatName): Promise<void> {
  const [gone] = await tx.delete(telegram_chat).where(isChat(name)).returning();
  if (!gone) return;
  await notify(tx, gone.user_id, {
    kind: 'alert',
    place: 'bots',
    words: ({ say }) => ({
      title: say('telegram_bot_binding.notice.title'),
      content: say('telegram_bot_binding.notice.lost', { name: gone.nickname || String(gone.chat_id) }),
    }),
  });
}

/** A group that became a supergroup has another number. Where that one is bound already, it stands for both. */
export const moveChat = (db: Database, { bot_id, chat_id }: ChatName, to: number): Promise<void> =>
  transact(db, async (tx) => {
    await tx.execute(sql`
      UPDATE telegram_chat SET chat_id = ${to}, kind = 'supergroup' WHERE bot_id = ${bot_id} AND chat_id = ${chat_id}
        AND NOT EXISTS (SELECT FROM telegram_chat AS other WHERE other.bot_id = ${bot_id} AND other.chat_id = ${to})`);
    await tx.delete(telegram_chat).where(isChat({ bot_id, chat_id }));
  });

/** What a bot says without being asked, sent by a worker once the transaction of `tx` commits. */
export async function sayLater(tx: Database, { bot_id, chat_id }: ChatName, answers: Answer[]): Promise<void> {
  await tx.insert(telegram_update).values({ bot_id, chat_id, state: 'answering', answers });
}
