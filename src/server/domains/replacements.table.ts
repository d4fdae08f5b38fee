import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { domainTypes } from '../../contract/enums.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

export const domain_replacement = pgTable('domain_replacement', {
  id: idColumn(),
  from_domain_id: reference('from_domain_id'),
  to_domain_id: reference('to_domain_id'),
  from_host: text('from_host').notNull(),
  to_host: text('to_host').notNull(),
  type: smallint('type').$type<(typeof domainTypes)[number]>().notNull(),
  owner_ids: bigint('owner_ids', { mode: 'number' }).array().notNull().default(sql`'{}'`),
  live_codes: integer('live_codes').notNull().default(0),
  short_codes: integer('short_codes').notNull().default(0),
  forwards: integer('forwards').notNull().default(0),
  created_by: reference('created_by'),
  /** The block that the product replaced it for. */
  failover_id: reference('failover_id'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  undone_at: moment('undone_at'),
  undone_by: reference('undone_by'),
  undone_codes: integer('undone_codes').notNull().default(0),
});

export const domain_replacement_code = pgTable(
  'domain_replacement_code',
  { replacement_id: reference('replacement_id').notNull(), code_id: reference('code_id').notNull() },
  (table) => [primaryKey({ columns: [table.replacement_id, table.code_id] })],
);
