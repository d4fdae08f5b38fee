import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { RuleDirection } from '../../../contract/visits/visit-rule.ts';
import { idColumn, moment, reference, timestamps } from '../../kit/rows/columns.ts';

export const visit_rule = pgTable('visit_rule', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  live_code_id: reference('live_code_id'),
  group_id: reference('group_id'),
  direction: text('direction').$type<RuleDirection>().notNull(),
  percent: integer('percent').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  checked_until: moment('checked_until'),
  told_at: moment('told_at'),
  ...timestamps(),
});
