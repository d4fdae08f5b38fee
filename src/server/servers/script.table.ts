import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { RunKind, RunServerState, ScriptParameter } from '../../contract/system/script.ts';
import { bytes, idColumn, moment, reference, timestamps } from '../kit/rows/columns.ts';

const number = (name: string) => bigint(name, { mode: 'number' });

export const script = pgTable('script', {
  id: idColumn(),
  name: text('name').notNull(),
  remark: text('remark').notNull().default(''),
  body: text('body').notNull(),
  timeout_seconds: integer('timeout_seconds').notNull().default(300),
  parameters: jsonb('parameters').$type<ScriptParameter[]>().notNull().default(sql`'[]'`),
  version: integer('version').notNull().default(1),
  ...timestamps(),
});
export type StoredScript = typeof script.$inferSelect;

export const script_version = pgTable(
  'script_version',
  {
    script_id: reference('script_id').notNull(),
    version: integer('version').notNull(),
    body: text('body').notNull(),
    timeout_seconds: integer('timeout_seconds').notNull(),
    parameters: jsonb('parameters').$type<ScriptParameter[]>().notNull(),
    user_id: reference('user_id'),
    created_at: moment('created_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.script_id, table.version] })],
);

export const script_run = pgTable('script_run', {
  id: idColumn(),
  kind: text('kind').$type<RunKind>().notNull(),
  script_id: reference('script_id'),
  script_name: text('script_name').notNull().default(''),
  version: integer('version'),
  environment: jsonb('environment').$type<Record<string, string>>().notNull().default(sql`'{}'`),
  secrets: bytes('secrets'),
  dry: boolean('dry').notNull().default(false),
  timeout_seconds: integer('timeout_seconds').notNull(),
  parallel: integer('parallel').notNull(),
  stop_on_failure: boolean('stop_on_failure').notNull(),
  user_id: reference('user_id').notNull(),
  schedule_id: reference('schedule_id'),
  operation_id: reference('operation_id'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
export type StoredRun = typeof script_run.$inferSelect;

export const script_run_server = pgTable('script_run_server', {
  id: idColumn(),
  run_id: reference('run_id').notNull(),
  server_id: reference('server_id'),
  server_name: text('server_name').notNull(),
  host: text('host').notNull(),
  body: text('body').notNull(),
  state: text('state').$type<RunServerState>().notNull().default('waiting'),
  exit_status: integer('exit_status'),
  exit_signal: text('exit_signal'),
  error: text('error'),
  error_params: jsonb('error_params').$type<Record<string, string | number>>(),
  token: text('token'),
  process_group: integer('process_group'),
  output_bytes: number('output_bytes').notNull().default(0),
  is_cut: boolean('is_cut').notNull().default(false),
  started_at: moment('started_at'),
  finished_at: moment('finished_at'),
});
export type StoredRunServer = typeof script_run_server.$inferSelect;

export const script_output = pgTable(
  'script_output',
  { run_server_id: reference('run_server_id').notNull(), number: integer('number').notNull(), content: text('content').notNull() },
  (table) => [primaryKey({ columns: [table.run_server_id, table.number] })],
);
