import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { TargetRule } from '../../contract/codes/targeting.ts';
import type { accessModes, jumpTypes, pageStyles, rotationModes, TargetKind, visitRestrictions } from '../../contract/enums.ts';
import { bytes, freezing, idColumn, moment, reference } from '../kit/rows/columns.ts';

export const live_code = pgTable('live_code', {
  id: idColumn(),
  file_name: text('file_name').notNull(),
  owner_id: reference('owner_id').notNull(),
  name: text('name').notNull(),
  remark: text('remark').notNull().default(''),
  group_id: reference('group_id'),
  internal_group_id: reference('internal_group_id'),
  entry_domain_id: reference('entry_domain_id'),
  landing_domain_id: reference('landing_domain_id'),
  open: boolean('open').notNull().default(true),
  rotation_mode: smallint('rotation_mode').$type<(typeof rotationModes)[number]>().notNull().default(1),
  jump_type: smallint('jump_type').$type<(typeof jumpTypes)[number]>().notNull().default(1),
  access_mode: smallint('access_mode').$type<(typeof accessModes)[number]>().notNull().default(1),
  restriction_visit: smallint('restriction_visit').$type<(typeof visitRestrictions)[number]>().notNull().default(1),
  open_log: boolean('open_log').notNull().default(true),
  share_password_hash: bytes('share_password_hash'),
  fallback_url: text('fallback_url'),
  page_title: text('page_title').notNull().default(''),
  page_text: text('page_text').notNull().default(''),
  page_style: text('page_style').$type<(typeof pageStyles)[number]>().notNull().default('card'),
  page_color: text('page_color'),
  qr_design: jsonb('qr_design').$type<Record<string, import('zod').z.core.util.JSONType>>(),
  /** The design without its logo, made by the database; null where even that is large. */
  qr_look: jsonb('qr_look').$type<Record<string, import('zod').z.core.util.JSONType>>().generatedAlwaysAs(sql`NULL`),
  expires_at: moment('expires_at'),
  same_target: boolean('same_target').notNull().default(false),
  removed: boolean('removed').notNull().default(false),
  removed_at: moment('removed_at'),
  removed_by: reference('removed_by'),
  visible_from: moment('visible_from'),
  ...freezing(),
  version: integer('version').notNull().default(1),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

/** All keys under which codes answer; a code's own is kept by triggers. */
export const live_code_key = pgTable('live_code_key', {
  id: idColumn(),
  key: text('key').notNull(),
  live_code_id: reference('live_code_id').notNull(),
  own: boolean('own').notNull().default(false),
  remark: text('remark').notNull().default(''),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

/** The snippets that codes chose. */
export const live_code_js_config = pgTable(
  'live_code_js_config',
  {
    live_code_id: reference('live_code_id').notNull(),
    js_config_id: reference('js_config_id').notNull(),
    position: smallint('position').notNull(),
  },
  (table) => [primaryKey({ columns: [table.live_code_id, table.js_config_id] })],
);

/** Groups of codes; without an owner the administrators' own. */
export const code_group = pgTable('code_group', {
  id: idColumn(),
  owner_id: reference('owner_id'),
  name: text('name').notNull(),
  color: text('color').notNull().default('#0f766e'),
  sort: integer('sort').notNull().default(0),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const live_code_target = pgTable('live_code_target', {
  id: idColumn(),
  live_code_id: reference('live_code_id').notNull(),
  kind: text('kind').$type<TargetKind>().notNull(),
  content: text('content'),
  file_id: reference('file_id'),
  name: text('name').notNull().default(''),
  sort: integer('sort').notNull(),
  weight: integer('weight').notNull().default(1),
  threshold: integer('threshold'),
  refill_hour: smallint('refill_hour'),
  refilled_at: moment('refilled_at'),
  enabled: boolean('enabled').notNull().default(true),
  expires_at: moment('expires_at'),
  rules: jsonb('rules').$type<TargetRule[]>(),
  any_picture: boolean('any_picture').notNull().default(false),
  /** The expiry of which the owner has been told. */
  reminded_expiry: moment('reminded_expiry'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

/** What a target leads to as the wire has it: of a picture the id of its file. */
export const targetContent = sql<string>`coalesce(${live_code_target.content}, ${live_code_target.file_id}::text)`;

/** The columns that hold it. */
export const contentColumns = (kind: TargetKind, content: string) =>
  kind === 'picture' ? { content: null, file_id: Number(content) } : { content, file_id: null };

export const target_quota = pgTable('target_quota', {
  target_id: bigint('target_id', { mode: 'number' }).primaryKey(),
  remaining: integer('remaining').notNull(),
  generation: integer('generation').notNull().default(1),
});

export const target_lease = pgTable('target_lease', {
  id: idColumn(),
  target_id: reference('target_id').notNull(),
  generation: integer('generation').notNull(),
  source: text('source').notNull(),
  granted: integer('granted').notNull(),
  served: integer('served').notNull().default(0),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

export const live_code_total = pgTable('live_code_total', {
  live_code_id: bigint('live_code_id', { mode: 'number' }).primaryKey(),
  visits: bigint('visits', { mode: 'number' }).notNull(),
  ips: bigint('ips', { mode: 'number' }).notNull(),
});

/** Long presses of a target's picture. */
export const target_press_total = pgTable('target_press_total', {
  target_id: bigint('target_id', { mode: 'number' }).primaryKey(),
  presses: bigint('presses', { mode: 'number' }).notNull(),
});

export const target_total = pgTable('target_total', {
  target_id: bigint('target_id', { mode: 'number' }).primaryKey(),
  visits: bigint('visits', { mode: 'number' }).notNull(),
});
