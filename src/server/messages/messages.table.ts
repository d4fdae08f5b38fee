import { sql } from 'drizzle-orm';
import { integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { MessageKind, MessagePlace, messageAudiences } from '../../contract/enums.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

export const site_message = pgTable('site_message', {
  id: idColumn(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  kind: text('kind').$type<MessageKind>().notNull().default('alert'),
  place: text('place').$type<MessagePlace>(),
  place_id: reference('place_id'),
  audience: text('audience').$type<(typeof messageAudiences)[number]>().notNull(),
  role_id: reference('role_id'),
  sender_id: reference('sender_id'),
  receiver_number: integer('receiver_number').notNull(),
  sent_at: moment('sent_at').notNull().default(sql`now()`),
  cleared_at: moment('cleared_at'),
});

export const site_message_receiver = pgTable(
  'site_message_receiver',
  { user_id: reference('user_id').notNull(), message_id: reference('message_id').notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.message_id] })],
);

export const site_message_view = pgTable(
  'site_message_view',
  {
    user_id: reference('user_id').notNull(),
    message_id: reference('message_id').notNull(),
    viewed_at: moment('viewed_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.message_id] })],
);

export const site_message_count = pgTable(
  'site_message_count',
  { message_id: reference('message_id').notNull(), shard: smallint('shard').notNull(), number: reference('number').notNull() },
  (table) => [primaryKey({ columns: [table.message_id, table.shard] })],
);
