import { boolean, inet, numeric, pgTable, text } from 'drizzle-orm/pg-core';
import type { Carrier } from '../../../contract/enums.ts';
import { idColumn, timestamps } from '../../kit/rows/columns.ts';

export const ip_correction = pgTable('ip_correction', {
  id: idColumn(),
  range: text('range').notNull(),
  first_ip: inet('first_ip').notNull(),
  last_ip: inet('last_ip').notNull(),
  size: numeric('size').notNull(),
  country: text('country').notNull(),
  region: text('region').notNull().default(''),
  city: text('city').notNull().default(''),
  carrier: text('carrier').$type<Carrier>().notNull().default('other'),
  remark: text('remark').notNull().default(''),
  enabled: boolean('enabled').notNull().default(true),
  ...timestamps(),
});
