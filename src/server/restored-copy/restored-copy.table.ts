import { sql } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { moment } from '../kit/rows/columns.ts';

export const restored_copy = pgTable('restored_copy', {
  id: integer('id').primaryKey().default(sql`1`),
  backed_up_at: moment('backed_up_at').notNull(),
  restored_at: moment('restored_at').notNull(),
});
