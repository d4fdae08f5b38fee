import { sql } from 'drizzle-orm';
import { inet, pgTable, text } from 'drizzle-orm/pg-core';
import type { ReportReason } from '../../contract/enums.ts';
import type { reportStates } from '../../contract/visits/report-list.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

/** What visitors said of codes. */
export const report = pgTable('report', {
  id: idColumn(),
  live_code_id: reference('live_code_id'),
  file_name: text('file_name').notNull(),
  owner_id: reference('owner_id').notNull(),
  host: text('host').notNull(),
  reason: text('reason').$type<ReportReason>().notNull(),
  text: text('text').notNull(),
  ip: inet('ip').notNull(),
  language: text('language').notNull(),
  at: moment('at').notNull(),
  state: text('state').$type<(typeof reportStates)[number]>().notNull().default('new'),
  decided_by: reference('decided_by'),
  decided_at: moment('decided_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
