import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { done, id, ids, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** Of a user. */
export const maxChats = 20;
export const codeMinutes = 10;

export const chatKinds = ['private', 'group', 'supergroup'] as const;
export type ChatKind = (typeof chatKinds)[number];

/** A chat of Telegram that is bound to a user. */
export const boundChat = z.object({
  id,
  bot_id: id,
  bot_username: z.string(),
  bot_enabled: z.boolean(),
  kind: z.enum(chatKinds),
  /** Of the person, or the group's title. */
  nickname: z.string(),
  /** Without the @; empty where there is none. */
  username: z.string(),
  /** As Telegram told it of who bound the chat, such as `zh-hans`; empty: it did not. */
  language: z.string(),
  user_id: id,
  /** The account and the name on this site. */
  platform_account: z.string(),
  platform_nickname: z.string(),
  /** Telegram's number of the chat; groups have negative ones. */
  chat_id: z.number().int(),
  muted_until: time.nullable(),
  bound_at: time,
});
export type BoundChat = z.infer<typeof boundChat>;

export const offeredBot = z.object({ id, name: z.string(), username: z.string() });
export type OfferedBot = z.infer<typeof offeredBot>;

const screen = 'telegram_bot_binding';

export const telegramBotBinding = group(screen, {
  inquire: call({
    summary: 'The own chats; for administrators those of all users.',
    access: requireAny(screen),
    input: listInput(['id', 'nickname', 'bound_at'], {
      search: z.string().max(100).optional(),
      kind: z.enum(chatKinds).optional(),
      bot_id: id.optional(),
      user_id: id.optional(),
    }),
    output: pageOf(boundChat),
  }),
  bots: call({
    summary: 'The bots that a chat can be bound to.',
    access: requireAny(screen),
    input: z.object({}),
    output: z.object({ content: z.array(offeredBot) }),
  }),
  bind: call({
    summary: 'Make a one-time code. Whoever sends it to the bot within ten minutes binds that chat to the caller.',
    access: requireAny(`${screen}.bind`),
    input: z.object({ bot_id: id }),
    output: z.object({
      id,
      code: z.string(),
      /** Open the bot, or choose a group for it, and send the code. */
      url: z.string(),
      group_url: z.string(),
      expires_at: time,
      bot: offeredBot,
    }),
    machines: false,
    limit: { max: 20, seconds: 60 },
  }),
  binding: call({
    summary: 'What became of a code of the caller.',
    access: requireAny(`${screen}.bind`),
    input: z.object({ id }),
    output: z.object({ state: z.enum(['waiting', 'bound', 'expired']), chat: boundChat.nullable() }),
  }),
  test: call({
    summary: 'Send a test message to a chat.',
    access: requireAny(`${screen}.test`),
    input: z.object({ id }),
    output: z.object({ message_id: id }),
    limit: { max: 20, seconds: 60 },
  }),
  unbind: call({
    summary: 'Unbind chats; each is told.',
    access: requireAny(`${screen}.unbind`),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
