import { sql } from 'drizzle-orm';
import { cidr, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment } from '../kit/columns.ts';

export const visit_blacklist = pgTable('visit_blacklist', {
  id: idColumn(),
  network: cidr('network').notNull(),
  remark: text('remark').notNull().default(''),
  expires_at: moment('expires_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
