import { sql } from 'drizzle-orm';
import { inet, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, idColumn, moment, reference } from './columns.ts';

export const log = pgTable('log', {
  id: idColumn(),
  at: moment('at').notNull().default(sql`now()`),
  user_id: reference('user_id'),
  /** The administrator who acted as the user. */
  impersonator_id: reference('impersonator_id'),
  type: text('type').notNull(),
  content: jsonb('content').notNull(),
  changes: jsonb('changes'),
  source: text('source').notNull().default(''),
  ip: inet('ip'),
  user_agent: text('user_agent').notNull().default(''),
});

export const request_answer = pgTable(
  'request_answer',
  {
    user_id: reference('user_id').notNull(),
    request_id: uuid('request_id').notNull(),
    call: text('call').notNull(),
    input_hash: bytes('input_hash').notNull(),
    answer: jsonb('answer'),
    created_at: moment('created_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.request_id] })],
);
