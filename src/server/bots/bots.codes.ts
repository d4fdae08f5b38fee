import { randomInt } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { codeMinutes, maxChats } from '../../contract/detection/telegram-bot-binding.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { user_account } from '../users/users.table.ts';
import { type Chat, nameOf, type Person } from './api/updates.ts';
import { type ChatRow, isChat } from './bots.chats.ts';
import { telegram_chat, telegram_code } from './bots.table.ts';

/** Without what is read for something else: I, L, O, U, 0 and 1. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const codeLength = 10;

/** About 49 bits for ten minutes, of which a chat may guess five times. */
const newCode = (): string => Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('');

/** A code however it was typed; undefined where it cannot be one. */
export function asCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return code.length === codeLength && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}
export const shownCode = (code: string): string => `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;

const hashOf = (vault: Vault, code: string): Buffer => vault.mac(code, 'telegram code');

export async function makeCode(db: Database, vault: Vault, owner: { bot_id: number; user_id: number }) {
  const code = newCode();
  const [made] = await db
    .insert(telegram_code)
    .values({ ...owner, code_hash: hashOf(vault, code), expires_at: sql`now() + make_interval(mins => ${codeMinutes})` })
    .returning({ id: telegram_code.id, expires_at: telegram_code.expires_at });
  if (!made) throw new Error('the code was not returned');
  return { ...made, code };
}

/** What became of a code: `key` names the answer. */
export type Binding = {
  key: 'bound' | 'bound_group' | 'bound_already' | 'wrong_code' | 'foreign_chat' | 'too_many_chats';
  user_id?: number;
};

type Given = { bot_id: number; code: string; chat: Chat; from: Person | undefined };

/**
 * Binds a chat by a code, once: of two chats that send it at the same time one is bound. A chat of another user stays his, and leaves the
 * code as it is.
 */
export async function bindByCode(tx: Database, vault: Vault, { bot_id, code, chat, from }: Given): Promise<Binding> {
  const [found] = await tx
    .select()
    .from(telegram_code)
    .where(
      and(
        eq(telegram_code.code_hash, hashOf(vault, code)),
        eq(telegram_code.bot_id, bot_id),
        isNull(telegram_code.used_at),
        gt(telegram_code.expires_at, sql`now()`),
      ),
    )
    .for('update');
  if (!found) return { key: 'wrong_code' };
  const { user_id } = found;
  // Two chats that bind themselves at once must not both find room for one.
  await tx.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, user_id)).for('no key update');
  const [present] = await tx
    .select()
    .from(telegram_chat)
    .where(isChat({ bot_id, chat_id: chat.id }));
  if (present && present.user_id !== user_id) return { key: 'foreign_chat' };
  if (!present && (await tx.$count(telegram_chat, eq(telegram_chat.user_id, user_id))) >= maxChats)
    return { key: 'too_many_chats', user_id };
  const bound = await writeChat(tx, { bot_id, user_id, chat, from });
  await tx.update(telegram_code).set({ used_at: sql`now()`, telegram_chat_id: bound.id }).where(eq(telegram_code.id, found.id));
  if (present) return { key: 'bound_already', user_id };
  return { key: chat.type === 'private' ? 'bound' : 'bound_group', user_id };
}

/** The chat with its names of this moment. */
async function writeChat(
  tx: Database,
  { bot_id, user_id, chat, from }: Pick<Given, 'bot_id' | 'chat' | 'from'> & { user_id: number },
): Promise<ChatRow> {
  const names = {
    kind: chat.type as ChatRow['kind'],
    nickname: chat.title ?? nameOf(chat),
    username: chat.username ?? '',
    language: from?.language_code ?? '',
  };
  const [bound] = await tx
    .insert(telegram_chat)
    .values({ bot_id, user_id, chat_id: chat.id, ...names })
    .onConflictDoUpdate({ target: [telegram_chat.bot_id, telegram_chat.chat_id], set: names, setWhere: eq(telegram_chat.user_id, user_id) })
    .returning();
  // Another user bound the chat at the same moment: the transaction is repeated and finds that out.
  if (!bound) throw Object.assign(new Error('the chat was bound by somebody else'), { code: '40001' });
  return bound;
}
