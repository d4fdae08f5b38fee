import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { letterOf, type mallBrandList } from '../../contract/content/mall-brand-list.ts';
import type { Service } from '../kit/calls/context.ts';
import { contains, matches } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { checkPicture, pictureUrl } from '../uploads/pictures.public.ts';
import { file } from '../uploads/uploads.table.ts';
import { mall_brand } from './mall-brand-list.table.ts';

const rows = rowsOf(mall_brand, {
  fields: { ...getTableColumns(mall_brand), logo_url: sql<string | null>`${file.name}`.mapWith(pictureUrl) },
  joins: [[file, eq(file.id, mall_brand.logo_id)]],
  unique: { mall_brand_name_key: 'name' },
  check: ({ logo_id }, context) => checkPicture(logo_id, 'logo_id', context),
});

/** Brands belong to the site, not to a user: all that may open the screen see all of them. */
export const mallBrandListService: Service<typeof mallBrandList> = {
  inquire: ({ name, letter, enabled, ...input }, context) =>
    rows.page(input, context, and(contains(mall_brand.name, name), matches(mall_brand, { letter, enabled }))),
  add: ({ letter, ...input }, context) => rows.add({ ...input, letter: letter ?? letterOf(input.name) }, context),
  update: rows.change,
  update_enabled: rows.setEnabled,
  update_sort: rows.setSort,
  remove: rows.remove,
};
