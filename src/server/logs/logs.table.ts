import { sql } from 'drizzle-orm';
import { bigint, boolean, customType, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, idColumn, moment, reference } from '../kit/rows/columns.ts';

const number = (name: string) => bigint(name, { mode: 'number' });
const multirange = customType<{ data: string }>({ dataType: () => 'int8multirange' });

export const log_config = pgTable('log_config', {
  id: idColumn(),
  type: text('type').notNull(),
  kept: boolean('kept').notNull().default(true),
  retention_days: integer('retention_days'),
  template: text('template'),
  remark: text('remark').notNull().default(''),
  updated_by: reference('updated_by'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const log_type = pgTable('log_type', {
  type: text('type').primaryKey(),
  number: number('number').notNull(),
  last_at: moment('last_at').notNull(),
});

export const log_seal = pgTable('log_seal', {
  id: number('id').primaryKey(),
  first_id: number('first_id').notNull(),
  last_id: number('last_id').notNull(),
  number: integer('number').notNull(),
  entries: bytes('entries').notNull(),
  hash: bytes('hash').notNull(),
  signature: bytes('signature').notNull(),
  sealed_at: moment('sealed_at').notNull().default(sql`now()`),
});

export const log_checkpoint = pgTable('log_checkpoint', {
  id: number('id').primaryKey(),
  ids: multirange('ids').notNull(),
  number: integer('number').notNull(),
  reason: text('reason').$type<'retention' | 'clear'>().notNull(),
  user_id: reference('user_id'),
  hash: bytes('hash').notNull(),
  signature: bytes('signature').notNull(),
  removed_at: moment('removed_at').notNull().default(sql`now()`),
});
