import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { crud, updateEnabled, updateSort } from '../kit/crud.ts';
import { color, count, day, done, id, ids, line, rank, selectedIds, time, timestamps } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { richText } from '../kit/rich-text.ts';
import { amount } from '../money/ledger.ts';
import { exportFormats, startedOperation } from '../system/async-operations.ts';

export const maxDetails = 100_000;
export const maxCovers = 10;
export const maxAttributes = 4;
export const maxValues = 30;
export const maxVariants = 200;
export const maxStock = 1_000_000_000;

/** What variants differ by. */
const attribute = z.object({
  name: line(30).min(1, 'required'),
  values: z.array(line(40).min(1, 'required')).min(1, 'required').max(maxValues),
});
export type Attribute = z.infer<typeof attribute>;

const property = z.object({ name: line(40).min(1, 'required'), value: line(200).min(1, 'required') });
export type Property = z.infer<typeof property>;
const productColor = z.object({ name: line(30).min(1, 'required'), color });
export type ProductColor = z.infer<typeof productColor>;

const stock = z.number().int().min(0).max(maxStock);
const variantFields = {
  /** A value for each attribute, in their order. */
  options: z.array(line(40)).max(maxAttributes),
  /** The seller's own number of it; empty: none. */
  sku: line(64),
  price: amount,
};
const variantInput = z.object({
  /** A variant that is there; without one it is a new one. Those that are not named are removed. */
  id: id.optional(),
  ...variantFields,
  sku: variantFields.sku.optional(),
  stock,
  /** The stock that was changed to this: what was bought meanwhile stays bought. */
  stock_before: stock.optional(),
});
export type VariantInput = z.infer<typeof variantInput>;
export const variant = z.object({ id, ...variantFields, stock: count });
export type Variant = z.infer<typeof variant>;

const fields = {
  name: line(120).min(1, 'required'),
  category_id: id.nullable().optional(),
  brand_id: id.nullable().optional(),
  /** Where it comes from: a supplier, a place. */
  source: line(120).optional(),
  /** Uploaded pictures; the first one stands for the product. */
  cover_ids: z.array(id).max(maxCovers).optional(),
  attributes: z.array(attribute).max(maxAttributes).optional(),
  variants: z.array(variantInput).min(1, 'required').max(maxVariants),
  properties: z.array(property).max(50).optional(),
  colors: z.array(productColor).max(30).optional(),
  details: richText(maxDetails).optional(),
  ranking_recommend: z.boolean().optional(),
  home_recommend: z.boolean().optional(),
  sort: rank.optional(),
  enabled: z.boolean().optional(),
};

/** A product as lists show it. */
export const productRow = z.object({
  id,
  name: z.string(),
  category_id: id.nullable(),
  category_title: z.string().nullable(),
  brand_id: id.nullable(),
  brand_name: z.string().nullable(),
  source: z.string(),
  cover_url: z.string().nullable(),
  /** Of all its variants. */
  lowest_price: z.string(),
  stock: count,
  variant_number: count,
  /** Pieces sold and not given back. */
  purchases: count,
  ranking_recommend: z.boolean(),
  home_recommend: z.boolean(),
  sort: z.number(),
  enabled: z.boolean(),
  ...timestamps,
});
export type ProductRow = z.infer<typeof productRow>;

export const productParts = z.object({
  covers: z.array(z.object({ id, url: z.string() })),
  attributes: z.array(attribute),
  variants: z.array(variant),
  properties: z.array(property),
  colors: z.array(productColor),
  details: z.string(),
});
export const productDetails = productRow.extend(productParts.shape);
export type ProductDetails = z.infer<typeof productDetails>;

const sortable = ['id', 'name', 'lowest_price', 'stock', 'purchases', 'sort', 'created_at', 'updated_at'] as const;
const filters = {
  /** Found in name, source and the numbers of variants. */
  search: z.string().max(100).optional(),
  /** Those of the categories below it, too. */
  category_id: id.optional(),
  brand_id: id.optional(),
  enabled: z.boolean().optional(),
  ranking_recommend: z.boolean().optional(),
  home_recommend: z.boolean().optional(),
  /** Nothing of any variant is left. */
  sold_out: z.boolean().optional(),
};

/** `sold`: all pieces are kept; `partly_back`, `back`: some or all were given back. */
export const purchaseStates = ['sold', 'partly_back', 'back'] as const;
export type PurchaseState = (typeof purchaseStates)[number];

