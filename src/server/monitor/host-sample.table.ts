import { sql } from 'drizzle-orm';
import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../kit/rows/columns.ts';
import type { HostSample } from './samples.ts';

export const host_sample = pgTable(
  'host_sample',
  { host: text('host').notNull(), at: moment('at').notNull().default(sql`now()`), sample: jsonb('sample').$type<HostSample>().notNull() },
  (table) => [primaryKey({ columns: [table.host, table.at] })],
);

export const host_alarm = pgTable(
  'host_alarm',
  { host: text('host').notNull(), kind: text('kind').notNull(), since: moment('since').notNull().default(sql`now()`) },
  (table) => [primaryKey({ columns: [table.host, table.kind] })],
);
