import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { HomeBlockKind, HomeLink } from '../../contract/content/home-page-config.ts';
import type { LinkJumpType } from '../../contract/links/jump.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

const typeTable = (name: string) =>
  pgTable(name, {
    id: idColumn(),
    name: text('name').notNull(),
    sort: integer('sort').notNull().default(0),
    remark: text('remark').notNull().default(''),
    created_at: moment('created_at').notNull().default(sql`now()`),
    updated_at: moment('updated_at').notNull().default(sql`now()`),
  });
export type TypeTable = ReturnType<typeof typeTable>;
export const rotation_type = typeTable('rotation_type');
export const document_type = typeTable('document_type');

export const rotation = pgTable('rotation', {
  id: idColumn(),
  type_id: reference('type_id').notNull(),
  file_id: reference('file_id').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull().default(''),
  jump_type: smallint('jump_type').$type<LinkJumpType>().notNull().default(1),
  jump_address: text('jump_address').notNull().default(''),
  sort: integer('sort').notNull().default(0),
  remark: text('remark').notNull().default(''),
  enabled: boolean('enabled').notNull().default(true),
  click_count: bigint('click_count', { mode: 'number' }).notNull().default(0),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const rotation_click = pgTable(
  'rotation_click',
  {
    rotation_id: reference('rotation_id').notNull(),
    user_id: reference('user_id').notNull(),
    at: moment('at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.rotation_id, table.user_id] })],
);

export const document = pgTable('document', {
  id: idColumn(),
  type_id: reference('type_id').notNull(),
  title: text('title').notNull(),
  cover_id: reference('cover_id'),
  body: text('body').notNull().default(''),
  plain: text('plain').notNull().default(''),
  sort: integer('sort').notNull().default(0),
  enabled: boolean('enabled').notNull().default(true),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const home_page = pgTable('home_page', {
  id: smallint('id').primaryKey().default(1),
  version: integer('version').notNull().default(1),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const home_block = pgTable('home_block', {
  id: idColumn(),
  position: integer('position').notNull(),
  kind: text('kind').$type<HomeBlockKind>().notNull(),
  title: text('title').notNull().default(''),
  enabled: boolean('enabled').notNull().default(true),
  body: text('body').notNull().default(''),
  rotation_type_id: reference('rotation_type_id'),
  links: jsonb('links').$type<HomeLink[]>().notNull().default([]),
});
