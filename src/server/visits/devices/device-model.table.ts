import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment, reference, timestamps } from '../../kit/rows/columns.ts';

export const device_model = pgTable('device_model', {
  id: idColumn(),
  code: text('code').notNull(),
  brand: text('brand').notNull().default(''),
  name: text('name').notNull().default(''),
  sample: text('sample').notNull().default(''),
  visits: bigint('visits', { mode: 'number' }).notNull().default(0),
  last_at: moment('last_at'),
  named_by: reference('named_by'),
  named_at: moment('named_at'),
  ...timestamps(),
});

/** How often what loaders look up changed, by kind. */
export const visit_facts = pgTable('visit_facts', {
  kind: text('kind').$type<'device' | 'place'>().primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull().default(0),
});
