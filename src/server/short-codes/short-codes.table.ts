import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { PlatformConfig, PlatformType } from '../../contract/links/platform-config.ts';
import { bytes, idColumn, moment, reference, shownOrHidden } from '../kit/rows/columns.ts';

export const url_key_platform = pgTable('url_key_platform', {
  id: idColumn(),
  name: text('name').notNull(),
  type: smallint('type').$type<PlatformType>().notNull(),
  config: jsonb('config').$type<PlatformConfig>().notNull().default(sql`'{}'`),
  /** Sealed as `platform:{id}`. */
  key: bytes('key'),
  enabled: boolean('enabled').notNull().default(true),
  sort: integer('sort').notNull().default(0),
  remark: text('remark').notNull().default(''),
  used: bigint('used', { mode: 'number' }).notNull().default(0),
  /** `{ code, params }` of the failure as JSON: it is told in the reader's language. */
  last_error: text('last_error'),
  last_error_at: moment('last_error_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

/** What a short code shows in the in-app browser instead of redirecting; `picture_file` is an upload's name. */
export type ShownPage = { title: string; text: string; picture_file: string | null };

export const short_code = pgTable('short_code', {
  // The database takes it from the live codes' sequence.
  id: bigint('id', { mode: 'number' }).primaryKey().default(sql`nextval(pg_get_serial_sequence('live_code', 'id'))`),
  owner_id: reference('owner_id').notNull(),
  short: text('short'),
  domain_id: reference('domain_id'),
  platform_id: reference('platform_id'),
  live_code_id: reference('live_code_id'),
  url: text('url'),
  platform_url: text('platform_url'),
  label: text('label'),
  domain_choice: text('domain_choice').$type<'healthy_pool' | 'random_label'>(),
  page: jsonb('page').$type<ShownPage>(),
  display: shownOrHidden('display').notNull().default(1),
  enabled: boolean('enabled').notNull().default(true),
  expires_at: moment('expires_at'),
  remark: text('remark').notNull().default(''),
  qr_design: jsonb('qr_design').$type<Record<string, z.core.util.JSONType>>(),
  request_key: uuid('request_key'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});
