import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { SnippetProvider } from '../../contract/links/js-config.providers.ts';
import type { SnippetApproval } from '../../contract/links/js-config.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

export const js_config = pgTable('js_config', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  name: text('name').notNull(),
  provider: text('provider').$type<SnippetProvider>().notNull(),
  provider_id: text('provider_id').notNull().default(''),
  code: text('code').notNull().default(''),
  origins: text('origins').array().notNull().default([]),
  all_codes: boolean('all_codes').notNull().default(false),
  enabled: boolean('enabled').notNull().default(true),
  approval: text('approval').$type<SnippetApproval>().notNull().default('waiting'),
  approval_reason: text('approval_reason').notNull().default(''),
  approved_by: reference('approved_by'),
  approved_at: moment('approved_at'),
  version: integer('version').notNull().default(1),
  submitted_at: moment('submitted_at').notNull().default(sql`now()`),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});
