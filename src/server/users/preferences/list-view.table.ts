import { sql } from 'drizzle-orm';
import { boolean, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { idColumn, moment, reference } from '../../kit/rows/columns.ts';

export const list_view = pgTable('list_view', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  list: text('list').notNull(),
  name: text('name').notNull(),
  query: text('query').notNull(),
  arrangement: jsonb('arrangement').$type<z.core.util.JSONType>(),
  shared: boolean('shared').notNull().default(false),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});
