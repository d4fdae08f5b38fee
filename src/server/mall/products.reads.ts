import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CategoryTitle } from '../../contract/content/mall-category-list.ts';
import { contains, matches } from '../kit/rows/list.ts';
import { pictureUrl } from '../uploads/pictures.public.ts';
import { file } from '../uploads/uploads.table.ts';
import { categoryWithBelow } from './categories.ts';
import { mall_brand } from './mall-brand-list.table.ts';
import { mall_category } from './mall-category-list.table.ts';
import { mall_product, mall_product_cover, mall_variant } from './mall-product-list.table.ts';

const offered = sql`(SELECT product_id, min(price) AS lowest_price, sum(stock)::float8 AS stock, count(*)::int AS variant_number
  FROM mall_variant GROUP BY product_id) AS offered`;

/** What lists show of a product: figures of its variants are counted when they are asked for, and never wrong. */
export const productFields = {
  id: mall_product.id,
  name: mall_product.name,
  category_id: mall_product.category_id,
  category_titles: sql<CategoryTitle[] | null>`${mall_category.titles}`,
  brand_id: mall_product.brand_id,
  brand_name: sql<string | null>`${mall_brand.name}`,
  source: mall_product.source,
  cover_url: sql<string | null>`${file.name}`.mapWith(pictureUrl),
  lowest_price: sql<string>`coalesce(offered.lowest_price, 0)`.mapWith(mall_variant.price),
  stock: sql<number>`coalesce(offered.stock, 0)`.mapWith(Number),
  variant_number: sql<number>`coalesce(offered.variant_number, 0)`.mapWith(Number),
  purchases: mall_product.purchases,
  ranking_recommend: mall_product.ranking_recommend,
  home_recommend: mall_product.home_recommend,
  sort: mall_product.sort,
  enabled: mall_product.enabled,
  created_at: mall_product.created_at,
  updated_at: mall_product.updated_at,
};

export const productJoins = [
  [offered, sql`offered.product_id = ${mall_product.id}`],
  [mall_category, eq(mall_category.id, mall_product.category_id)],
  [mall_brand, eq(mall_brand.id, mall_product.brand_id)],
  [mall_product_cover, and(eq(mall_product_cover.product_id, mall_product.id), eq(mall_product_cover.position, 1)) as SQL],
  [file, eq(file.id, mall_product_cover.file_id)],
] as const;

export type ProductFilters = {
  search?: string | undefined;
  category_id?: number | undefined;
  brand_id?: number | undefined;
  enabled?: boolean | undefined;
  ranking_recommend?: boolean | undefined;
  home_recommend?: boolean | undefined;
  sold_out?: boolean | undefined;
};

/** The products that fit: of a category also those of the categories below it. */
export function productWhere({ search, category_id, sold_out, ...same }: ProductFilters): SQL | undefined {
  const found = contains([mall_product.name, mall_product.source], search);
  const bySku = contains(mall_variant.sku, search);
  return and(
    found && sql`(${found} OR ${mall_product.id} IN (SELECT ${mall_variant.product_id} FROM ${mall_variant} WHERE ${bySku}))`,
    category_id === undefined ? undefined : sql`${mall_product.category_id} IN ${categoryWithBelow(category_id)}`,
    sold_out === undefined ? undefined : sql`(coalesce(offered.stock, 0) = 0) = ${sold_out}`,
    matches(mall_product, same),
  );
}
