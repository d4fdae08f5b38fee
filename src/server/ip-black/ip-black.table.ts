import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment, network, reference } from '../kit/rows/columns.ts';

export const ip_black = pgTable('ip_black', {
  id: idColumn(),
  network: network('network').notNull(),
  remark: text('remark').notNull().default(''),
  expires_at: moment('expires_at'),
  hits: reference('hits').notNull().default(0),
  last_hit_at: moment('last_hit_at'),
  created_by: reference('created_by'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