/** Pieces that a shop front took. */
const purchaseRow = z.object({
  id,
  /** Null once the product was removed. */
  product_id: id.nullable(),
  /** As they were when it was bought; the number of the variant as it is now. */
  name: z.string(),
  options: z.array(z.string()),
  sku: z.string(),
  price: z.string(),
  quantity: count,
  given_back: count,
  /** For the pieces that were kept. */
  amount: z.string(),
  state: z.enum(purchaseStates),
  /** Whose call it was, by a token of his or himself. */
  user_id: id,
  account: z.string(),
  created_at: time,
});
export type PurchaseRow = z.infer<typeof purchaseRow>;
const purchaseFilters = {
  product_id: id.optional(),
  /** Found in the product's name and the number of the variant. */
  search: z.string().max(100).optional(),
  user_id: id.optional(),
  state: z.enum(purchaseStates).optional(),
  created_from: day.optional(),
  created_to: day.optional(),
};

/** The columns of an export, which an import takes: a line for each variant. Those that an import leaves alone come last. */
export const importColumns = [
  ...['name', 'category_id', 'brand_id', 'source', 'attributes', 'sku', 'price', 'stock', 'properties', 'colors'],
  ...['ranking_recommend', 'home_recommend', 'sort', 'enabled'],
] as const satisfies readonly string[];
export const maxImportBytes = 5_000_000;
export const maxImportLines = 5000;

/** Beside which line of the file something is wrong, in which column, and with which value. */
const lineFault = z.object({
  row: count,
  column: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  value: z.string(),
});
export type LineFault = z.infer<typeof lineFault>;

/** What a file of products says, and would become; products with a fault are left out as a whole. */
export const checkedImport = z.object({
  id: z.uuid(),
  name: z.string(),
  lines: count,
  /** Products that would be made, and those that are left out. */
  products: count,
  refused: count,
  faults: z.array(lineFault),
  /** Columns that are not known, and not read. */
  ignored: z.array(z.string()),
  preview: z.array(
    z.object({ row: count, name: z.string(), category: z.string(), variants: count, lowest_price: z.string(), stock: count }),
  ),
});
export type CheckedImport = z.infer<typeof checkedImport>;
const importId = z.object({ id: z.uuid() });

const acts = crud('mall_product_list', {
  row: productRow,
  fields,
  filters,
  sortable,
  nouns: ['a product with its variants', 'products'],
});

export const mallProductList = group('mall_product_list', {
  ...acts,
  add: { ...acts.add, output: productDetails },
  update: { ...acts.update, output: productDetails },
  update_sort: updateSort('mall_product_list', productRow, 'a product'),
  update_enabled: updateEnabled('mall_product_list', 'products'),
  details: call({
    summary: 'A product with its variants and its text, for editing.',
    access: requireAny('mall_product_list'),
    input: z.object({ id }),
    output: productDetails,
  }),
  ids: call({
    summary: 'The ids of the products that fit the filters, in the order of the list: the first 5,000.',
    access: requireAny('mall_product_list'),
    input: listInput(sortable, filters).omit({ page: true, page_size: true }),
    output: selectedIds,
  }),
  batch_update: call({
    summary: 'Give products a category, a brand or recommendations, several at once.',
    access: requireAny('mall_product_list.update'),
    input: z.object({
      ids,
      changes: z.object({
        category_id: fields.category_id,
        brand_id: fields.brand_id,
        ranking_recommend: fields.ranking_recommend,
        home_recommend: fields.home_recommend,
      }),
    }),
    output: done,
    writes: true,
  }),
  export: call({
    summary: 'Export the products that fit the filters as an operation, a line for each variant. An import takes the file.',
    access: requireAny('mall_product_list.export'),
    input: z.object({ ...filters, format: z.enum(exportFormats) }),
    output: startedOperation,
    writes: true,
  }),
  purchases: call({
    summary: 'What shop fronts took of the products: when, which variant, how many pieces at which price, and what was given back.',
    access: requireAny('mall_product_list'),
    input: listInput(['id', 'name', 'price', 'quantity', 'given_back', 'created_at'], purchaseFilters),
    output: pageOf(purchaseRow),
  }),
  export_purchases: call({
    summary: 'Export the purchases that fit the filters, as an operation.',
    access: requireAny('mall_product_list.export'),
    input: z.object({ ...purchaseFilters, format: z.enum(exportFormats) }),
    output: startedOperation,
    writes: true,
  }),
  import: call({
    summary:
      'Make the products of a file that was uploaded and checked (`POST /api/mall_product_list/file`); those with faults are left out.',
    access: requireAny('mall_product_list.import'),
    input: importId,
    output: done,
    writes: true,
  }),
  imports: call({
    summary: 'The last own imports.',
    access: requireAny('mall_product_list.import'),
    input: z.object({}),
    output: z.object({
      content: z.array(
        importId.extend({
          name: z.string(),
          imported_at: time,
          undone_at: time.nullable(),
          /** Of its products, those that are there. */ products: count,
        }),
      ),
    }),
  }),
  undo_import: call({
    summary: 'Remove the products of an own import again, but for those of which pieces were bought.',
    access: requireAny('mall_product_list.import'),
    input: importId,
    output: done.extend({ kept: count }),
    writes: true,
  }),
});
