import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { mallProductList, type PurchaseRow, type PurchaseState } from '../../contract/content/mall-product-list.ts';
import { type ParsedInputOf, requireAny } from '../../contract/kit/call.ts';
import type { Context } from '../kit/calls/context.ts';
import { translate } from '../kit/messages/messages.ts';
import { exportSource } from '../kit/rows/exports.ts';
import { betweenDays, contains, equals, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { mall_purchase, mall_variant } from './mall-product-list.table.ts';

const state = sql<PurchaseState>`CASE WHEN ${mall_purchase.given_back} = 0 THEN 'sold'
  WHEN ${mall_purchase.given_back} < ${mall_purchase.quantity} THEN 'partly_back' ELSE 'back' END`;

const fields = {
  id: mall_purchase.id,
  product_id: mall_purchase.product_id,
  name: mall_purchase.name,
  options: mall_purchase.options,
  sku: sql<string>`coalesce(${mall_variant.sku}, '')`,
  price: mall_purchase.price,
  quantity: mall_purchase.quantity,
  given_back: mall_purchase.given_back,
  amount: sql<string>`${mall_purchase.price} * (${mall_purchase.quantity} - ${mall_purchase.given_back})`.mapWith(mall_purchase.price),
  state,
  user_id: mall_purchase.user_id,
  account: sql<string>`${user_account.account}`,
  created_at: mall_purchase.created_at,
};
const joins = [
  [user_account, eq(user_account.id, mall_purchase.user_id)],
  [mall_variant, eq(mall_variant.id, mall_purchase.variant_id)],
] as const;

type Input = ParsedInputOf<(typeof mallProductList)['calls']['purchases']>;
const { page: _page, page_size: _size, sort: _sort, order: _order, ...filters } = mallProductList.calls.purchases.input.shape;
type Filters = z.output<z.ZodObject<typeof filters>>;

const fits = ({ product_id, search, user_id, state: wanted, created_from, created_to }: Filters, timeZone: string): SQL | undefined =>
  and(
    equals(mall_purchase.product_id, product_id),
    contains([mall_purchase.name, mall_variant.sku], search),
    equals(mall_purchase.user_id, user_id),
    wanted === undefined ? undefined : sql`${state} = ${wanted}`,
    betweenDays(
      mall_purchase.created_at,
      { ...(created_from ? { from: created_from } : {}), ...(created_to ? { to: created_to } : {}) },
      timeZone,
    ),
  );

export async function purchases(given: Input, { db, settings }: Context) {
  const { product_id, search, user_id, state: wanted, created_from, created_to, ...input } = given;
  const where = fits({ product_id, search, user_id, state: wanted, created_from, created_to }, (await settings()).time_zone);
  return list(db, input, { fields, from: mall_purchase, joins, where, sorts: mall_purchase, key: mall_purchase.id });
}

/** Purchases that fit the filters, the newest first. */
export const purchaseExport = exportSource({
  name: 'mall_purchase',
  access: requireAny('mall_product_list.export'),
  filters: z.object(filters),
  columns: [
    { key: 'id', title: 'mall_product_list.purchase_number', cell: (row: PurchaseRow) => row.id },
    { key: 'created_at', title: 'common.field.time', cell: (row) => row.created_at },
    { key: 'name', title: 'mall_product_list.product', cell: (row) => row.name },
    { key: 'options', title: 'mall_product_list.variant', cell: (row) => row.options.join(' / ') },
    { key: 'sku', title: 'mall_product_list.sku', cell: (row) => row.sku },
    { key: 'price', title: 'mall_product_list.price', cell: (row) => row.price },
    { key: 'quantity', title: 'mall_product_list.quantity', cell: (row) => row.quantity },
    { key: 'given_back', title: 'mall_product_list.given_back', cell: (row) => row.given_back },
    { key: 'amount', title: 'mall_product_list.amount', cell: (row) => row.amount },
    {
      key: 'state',
      title: 'common.field.state',
      cell: (row, { language }) => translate(language, `mall_product_list.purchase_state.${row.state}`),
    },
    { key: 'account', title: 'mall_product_list.caller', cell: (row) => row.account },
  ],
  select: async (given, { settings }) => ({ from: mall_purchase, joins, where: fits(given, settings.time_zone) }),
  rows(where, { db }, { after, limit }) {
    const query = db.select(fields).from(mall_purchase).$dynamic();
    for (const [table, on] of joins) query.leftJoin(table, on);
    return query
      .where(and(where, after && lt(mall_purchase.id, after.id)))
      .orderBy(desc(mall_purchase.id))
      .limit(limit);
  },
});
