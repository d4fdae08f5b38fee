import { sql } from 'drizzle-orm';
import { titleIn } from '../../contract/content/mall-category-list.ts';
import { type mallProductList, maxDetails, type ProductDetails, type ProductRow } from '../../contract/content/mall-product-list.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import { maxIds } from '../../contract/kit/fields.ts';
import { cleanRichText } from '../content/rich-text.public.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { isOneOf, orderOf } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { mall_product } from './mall-product-list.table.ts';
import { importCalls } from './products.import.ts';
import { checkCategoryAndBrand, checkParts, readParts, saveCovers, saveVariants } from './products.parts.ts';
import { productFields, productJoins, productWhere } from './products.reads.ts';
import { purchases } from './purchases.ts';

type Calls = (typeof mallProductList)['calls'];
type Input = ParsedInputOf<Calls['update']>;

const rows = rowsOf(mall_product, {
  fields: productFields,
  joins: productJoins,
  async check(input, context) {
    await checkCategoryAndBrand(input, context.db);
    return input.details === undefined ? undefined : { details: cleanRichText(input.details, maxDetails, 'details') };
  },
});

type Read = Awaited<ReturnType<typeof rows.read>>;
const shown = ({ category_titles, ...row }: Read, { language }: Pick<Context, 'language'>): ProductRow => ({
  ...row,
  category_title: category_titles === null ? null : titleIn(category_titles, language),
});

async function details({ id }: { id: number }, context: Context): Promise<ProductDetails> {
  return { ...shown(await rows.read(id, context), context), ...(await readParts(context.db, id)) };
}

/** Products belong to the site, not to a user: all that may open the screen see all of them. */
export const mallProductListService: Service<typeof mallProductList> = {
  async inquire(input, context) {
    const { page, page_size, sort, order, ...filters } = input;
    const found = await rows.page({ page, page_size, sort, order } as never, context, productWhere(filters));
    return { ...found, content: found.content.map((row) => shown(row, context)) };
  },
  details,

  async ids({ sort, order, ...filters }, { db }) {
    const query = db.select({ id: mall_product.id }).from(mall_product).$dynamic();
    for (const [joined, on] of productJoins) query.leftJoin(joined, on);
    const found = await query
      .where(productWhere(filters))
      .orderBy(...orderOf({ ...(sort ? { sort } : {}), ...(order ? { order } : {}) }, productFields, mall_product.id))
      .limit(maxIds + 1);
    return { ids: found.slice(0, maxIds).map(({ id }) => id), is_cut: found.length > maxIds };
  },

  async add({ variants, cover_ids = [], ...input }, context) {
    checkParts(variants, input.attributes ?? []);
    const { id } = await rows.add(input, context);
    await saveVariants(id, variants, context);
    await saveCovers(id, cover_ids, context);
    return details({ id }, context);
  },

  async update({ variants, cover_ids, ...input }: Input, context) {
    const before = await readParts(context.db, input.id);
    // New attributes without variants would leave the present ones without a value for each.
    if (variants || input.attributes) checkParts(variants ?? before.variants, input.attributes ?? before.attributes);
    await rows.change(input, context);
    if (variants) await saveVariants(input.id, variants, context);
    if (cover_ids) await saveCovers(input.id, cover_ids, context);
    const after = await details(input, context);
    const changed = { name: after.name, attributes: after.attributes, variants: after.variants };
    if (variants) context.audit({ before: { attributes: before.attributes, variants: before.variants }, after: changed });
    return after;
  },

  async update_sort(input, context) {
    return shown(await rows.setSort(input, context), context);
  },
  update_enabled: rows.setEnabled,

  async batch_update({ ids, changes }, context) {
    await checkCategoryAndBrand(changes, context.db);
    const found = await rows.lock(ids, context);
    await context.db
      .update(mall_product)
      .set({ ...changes, updated_at: sql`now()` })
      .where(
        isOneOf(
          mall_product.id,
          found.map((row) => row.id),
        ),
      );
    const before = found.map(({ id, category_id, brand_id, ranking_recommend, home_recommend }) => {
      return { id, category_id, brand_id, ranking_recommend, home_recommend };
    });
    context.audit({ before, after: changes });
    return { affected: found.length };
  },
  remove: rows.remove,

  async export({ format, ...filters }, { db, actor, language }) {
    return { operation_id: await startOperation(db, { kind: 'mall_product_export', input: { filters, format }, actor, language }) };
  },
  purchases,
  async export_purchases({ format, ...filters }, { db, actor, language }) {
    return { operation_id: await startOperation(db, { kind: 'mall_purchase_export', input: { filters, format }, actor, language }) };
  },
  ...importCalls,
};
