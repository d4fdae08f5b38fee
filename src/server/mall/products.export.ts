import { and, desc, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Attribute, mallProductList, type ProductColor, type Property } from '../../contract/content/mall-product-list.ts';
import { requireAny } from '../../contract/kit/call.ts';
import { translate } from '../kit/messages/messages.ts';
import { exportSource } from '../kit/rows/exports.ts';
import { categoryPaths } from './categories.ts';
import { mall_product, mall_variant } from './mall-product-list.table.ts';
import { productFields, productJoins, productWhere } from './products.reads.ts';

type Sold = { product_id: number; options: string[]; sku: string | null; price: string; stock: number };
type Row = { id: number; name: string; source: string; attributes: Attribute[]; properties: Property[]; colors: ProductColor[] } & {
  brand_name: string | null;
  purchases: number;
  ranking_recommend: boolean;
  home_recommend: boolean;
  sort: number;
  enabled: boolean;
  path: string;
  variants: Sold[];
  variant?: Sold;
};

/** `Red; L` with the names of the attributes, as an import reads it. */
const pairs = (parts: readonly { name: string; value: string }[]): string => parts.map(({ name, value }) => `${name}: ${value}`).join('; ');
const optionsOf = ({ attributes, variant }: Row): string =>
  pairs(attributes.map(({ name }, at) => ({ name, value: variant?.options[at] ?? '' })));

const { page: _page, page_size: _size, sort: _sort, order: _order, ...filters } = mallProductList.calls.inquire.input.shape;

/** Products that fit the filters, a line for each of their variants. */
export const productExport = exportSource({
  name: 'mall_product',
  access: requireAny('mall_product_list.export'),
  filters: z.object(filters),
  columns: [
    { key: 'name', title: 'common.field.name', cell: (row: Row) => row.name },
    { key: 'category_id', title: 'mall_product_list.category_id', cell: (row) => row.path },
    { key: 'brand_id', title: 'mall_product_list.brand_id', cell: (row) => row.brand_name ?? '' },
    { key: 'source', title: 'mall_product_list.source', cell: (row) => row.source },
    { key: 'attributes', title: 'mall_product_list.attributes', cell: optionsOf },
    { key: 'sku', title: 'mall_product_list.sku', cell: ({ variant }) => variant?.sku ?? '' },
    { key: 'price', title: 'mall_product_list.price', cell: ({ variant }) => variant?.price ?? '' },
    { key: 'stock', title: 'mall_product_list.stock', cell: ({ variant }) => variant?.stock ?? null },
    { key: 'properties', title: 'mall_product_list.properties', cell: (row) => pairs(row.properties) },
    {
      key: 'colors',
      title: 'mall_product_list.colors',
      cell: (row) => pairs(row.colors.map(({ name, color }) => ({ name, value: color }))),
    },
    { key: 'ranking_recommend', title: 'mall_product_list.ranking_recommend', cell: (row, job) => yesNo(row.ranking_recommend, job) },
    { key: 'home_recommend', title: 'mall_product_list.home_recommend', cell: (row, job) => yesNo(row.home_recommend, job) },
    { key: 'sort', title: 'common.field.sort', cell: (row) => row.sort },
    { key: 'enabled', title: 'common.shown', cell: (row, job) => yesNo(row.enabled, job) },
    { key: 'purchases', title: 'mall_product_list.purchases', cell: (row) => row.purchases },
  ],
  select: async (given) => ({ from: mall_product, joins: productJoins, where: productWhere(given) }),
  async rows(where, { db, language }, { after, limit }): Promise<Row[]> {
    const { attributes, properties, colors } = mall_product;
    const query = db
      .select({ ...productFields, attributes, properties, colors })
      .from(mall_product)
      .$dynamic();
    for (const [joined, on] of productJoins) query.leftJoin(joined, on);
    const found = await query
      .where(and(where, after && lt(mall_product.id, after.id)))
      .orderBy(desc(mall_product.id))
      .limit(limit);
    const sold = await db
      .select({
        product_id: mall_variant.product_id,
        options: mall_variant.options,
        sku: mall_variant.sku,
        price: mall_variant.price,
        stock: mall_variant.stock,
      })
      .from(mall_variant)
      .where(sql`${mall_variant.product_id} = ANY(${sql.param(found.map(({ id }) => id))}::bigint[])`)
      .orderBy(mall_variant.product_id, mall_variant.position);
    const variants = Map.groupBy(sold, ({ product_id }) => product_id);
    const paths = await categoryPaths(db, language);
    return found.map((row) => ({ ...row, path: paths.get(row.category_id ?? 0) ?? '', variants: variants.get(row.id) ?? [] }));
  },
  lines: (row) => row.variants.map((variant) => ({ ...row, variant })),
});

type Job = { language: string };
const yesNo = (value: boolean, { language }: Job): string => translate(language, value ? 'common.yes' : 'common.no');
