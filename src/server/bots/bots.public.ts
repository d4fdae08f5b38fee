import { eq } from 'drizzle-orm';
import { AppError } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { send, type Words } from './api/answers.ts';
import { clientOf, Migrated } from './api/client.ts';
import { findChat, forgetChat, moveChat } from './bots.chats.ts';
import { telegram_bot } from './bots.table.ts';

export { type Button, type Buttons, cutHtml, cutText, escapeHtml, maxTextLength } from './api/answers.ts';
export { sealToken } from './api/client.ts';
export { type CallbackAnswer, type CallbackHandler, onCallback, type PressedButton } from './bots.callbacks.ts';
export type { SentPicture, TakePicture } from './bots.pictures.ts';
export { telegram_bot, telegram_chat } from './bots.table.ts';

/** `chat_id` is Telegram's number, as `telegram_chat` has it; see `Words` for the rest. */
export type TelegramMessage = Words & { bot_id: number; chat_id: number };

/** What ends a binding: the bot was blocked or removed, or the chat is gone. */
export const isChatLost = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'telegram.forbidden' || error.code === 'telegram.chat_gone');

/**
 * Sends a message to a bound chat. Longer texts are cut. A chat that the bot can write to no more is unbound, and its user told.
 * @throws {AppError} `telegram.*`, or `outgoing.*` where Telegram was not reached; `telegram.too_many` says in
 * `details.retryAfterSeconds` when to come back
 */
export async function sendTelegram(
  db: Database,
  network: GuardedNetwork,
  vault: Vault,
  { bot_id, chat_id, ...words }: TelegramMessage,
): Promise<{ message_id: number }> {
  const [bot] = await db.select().from(telegram_bot).where(eq(telegram_bot.id, bot_id));
  if (!bot?.enabled) throw new AppError(409, 'telegram.bot_off');
  if (!(await findChat(db, { bot_id, chat_id }))) throw new AppError(409, 'telegram.not_bound');
  const telegram = await clientOf({ db, network, vault }, bot);
  try {
    return await send(telegram, chat_id, words);
  } catch (error) {
    if (error instanceof Migrated) {
      await moveChat(db, { bot_id, chat_id }, error.chat_id);
      return send(telegram, error.chat_id, words);
    }
    if (isChatLost(error)) await transact(db, (tx) => forgetChat(tx, { bot_id, chat_id }));
    throw error;
  }
}
