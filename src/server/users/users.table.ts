import { sql } from 'drizzle-orm';
import { bigint, boolean, inet, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { Language, userStatuses } from '../../contract/enums.ts';
import { bytes, freezing, idColumn, moment, noOrYes, reference } from '../kit/rows/columns.ts';

/** What a share ratio became, in basis points. */
export const share_ratio_change = pgTable('share_ratio_change', {
  id: idColumn(),
  user_id: reference('user_id').notNull(),
  before: integer('before').notNull(),
  after: integer('after').notNull(),
  at: moment('at').notNull().default(sql`now()`),
});

export const user_account = pgTable('user_account', {
  id: idColumn(),
  account: text('account').notNull(),
  name: text('name').notNull().default(''),
  phone: text('phone').notNull().default(''),
  password_hash: text('password_hash').notNull(),
  role_id: reference('role_id').notNull(),
  superior_id: reference('superior_id'),
  invitation_code: text('invitation_code').notNull(),
  remark: text('remark').notNull().default(''),
  language: text('language').$type<Language>(),
  share_ratio: integer('share_ratio').notNull().default(1000),
  member_expires_at: moment('member_expires_at'),
  disabled: noOrYes('disabled').notNull().default(1),
  all_codes_open: boolean('all_codes_open').notNull().default(true),
  /** Domains that he may hold; null is what the site's setting says. */
  domain_quota: integer('domain_quota'),
  /** Addresses that he may watch besides his domains, and the shortest time between two checks; null is what the settings say. */
  monitor_quota: integer('monitor_quota'),
  monitor_minimum_seconds: integer('monitor_minimum_seconds'),
  /** Days that visits to his codes are kept; null is what his combo or the setting says. */
  log_days: integer('log_days'),
  /** Which end of his membership he was told of, and how many days before it. */
  member_told_expiry: moment('member_told_expiry'),
  member_told_days: integer('member_told_days'),
  ...freezing(),
  status: smallint('status').$type<(typeof userStatuses)[number]>().notNull().default(1),
  removed_at: moment('removed_at'),
  removed_by: reference('removed_by'),
  /** Whether he was disabled before he was removed. */
  was_disabled: boolean('was_disabled').notNull().default(false),
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
  impersonator_session_id: reference('impersonator_session_id'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  used_at: moment('used_at').notNull().default(sql`now()`),
  expires_at: moment('expires_at').notNull(),
});

export const second_factor = pgTable('second_factor', {
  user_id: bigint('user_id', { mode: 'number' }).primaryKey(),
  secret: bytes('secret'),
  pending_secret: bytes('pending_secret'),
  pending_at: moment('pending_at'),
  last_step: bigint('last_step', { mode: 'number' }).notNull().default(0),
  confirmed_at: moment('confirmed_at'),
});

export const recovery_code = pgTable(
  'recovery_code',
  { user_id: reference('user_id').notNull(), code_hash: bytes('code_hash').notNull(), used_at: moment('used_at') },
  (table) => [primaryKey({ columns: [table.user_id, table.code_hash] })],
);

export const user_preference = pgTable(
  'user_preference',
  { user_id: reference('user_id').notNull(), key: text('key').notNull(), value: jsonb('value').notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.key] })],
);
