import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, ids, line, time, timestamps } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** How a bot learns what it is sent: it asks, or Telegram calls the back office. */
export const botModes = ['polling', 'webhook'] as const;
export type BotMode = (typeof botModes)[number];

export const maxBots = 20;

/** `starting`: Telegram is being told of it; `failing`: the last request to Telegram failed. */
export const botStates = ['running', 'starting', 'failing', 'off'] as const;
export type BotState = (typeof botStates)[number];

export const telegramBot = z.object({
  id,
  /** Telegram's number of the bot. */
  telegram_id: id,
  name: z.string(),
  username: z.string(),
  mode: z.enum(botModes),
  webhook_base: z.string(),
  enabled: z.boolean(),
  state: z.enum(botStates),
  /** Chats that are bound to users. */
  chats: count,
  last_update_at: time.nullable(),
  /** In the caller's language. */
  last_error: z.string().nullable(),
  last_error_at: time.nullable(),
  remark: z.string(),
  ...timestamps,
});
export type TelegramBot = z.infer<typeof telegramBot>;

const fields = {
  /** As BotFather gave it. Write only; empty in `update`: as it was. */
  token: z.string().trim().max(200),
  mode: z.enum(botModes).optional(),
  /** Of the mode `webhook`: the public address of the back office. */
  webhook_base: line(300).optional(),
  enabled: z.boolean().optional(),
  remark: line(200).optional(),
};

const access = requireAny('telegram_bot_binding.bots');

export const telegramBots = group('telegram_bot', {
  inquire: call({
    summary: "The site's bots.",
    access,
    input: listInput(['id', 'name', 'last_update_at', 'created_at'], { search: z.string().max(100).optional() }),
    output: pageOf(telegramBot),
  }),
  add: call({
    summary: 'Register a bot by its token; Telegram is asked for its name.',
    access,
    input: z.object({ ...fields, token: fields.token.min(1, 'required') }),
    output: z.object({ id }),
    secrets: ['token'],
    limit: { max: 30, seconds: 60 },
  }),
  update: call({
    summary: 'Change a bot. A new token must be of the same bot.',
    access,
    input: z.object({ id, ...fields, token: fields.token.optional() }),
    output: done,
    secrets: ['token'],
    limit: { max: 30, seconds: 60 },
  }),
  test: call({
    summary: 'Ask Telegram who a bot is.',
    access,
    input: z.object({ id }),
    output: z.object({ name: z.string(), username: z.string(), duration_ms: count }),
    limit: { max: 30, seconds: 60 },
  }),
  remove: call({
    summary: 'Remove bots, with the chats that are bound to them.',
    access,
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
