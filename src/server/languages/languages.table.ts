import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { BuiltInLanguage } from '../../contract/enums.ts';
import { moment, reference, shownOrHidden } from '../kit/rows/columns.ts';

export const language = pgTable('language', {
  code: text('code').primaryKey(),
  base: text('base').$type<BuiltInLanguage>().notNull(),
  title: text('title').notNull(),
  icon: text('icon').notNull().default(''),
  country: text('country').notNull().default(''),
  abbreviation: text('abbreviation').notNull().default(''),
  phone_area_code: text('phone_area_code').notNull().default(''),
  sort: integer('sort').notNull().default(0),
  show_status: shownOrHidden('show_status').notNull().default(1),
  version: bigint('version', { mode: 'number' }).notNull().default(0),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const language_text = pgTable(
  'language_text',
  {
    code: text('code').notNull(),
    key: text('key').notNull(),
    text: text('text').notNull(),
    updated_by: reference('updated_by'),
    updated_at: moment('updated_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.code, table.key] })],
);
