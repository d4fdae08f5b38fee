import { sql } from 'drizzle-orm';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment, reference } from '../kit/columns.ts';
import { canonicalCidr } from '../kit/ip.ts';

/** PostgreSQL writes a single address with its `/32`; everywhere else it has none. */
const network = customType<{ data: string; driverData: string }>({
  dataType: () => 'cidr',
  fromDriver: (value) => canonicalCidr(value) ?? value,
});

export const ip_black = pgTable('ip_black', {
  id: idColumn(),
  network: network('network').notNull(),
  remark: text('remark').notNull().default(''),
  expires_at: moment('expires_at'),
  hits: reference('hits').notNull().default(0),
  last_hit_at: moment('last_hit_at'),
  created_by: reference('created_by'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
