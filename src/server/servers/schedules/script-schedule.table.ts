import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ScriptSchedule, SkipReason } from '../../../contract/system/script-schedule.ts';
import { bytes, idColumn, moment, reference, timestamps } from '../../kit/rows/columns.ts';

export const script_schedule = pgTable('script_schedule', {
  id: idColumn(),
  name: text('name').notNull(),
  script_id: reference('script_id'),
  values: jsonb('values').$type<Record<string, string>>().notNull().default(sql`'{}'`),
  secrets: bytes('secrets'),
  server_ids: bigint('server_ids', { mode: 'number' }).array().notNull(),
  parallel: integer('parallel').notNull(),
  stop_on_failure: boolean('stop_on_failure').notNull(),
  cron: text('cron').notNull(),
  time_zone: text('time_zone').notNull(),
  missed: text('missed').$type<ScriptSchedule['missed']>().notNull().default('skip'),
  enabled: boolean('enabled').notNull().default(true),
  user_id: reference('user_id').notNull(),
  next_at: moment('next_at'),
  planned_at: moment('planned_at').notNull().default(sql`now()`),
  running_id: reference('running_id'),
  failing_since: moment('failing_since'),
  told_at: moment('told_at'),
  skipped_at: moment('skipped_at'),
  skipped_why: text('skipped_why').$type<SkipReason>(),
  halted_at: moment('halted_at'),
  halt_reason: text('halt_reason'),
  halt_params: jsonb('halt_params').$type<Record<string, string | number>>(),
  ...timestamps(),
});
export type StoredSchedule = typeof script_schedule.$inferSelect;
