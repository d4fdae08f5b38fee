import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core';
import type { CategoryTitle } from '../../contract/content/mall-category-list.ts';
import { idColumn, reference, shownOrHidden, timestamps } from '../kit/rows/columns.ts';

export const mall_category = pgTable('mall_category', {
  id: idColumn(),
  superior_id: reference('superior_id'),
  titles: jsonb('titles').$type<CategoryTitle[]>().notNull(),
  icon_id: reference('icon_id'),
  show_status: shownOrHidden('show_status').notNull().default(1),
  sort: integer('sort').notNull().default(0),
  ...timestamps(),
});
