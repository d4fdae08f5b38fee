import { sql } from 'drizzle-orm';
import { inet, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { NodeKey } from '../../contract/permissions.ts';
import { bytes, idColumn, moment, network, reference } from '../kit/rows/columns.ts';

export const api_token = pgTable('api_token', {
  id: idColumn(),
  user_id: reference('user_id').notNull(),
  role_id: reference('role_id').notNull(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  token_hash: bytes('token_hash').notNull(),
  nodes: text('nodes').array().$type<NodeKey[]>().notNull(),
  networks: network('networks').array().notNull().default([]),
  calls_per_minute: integer('calls_per_minute').notNull().default(600),
  expires_at: moment('expires_at'),
  last_used_at: moment('last_used_at'),
  last_used_ip: inet('last_used_ip'),
  revoked_at: moment('revoked_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});
