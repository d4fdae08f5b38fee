import { sql } from 'drizzle-orm';
import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment, reference } from '../kit/rows/columns.ts';

export const setting = pgTable('setting', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
  updated_by: reference('updated_by'),
});
