import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { mall, Purchase } from '../../contract/content/mall.ts';
import { titleIn } from '../../contract/content/mall-category-list.ts';
import { amountOf } from '../../contract/money/amounts.ts';
import type { Context, PublicContext, Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { contains, list } from '../kit/rows/list.ts';
import { categoryTree } from './categories.ts';
import type { MallCache } from './mall.cache.ts';
import { mall_product, mall_purchase, mall_variant } from './mall-product-list.table.ts';
import { readParts } from './products.parts.ts';
import { type ProductFilters, productFields, productJoins, productWhere } from './products.reads.ts';

/** Shown products, but for those of a category that is hidden, or lies below a hidden one. */
const isShown = sql`${mall_product.enabled} AND (${mall_product.category_id} IS NULL
  OR ${mall_product.category_id} IN (${categoryTree} SELECT id FROM tree WHERE is_shown))`;

/** What a shop front may sort by; recommended ones by the ranks that administrators gave. */
const sorts = {
  recommended: sql`(${mall_product.sort} + CASE WHEN ${mall_product.ranking_recommend} THEN 2000000000::bigint ELSE 0 END)`,
  lowest_price: productFields.lowest_price,
  purchases: mall_product.purchases,
  created_at: mall_product.created_at,
};

/** Everybody may read where the operator opened the mall; else who holds the list of products, as an API token may. */
async function requireReader({ settings, viewer }: PublicContext): Promise<void> {
  if ((await settings()).mall_open) return;
  if (!viewer) throw new AppError(401, 'not_logged_in');
  if (!viewer.actor.nodes.has('mall_product_list')) throw new AppError(403, 'forbidden');
}

type ListInput = {
  page?: number | undefined;
  page_size?: number | undefined;
  sort?: keyof typeof sorts | undefined;
  order?: 'asc' | 'desc' | undefined;
};

async function offers({ page, page_size, sort = 'recommended', order, ...filters }: ListInput & ProductFilters, context: PublicContext) {
  const { db, language } = context;
  const { search, ...others } = filters;
  const where = and(isShown, contains(mall_product.name, search), productWhere(others));
  const found = await list(
    db,
    { sort, ...defined({ page, page_size, order }) },
    { fields: productFields, from: mall_product, joins: productJoins, where, sorts, key: mall_product.id },
  );
  const content = found.content.map(({ category_titles, ...row }) => ({
    ...row,
    category_title: category_titles && titleIn(category_titles, language),
  }));
  return { ...found, content, currency: (await context.settings()).mall_currency };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const defined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;

async function product(id: number, context: PublicContext) {
  const { db, language } = context;
  const query = db.select(productFields).from(mall_product).$dynamic();
  for (const [joined, on] of productJoins) query.leftJoin(joined, on);
  const [found] = await query.where(and(eq(mall_product.id, id), isShown));
  if (!found) throw notFound();
  const { category_titles, ...row } = found;
  const category_title = category_titles && titleIn(category_titles, language);
  return { ...row, category_title, ...(await readParts(db, id)), currency: (await context.settings()).mall_currency };
}

type Bought = Omit<Purchase, 'left' | 'given_back' | 'price' | 'created_at'> & { left: number; price: string; created_at: string };

async function leftOf(variant_id: number, db: Database): Promise<number | undefined> {
  const [found] = await db.select({ stock: mall_variant.stock }).from(mall_variant).where(eq(mall_variant.id, variant_id));
  return found?.stock;
}

/**
 * One statement, so that a product many want is locked for a moment only: its row before the variant's, as by whoever changes them. That
 * pieces are left is the condition of the change itself.
 */
async function purchase({ variant_id, quantity = 1 }: { variant_id: number; quantity?: number | undefined }, context: Context) {
  const { db, actor } = context;
  const refuse = (left: number) => new AppError(409, 'mall.sold_out', { params: { left } });
  // Who comes too late learns so without waiting for those before him.
  const left = await leftOf(variant_id, db);
  if (left === undefined) throw notFound();
  if (left < quantity) throw refuse(left);
  const { rows } = await db.execute<Bought>(sql`
    WITH sold AS (
      UPDATE mall_product SET purchases = purchases + ${quantity}
      WHERE id = (SELECT product_id FROM mall_variant WHERE id = ${variant_id}) AND ${isShown} RETURNING id, name
    ), taken AS (
      UPDATE mall_variant SET stock = stock - ${quantity} FROM sold
      WHERE mall_variant.id = ${variant_id} AND mall_variant.product_id = sold.id AND stock >= ${quantity} RETURNING mall_variant.*
    ), bought AS (
      INSERT INTO mall_purchase (user_id, product_id, variant_id, name, options, price, quantity)
      SELECT ${actor.user_id}, sold.id, taken.id, sold.name, taken.options, taken.price, ${quantity} FROM sold, taken RETURNING *
    )
    SELECT bought.id::float8 AS id, sold.id::float8 AS product_id, bought.variant_id::float8 AS variant_id, sold.name, bought.options,
      bought.price::text AS price, bought.quantity, taken.stock AS left,
      to_char(bought.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at
    FROM sold LEFT JOIN bought ON true LEFT JOIN taken ON true`);
  const [made] = rows;
  if (!made) throw notFound();
  // The transaction ends here: what was counted as sold is not.
  if (made.id === null) throw refuse((await leftOf(variant_id, db)) ?? 0);
  const answer = { ...made, given_back: 0, price: amountOf(BigInt(made.price)) };
  context.audit({ after: answer });
  return answer;
}

async function giveBack({ id, quantity }: { id: number; quantity?: number | undefined }, context: Context) {
  const { db, scope } = context;
  const own = and(eq(mall_purchase.id, id), scope.changes(mall_purchase.user_id));
  const [before] = await db.select().from(mall_purchase).where(own);
  if (!before) throw notFound();
  // The product first, as everywhere: a purchase of it at the same moment waits there.
  if (before.product_id !== null)
    await db.select({ id: mall_product.id }).from(mall_product).where(eq(mall_product.id, before.product_id)).for('update');
  const pieces: SQL = quantity === undefined ? sql`quantity - given_back` : sql`${quantity}`;
  const [given] = await db
    .update(mall_purchase)
    .set({ given_back: sql`given_back + ${pieces}` })
    .where(and(own, sql`given_back + ${pieces} <= quantity`, sql`given_back < quantity`))
    .returning({ ...getTableColumns(mall_purchase) });
  if (!given) throw new AppError(409, 'mall.given_back', { params: { left: before.quantity - before.given_back } });
  const back = quantity ?? given.quantity - before.given_back;
  await db
    .update(mall_product)
    .set({ purchases: sql`${mall_product.purchases} - ${back}` })
    .where(eq(mall_product.id, given.product_id ?? 0));
  await db
    .update(mall_variant)
    .set({ stock: sql`${mall_variant.stock} + ${back}` })
    .where(eq(mall_variant.id, given.variant_id ?? 0));
  context.audit({ before: { given_back: given.given_back - back }, after: { given_back: given.given_back } });
  return { ...given, left: given.variant_id === null ? null : ((await leftOf(given.variant_id, db)) ?? null) };
}

/** What shop fronts call; what they read is kept in memory for some seconds. */
export const mallService = (cache: MallCache): Service<typeof mall> => ({
  async catalogue(input, context) {
    await requireReader(context);
    return cache(['catalogue', context.language, input], () => offers(input, context));
  },
  async search(input, context) {
    await requireReader(context);
    return cache(['search', context.language, input], () => offers(input, context));
  },
  async product({ id }, context) {
    await requireReader(context);
    return cache(['product', context.language, id], () => product(id, context));
  },
  purchase,
  give_back: giveBack,
});
