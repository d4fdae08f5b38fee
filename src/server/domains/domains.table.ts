import { sql } from 'drizzle-orm';
import { boolean, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import type { blockStatuses, domainTypes } from '../../contract/enums.ts';
import { idColumn, moment, reference } from '../kit/columns.ts';

export const domain = pgTable('domain', {
  id: idColumn(),
  host: text('host').notNull(),
  type: smallint('type').$type<(typeof domainTypes)[number]>().notNull(),
  holder_id: reference('holder_id'),
  enabled: boolean('enabled').notNull().default(true),
  block_status: smallint('block_status').$type<(typeof blockStatuses)[number]>(),
  wildcard: boolean('wildcard').notNull().generatedAlwaysAs(sql`host LIKE '*.%'`),
  remark: text('remark').notNull().default(''),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});
