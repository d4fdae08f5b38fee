import { boolean, date, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { Language } from '../../../contract/enums.ts';
import type { DigestPeriod, VisitDigest } from '../../../contract/visits/visit-digest.ts';
import { idColumn, moment, reference, timestamps } from '../../kit/rows/columns.ts';

export const visit_digest = pgTable('visit_digest', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  name: text('name').notNull(),
  question: jsonb('question').$type<VisitDigest['question']>().notNull(),
  every: text('every').$type<DigestPeriod>().notNull(),
  weekday: smallint('weekday').notNull().default(1),
  hour: smallint('hour').notNull(),
  language: text('language').$type<Language>().notNull(),
  enabled: boolean('enabled').notNull().default(true),
  next_at: moment('next_at').notNull(),
  told_from: date('told_from'),
  told_to: date('told_to'),
  sent_at: moment('sent_at'),
  ...timestamps(),
});

export const visit_digest_channel = pgTable(
  'visit_digest_channel',
  { digest_id: reference('digest_id').notNull(), channel_id: reference('channel_id').notNull() },
  ({ digest_id, channel_id }) => [primaryKey({ columns: [digest_id, channel_id] })],
);
