import { sql } from 'drizzle-orm';
import { bigint, date, inet, pgTable, text } from 'drizzle-orm/pg-core';
import type { sourceActions, sourceKinds } from '../../contract/visits/stealing-list.ts';
import { idColumn, moment, network, reference } from '../kit/rows/columns.ts';

export const visit_blacklist = pgTable('visit_blacklist', {
  id: idColumn(),
  network: network('network').notNull(),
  remark: text('remark').notNull().default(''),
  expires_at: moment('expires_at'),
  created_by: reference('created_by'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

/** Visits that were not meant to come, by where they came from. */
export const visit_source = pgTable('visit_source', {
  id: idColumn(),
  kind: text('kind').$type<(typeof sourceKinds)[number]>().notNull(),
  owner_id: reference('owner_id'),
  host: text('host').notNull(),
  live_code_id: reference('live_code_id'),
  short_code_id: reference('short_code_id'),
  ip: inet('ip'),
  visits: bigint('visits', { mode: 'number' }).notNull(),
  first_at: moment('first_at').notNull(),
  last_at: moment('last_at').notNull(),
});
/** What was decided on a host: without an owner by administrators, on an unknown one. */
export const visit_source_rule = pgTable('visit_source_rule', {
  id: idColumn(),
  owner_id: reference('owner_id'),
  host: text('host').notNull(),
  action: text('action').$type<(typeof sourceActions)[number]>().notNull(),
  created_by: reference('created_by'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

/** Up to which day the visits of an owner are gone that the site keeps for others still. Owner 0: visits of nobody's codes. */
export const visit_retention = pgTable('visit_retention', {
  owner_id: reference('owner_id').primaryKey(),
  emptied_until: date('emptied_until').notNull(),
});
