import { sql } from 'drizzle-orm';
import { inet, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment, reference } from '../kit/columns.ts';

export const log = pgTable('log', {
  id: idColumn(),
  at: moment('at').notNull().default(sql`now()`),
  user_id: reference('user_id'),
  type: text('type').notNull(),
  content: jsonb('content').notNull(),
  changes: jsonb('changes'),
  source: text('source').notNull().default(''),
  ip: inet('ip'),
  user_agent: text('user_agent').notNull().default(''),
});
