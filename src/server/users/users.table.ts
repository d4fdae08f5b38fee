import { sql } from 'drizzle-orm';
import { boolean, inet, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytes, idColumn, moment, reference } from '../kit/columns.ts';

export const user_account = pgTable('user_account', {
  id: idColumn(),
  account: text('account').notNull(),
  name: text('name').notNull().default(''),
  phone: text('phone').notNull().default(''),
  password_hash: text('password_hash').notNull(),
  role_id: reference('role_id').notNull(),
  superior_id: reference('superior_id'),
  invitation_code: text('invitation_code').notNull(),
  share_ratio: integer('share_ratio').notNull().default(1000),
  member_expires_at: moment('member_expires_at'),
  disabled: smallint('disabled').$type<1 | 2>().notNull().default(1),
  all_codes_open: boolean('all_codes_open').notNull().default(true),
  register_ip: inet('register_ip'),
  login_ip: inet('login_ip'),
  login_at: moment('login_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const session = pgTable('session', {
  id: idColumn(),
  token_hash: bytes('token_hash').notNull(),
  user_id: reference('user_id').notNull(),
  ip: inet('ip'),
  user_agent: text('user_agent').notNull().default(''),
  created_at: moment('created_at').notNull().default(sql`now()`),
  used_at: moment('used_at').notNull().default(sql`now()`),
  expires_at: moment('expires_at').notNull(),
});

export const user_preference = pgTable(
  'user_preference',
  { user_id: reference('user_id').notNull(), key: text('key').notNull(), value: jsonb('value').notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.key] })],
);
