import { sql } from 'drizzle-orm';
import { boolean, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import type { CertificateFound, CertificateState, DnsState, RecordsFound, RegistrationFault } from '../../contract/domains/domain-check.ts';
import type { blockStatuses, domainTypes } from '../../contract/enums.ts';
import { freezing, idColumn, moment, reference } from '../kit/rows/columns.ts';

export const domain = pgTable('domain', {
  id: idColumn(),
  host: text('host').notNull(),
  type: smallint('type').$type<(typeof domainTypes)[number]>().notNull(),
  holder_id: reference('holder_id'),
  enabled: boolean('enabled').notNull().default(true),
  block_status: smallint('block_status').$type<(typeof blockStatuses)[number]>(),
  wildcard: boolean('wildcard').notNull().generatedAlwaysAs(sql`host LIKE '*.%'`),
  remark: text('remark').notNull().default(''),
  ...freezing(),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

/** What is known of a domain from outside. The database makes a row for each domain. */
export const domain_check = pgTable('domain_check', {
  domain_id: reference('domain_id').primaryKey(),
  dns_state: text('dns_state').$type<DnsState>(),
  records: jsonb('records').$type<RecordsFound>(),
  certificate_state: text('certificate_state').$type<CertificateState>(),
  certificate: jsonb('certificate').$type<CertificateFound>(),
  certificate_expires_at: moment('certificate_expires_at'),
  checked_at: moment('checked_at'),
  due_at: moment('due_at').notNull().default(sql`now()`),
  certificate_told_expiry: moment('certificate_told_expiry'),
  certificate_told_days: smallint('certificate_told_days'),
  registered_name: text('registered_name'),
  registration_typed: moment('registration_typed'),
  registration_typed_at: moment('registration_typed_at'),
  registration_told_expiry: moment('registration_told_expiry'),
  registration_told_days: smallint('registration_told_days'),
});

/** What registries say of registered names, which domains below them share. */
export const domain_registration = pgTable('domain_registration', {
  name: text('name').primaryKey(),
  expires_at: moment('expires_at'),
  found_at: moment('found_at'),
  asked_at: moment('asked_at'),
  fault: text('fault').$type<RegistrationFault>(),
  due_at: moment('due_at').notNull().default(sql`now()`),
});
