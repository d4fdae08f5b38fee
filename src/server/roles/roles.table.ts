import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { RoleKind } from '../../contract/enums.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

export const role = pgTable('role', {
  id: idColumn(),
  name: text('name').notNull(),
  remark: text('remark').notNull().default(''),
  kind: text('kind').$type<RoleKind>().notNull(),
  built_in: boolean('built_in').notNull().default(false),
  version: integer('version').notNull().default(1),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const permission_node = pgTable('permission_node', {
  id: idColumn(),
  parent_id: reference('parent_id'),
  key: text('key').notNull(),
  name: text('name').notNull(),
  path: text('path').notNull(),
  type: smallint('type').$type<1 | 2>().notNull(),
  platform: smallint('platform').notNull().default(1),
  icon: text('icon').notNull().default(''),
  sort: integer('sort').notNull().default(0),
  show_headshot: boolean('show_headshot').notNull().default(false),
  allow_selection: boolean('allow_selection').notNull().default(true),
  language_variables: text('language_variables').notNull().default(''),
});

export const role_node = pgTable(
  'role_node',
  { role_id: reference('role_id').notNull(), node_id: reference('node_id').notNull() },
  (table) => [primaryKey({ columns: [table.role_id, table.node_id] })],
);
