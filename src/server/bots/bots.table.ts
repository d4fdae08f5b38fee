import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { BotMode } from '../../contract/detection/telegram-bot.ts';
import type { ChatKind } from '../../contract/detection/telegram-bot-binding.ts';
import { bytes, idColumn, moment, reference, timestamps } from '../kit/rows/columns.ts';
import type { Answer } from './api/answers.ts';
import type { Update } from './api/updates.ts';

export const telegram_bot = pgTable('telegram_bot', {
  id: idColumn(),
  telegram_id: bigint('telegram_id', { mode: 'number' }).notNull(),
  username: text('username').notNull(),
  name: text('name').notNull(),
  token: bytes('token').notNull(),
  mode: text('mode').$type<BotMode>().notNull().default('polling'),
  webhook_base: text('webhook_base').notNull().default(''),
  webhook_path: text('webhook_path').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  remark: text('remark').notNull().default(''),
  configured_at: moment('configured_at'),
  next_update_id: bigint('next_update_id', { mode: 'number' }).notNull().default(0),
  last_update_at: moment('last_update_at'),
  last_error: text('last_error'),
  last_error_params: jsonb('last_error_params').$type<Record<string, string | number>>(),
  last_error_at: moment('last_error_at'),
  failures: integer('failures').notNull().default(0),
  due_at: moment('due_at').notNull().default(sql`now()`),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  ...timestamps(),
});

export const telegram_chat = pgTable('telegram_chat', {
  id: idColumn(),
  bot_id: reference('bot_id').notNull(),
  user_id: reference('user_id').notNull(),
  chat_id: bigint('chat_id', { mode: 'number' }).notNull(),
  kind: text('kind').$type<ChatKind>().notNull(),
  nickname: text('nickname').notNull().default(''),
  username: text('username').notNull().default(''),
  language: text('language').notNull().default(''),
  muted_until: moment('muted_until'),
  bound_at: moment('bound_at').notNull().default(sql`now()`),
});

export const telegram_code = pgTable('telegram_code', {
  id: idColumn(),
  bot_id: reference('bot_id').notNull(),
  user_id: reference('user_id').notNull(),
  code_hash: bytes('code_hash').notNull(),
  expires_at: moment('expires_at').notNull(),
  used_at: moment('used_at'),
  telegram_chat_id: reference('telegram_chat_id'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

export const telegram_update = pgTable('telegram_update', {
  id: idColumn(),
  bot_id: reference('bot_id').notNull(),
  update_id: bigint('update_id', { mode: 'number' }),
  chat_id: bigint('chat_id', { mode: 'number' }),
  update: jsonb('update').$type<Update>(),
  state: text('state').$type<'waiting' | 'answering' | 'done' | 'failed'>().notNull().default('waiting'),
  answers: jsonb('answers').$type<Answer[]>(),
  attempts: integer('attempts').notNull().default(0),
  next_attempt_at: moment('next_attempt_at').notNull().default(sql`now()`),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  received_at: moment('received_at').notNull().default(sql`now()`),
});
