import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ChannelKind, MailSecurity } from '../../contract/detection/shield-push.ts';
import type { MessageKind, MessagePlace } from '../../contract/enums.ts';
import type { EventType } from '../../contract/events.ts';
import { bytes, idColumn, moment, reference, timestamps } from '../kit/rows/columns.ts';

export const mail_server = pgTable('mail_server', {
  id: boolean('id').primaryKey().default(true),
  host: text('host').notNull(),
  port: integer('port').notNull(),
  security: text('security').$type<MailSecurity>().notNull(),
  username: text('username').notNull().default(''),
  password: bytes('password'),
  from_address: text('from_address').notNull(),
  from_name: text('from_name').notNull().default(''),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const push_channel = pgTable('push_channel', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  kind: text('kind').$type<ChannelKind>().notNull(),
  name: text('name').notNull().default(''),
  target: text('target').notNull().default(''),
  telegram_chat_id: reference('telegram_chat_id'),
  secret: bytes('secret'),
  receiver: bytes('receiver').notNull(),
  confirmed_at: moment('confirmed_at'),
  code_hash: bytes('code_hash'),
  code_sent_at: moment('code_sent_at'),
  code_guesses: integer('code_guesses').notNull().default(0),
  enabled: boolean('enabled').notNull().default(true),
  stopped: text('stopped').$type<'failing'>(),
  failing_since: moment('failing_since'),
  free_at: moment('free_at').notNull().default(sql`now()`),
  ...timestamps(),
});

export const push_rule = pgTable('push_rule', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  name: text('name').notNull().default(''),
  events: text('events').array().$type<EventType[]>().notNull(),
  domain_ids: reference('domain_ids').array(),
  live_code_ids: reference('live_code_ids').array(),
  repeat_minutes: integer('repeat_minutes'),
  quiet_from: text('quiet_from'),
  quiet_to: text('quiet_to'),
  enabled: boolean('enabled').notNull().default(true),
  ...timestamps(),
});

export const push_rule_channel = pgTable(
  'push_rule_channel',
  { rule_id: reference('rule_id').notNull(), channel_id: reference('channel_id').notNull() },
  ({ rule_id, channel_id }) => [primaryKey({ columns: [rule_id, channel_id] })],
);

export const push = pgTable('push', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  rule_id: reference('rule_id'),
  is_test: boolean('is_test').notNull().default(false),
  due_at: moment('due_at').notNull(),
  closed_at: moment('closed_at'),
  held: boolean('held').notNull().default(false),
  title: text('title').notNull().default(''),
  content: text('content').notNull().default(''),
  kind: text('kind').$type<MessageKind>().notNull().default('info'),
  place: text('place').$type<MessagePlace>(),
  place_id: reference('place_id'),
  events: integer('events').notNull().default(0),
  round: integer('round').notNull().default(1),
  repeat_at: moment('repeat_at'),
  seen_at: moment('seen_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

export const push_event = pgTable(
  'push_event',
  { rule_id: reference('rule_id').notNull(), event_id: reference('event_id').notNull(), push_id: reference('push_id') },
  ({ rule_id, event_id }) => [primaryKey({ columns: [rule_id, event_id] })],
);

export const push_delivery = pgTable('push_delivery', {
  id: idColumn(),
  push_id: reference('push_id').notNull(),
  channel_id: reference('channel_id').notNull(),
  owner_id: reference('owner_id').notNull(),
  round: integer('round').notNull().default(1),
  state: text('state').$type<'waiting' | 'delivered' | 'failed'>().notNull().default('waiting'),
  attempts: integer('attempts').notNull().default(0),
  next_attempt_at: moment('next_attempt_at').notNull().default(sql`now()`),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  answer: text('answer'),
  error: text('error'),
  error_params: jsonb('error_params').$type<Record<string, string | number>>(),
  duration_ms: integer('duration_ms'),
  site_message_id: reference('site_message_id'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  tried_at: moment('tried_at'),
});
