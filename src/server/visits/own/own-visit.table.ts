import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment, network, reference } from '../../kit/rows/columns.ts';

/** Networks from which an owner visits his own codes. */
export const own_address = pgTable('own_address', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  network: network('network').notNull(),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

/** Devices that an owner marked as his own. */
export const own_device = pgTable('own_device', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  name: text('name').notNull(),
  created_at: moment('created_at').notNull().default(sql`now()`),
  seen_at: moment('seen_at'),
});
