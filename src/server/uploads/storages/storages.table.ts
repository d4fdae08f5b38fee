import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { UploadType } from '../../../contract/system/image-config.ts';
import { bytes, idColumn, moment, reference } from '../../kit/rows/columns.ts';

export const image_config = pgTable('image_config', {
  id: idColumn(),
  name: text('name').notNull(),
  upload_type: text('upload_type').$type<UploadType>().notNull(),
  endpoint: text('endpoint').notNull().default(''),
  region: text('region').notNull().default(''),
  bucket: text('bucket').notNull().default(''),
  save_path: text('save_path').notNull().default(''),
  domain: text('domain').notNull().default(''),
  access_key_id: text('access_key_id').notNull().default(''),
  access_key_secret: bytes('access_key_secret'),
  path_style: boolean('path_style').notNull().default(false),
  enabled: boolean('enabled').notNull().default(true),
  active: boolean('active').notNull().default(false),
  tested_at: moment('tested_at'),
  test_error: text('test_error'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const storage_removal = pgTable('storage_removal', {
  id: idColumn(),
  storage_id: reference('storage_id').notNull(),
  object_key: text('object_key').notNull(),
  attempts: integer('attempts').notNull().default(0),
  due_at: moment('due_at').notNull(),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
