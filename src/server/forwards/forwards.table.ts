import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import type { forwardStatuses } from '../../contract/links/forward.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

export const forward = pgTable('forward', {
  id: idColumn(),
  /** The domain's holder, or, for the platform's domains, who made it. */
  owner_id: reference('owner_id').notNull(),
  domain_id: reference('domain_id').notNull(),
  path: text('path').notNull(),
  url: text('url').notNull(),
  status: smallint('status').$type<(typeof forwardStatuses)[number]>().notNull().default(302),
  keep_query: boolean('keep_query').notNull().default(true),
  enabled: boolean('enabled').notNull().default(true),
  sort: integer('sort').notNull().default(0),
  remark: text('remark').notNull().default(''),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});
