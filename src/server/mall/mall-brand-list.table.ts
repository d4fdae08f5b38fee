import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, reference, timestamps } from '../kit/rows/columns.ts';

export const mall_brand = pgTable('mall_brand', {
  id: idColumn(),
  name: text('name').notNull(),
  letter: text('letter').notNull(),
  logo_id: reference('logo_id'),
  sort: integer('sort').notNull().default(0),
  enabled: boolean('enabled').notNull().default(true),
  ...timestamps(),
});
