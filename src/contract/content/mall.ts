import { z } from 'zod';
import { call, group, publicAccess, requireAny } from '../kit/call.ts';
import { count, id, time } from '../kit/fields.ts';
import { listInput } from '../kit/page.ts';
import { maxStock, productParts, productRow } from './mall-product-list.ts';

/** A product in a list of a shop front. */
const offer = productRow.omit({ enabled: true, sort: true, created_at: true, updated_at: true, source: true });
/** ISO or ticker code of the money that prices are in. */
const currency = z.string();
const offers = z.object({ currency, content: z.array(offer), total: count, page: count, page_size: count });

const order = ['recommended', 'lowest_price', 'purchases', 'created_at'] as const;
const shopLimit = { max: 600, seconds: 60 } as const;

const variant_id = id;
const quantity = z.number().int().min(1).max(maxStock);
const purchase = z.object({
  id,
  /** Null once the variant or its product was removed. */
  variant_id: id.nullable(),
  product_id: id.nullable(),
  /** As they were when it was bought. */
  name: z.string(),
  options: z.array(z.string()),
  price: z.string(),
  quantity: count,
  given_back: count,
  /** Pieces of the variant that are left now; null once it was removed. */
  left: count.nullable(),
  created_at: time,
});
export type Purchase = z.infer<typeof purchase>;

/** What shop fronts call. Reading is open to everybody where the setting `mall_open` says so, else to API tokens with the list of products. */
export const mall = group('mall', {
  catalogue: call({
    summary: 'Products that are shown, of a category and those below it, of a brand, or recommended.',
    access: publicAccess,
    input: listInput(order, {
      category_id: id.optional(),
      brand_id: id.optional(),
      ranking_recommend: z.boolean().optional(),
      home_recommend: z.boolean().optional(),
    }),
    output: offers,
    limit: shopLimit,
  }),
  search: call({
    summary: 'Products that are shown and have the words in their name.',
    access: publicAccess,
    input: listInput(order, { search: z.string().trim().min(1, 'required').max(100), category_id: id.optional() }),
    output: offers,
    limit: shopLimit,
  }),
  product: call({
    summary: 'A product that is shown, with its variants, pictures, properties and text. Stock is some seconds old at most.',
    access: publicAccess,
    input: z.object({ id }),
    output: offer.extend({ currency, ...productParts.shape }),
    limit: shopLimit,
  }),
  purchase: call({
    summary: 'Take pieces of a variant; refused where fewer are left. Repeat it with the same request_id until it is answered.',
    access: requireAny('mall_product_list.sell'),
    input: z.object({ variant_id, quantity: quantity.optional() }),
    output: purchase,
    writes: true,
  }),
  give_back: call({
    summary: 'Give pieces of an own purchase back, all that are left of it where no quantity is named.',
    access: requireAny('mall_product_list.sell'),
    input: z.object({ id, quantity: quantity.optional() }),
    output: purchase,
    writes: true,
  }),
});
