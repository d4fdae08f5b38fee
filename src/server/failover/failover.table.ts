import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import type { Otherwise } from '../../contract/detection/shield-configuration.ts';
import type { domainTypes } from '../../contract/enums.ts';
import { idColumn, moment, reference, timestamps } from '../kit/rows/columns.ts';

/** What is done about a blocked domain of a type: of a user, of the pool, or what users without own rules have. */
export const shield_rule = pgTable('shield_rule', {
  id: idColumn(),
  owner_id: reference('owner_id'),
  pool: boolean('pool').notNull().default(false),
  type: smallint('type').$type<(typeof domainTypes)[number]>().notNull(),
  enabled: boolean('enabled').notNull().default(true),
  replace_own: boolean('replace_own').notNull().default(true),
  replace_pool: boolean('replace_pool').notNull().default(true),
  otherwise: text('otherwise').$type<Otherwise>().notNull().default('wait'),
  max_per_hour: integer('max_per_hour').notNull().default(20),
  checked_minutes: integer('checked_minutes').notNull().default(30),
  low_water: integer('low_water').notNull().default(1),
  ...timestamps(),
});

/** What was done about a time in which a domain was blocked. The database makes a row for each incident. */
export const failover = pgTable('failover', {
  id: idColumn(),
  incident_id: reference('incident_id'),
  domain_id: reference('domain_id'),
  host: text('host').notNull(),
  type: smallint('type').$type<(typeof domainTypes)[number]>().notNull(),
  holder_id: reference('holder_id'),
  began_at: moment('began_at').notNull().default(sql`now()`),
  tried_at: moment('tried_at'),
  started_at: moment('started_at'),
  onto_pool: boolean('onto_pool').notNull().default(false),
  replacement_id: reference('replacement_id'),
  paused_codes: integer('paused_codes').notNull().default(0),
  reopened_codes: integer('reopened_codes').notNull().default(0),
});
