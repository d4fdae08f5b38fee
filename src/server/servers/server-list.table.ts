import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { ServerAuth, ServerFigures, ServerState } from '../../contract/system/server-list.ts';
import { bytes, idColumn, moment, reference, timestamps } from '../kit/rows/columns.ts';

export const server = pgTable('server', {
  id: idColumn(),
  name: text('name').notNull(),
  host: text('host').notNull(),
  port: integer('port').notNull().default(22),
  ssh_user: text('ssh_user').notNull(),
  auth: text('auth').$type<ServerAuth>().notNull(),
  credentials: bytes('credentials'),
  host_key: text('host_key'),
  host_key_type: text('host_key_type'),
  host_key_at: moment('host_key_at'),
  offered_key: text('offered_key'),
  front_command: text('front_command').notNull(),
  back_command: text('back_command').notNull(),
  code_command: text('code_command').notNull(),
  state: text('state').$type<ServerState>().notNull().default('unknown'),
  error: text('error'),
  error_params: jsonb('error_params').$type<Record<string, string | number>>(),
  checked_at: moment('checked_at'),
  due_at: moment('due_at').notNull().default(sql`now()`),
  figures: jsonb('figures').$type<ServerFigures>(),
  ...timestamps(),
});
export type StoredServer = typeof server.$inferSelect;

export const server_hour = pgTable(
  'server_hour',
  {
    server_id: reference('server_id').notNull(),
    hour: moment('hour').notNull(),
    checks: integer('checks').notNull(),
    answered: integer('answered').notNull(),
  },
  (table) => [primaryKey({ columns: [table.server_id, table.hour] })],
);
