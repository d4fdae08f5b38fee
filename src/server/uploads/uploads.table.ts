import { sql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { QrKind } from '../../contract/codes/qr-kind.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

export const file = pgTable('file', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  name: text('name').notNull(),
  content_type: text('content_type').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  size: integer('size').notNull(),
  storage_id: reference('storage_id').notNull().default(1),
  /** Empty on the local disk, where the name says it. */
  object_key: text('object_key').notNull().default(''),
  /** What its owner calls it; at first the name of the file that was uploaded. */
  title: text('title').notNull().default(''),
  /** What the QR code in the picture says and is; null where nobody has looked. */
  qr_text: text('qr_text'),
  qr_kind: text('qr_kind').$type<QrKind>(),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
