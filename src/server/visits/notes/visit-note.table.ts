import { pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, moment, reference, timestamps } from '../../kit/rows/columns.ts';

export const visit_note = pgTable('visit_note', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  live_code_id: reference('live_code_id'),
  at: moment('at').notNull(),
  text: text('text').notNull(),
  ...timestamps(),
});
