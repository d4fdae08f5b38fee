import { asc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Attribute, productParts, Variant, VariantInput } from '../../contract/content/mall-product-list.ts';
import { millionthsOf } from '../../contract/money/amounts.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { checkPicture, pictureUrl } from '../uploads/pictures.public.ts';
import { file } from '../uploads/uploads.table.ts';
import { mall_brand } from './mall-brand-list.table.ts';
import { mall_category } from './mall-category-list.table.ts';
import { mall_product, mall_product_cover, mall_variant } from './mall-product-list.table.ts';

type Placed = { category_id?: number | null | undefined; brand_id?: number | null | undefined };

export async function checkCategoryAndBrand({ category_id, brand_id }: Placed, db: Database): Promise<void> {
  if (category_id && (await db.$count(mall_category, eq(mall_category.id, category_id))) === 0)
    throw invalidField('category_id', 'unknown_category');
  if (brand_id && (await db.$count(mall_brand, eq(mall_brand.id, brand_id))) === 0) throw invalidField('brand_id', 'unknown_brand');
}

/** Every variant has one of the values of each attribute, and no two have the same. */
export function checkParts(variants: readonly Pick<VariantInput, 'options'>[], attributes: readonly Attribute[]): void {
  const names = attributes.map(({ name }) => name);
  for (const [at, { name, values }] of attributes.entries()) {
    if (names.indexOf(name) < at) throw invalidField(`attributes.${at}.name`, 'repeated');
    if (new Set(values).size < values.length) throw invalidField(`attributes.${at}.values`, 'repeated');
  }
  const seen = new Set<string>();
  for (const [at, { options }] of variants.entries()) {
    const fits = options.length === attributes.length && attributes.every(({ values }, place) => values.includes(options[place] ?? ''));
    if (!fits) throw invalidField(`variants.${at}.options`, 'variant_options');
    const key = JSON.stringify(options);
    if (seen.has(key)) throw invalidField(`variants.${at}.options`, 'repeated');
    seen.add(key);
  }
}

/** Where a variant's number is another one's, the field is told of the variant that asked for it. */
async function refuseTakenSkus(product_id: number, variants: readonly VariantInput[], db: Database): Promise<void> {
  const skus = variants.map(({ sku }) => sku ?? '');
  const repeated = skus.findIndex((sku, at) => sku !== '' && skus.indexOf(sku) < at);
  if (repeated >= 0) throw invalidField(`variants.${repeated}.sku`, 'repeated');
  const { rows } = await db.execute<{ sku: string }>(sql`
    SELECT sku FROM mall_variant WHERE sku = ANY(${sql.param(skus.filter(Boolean))}::text[]) AND product_id <> ${product_id} LIMIT 1`);
  if (rows[0]) throw invalidField(`variants.${skus.indexOf(rows[0].sku)}.sku`, 'taken');
}

/**
 * Makes the product's variants what was sent, its row being locked: purchases lock it first, too. A stock that was changed from what the
 * writer saw changes by the difference, so that nothing comes back that was bought meanwhile.
 */
export async function saveVariants(product_id: number, variants: readonly VariantInput[], { db }: Context): Promise<void> {
  const stored = await db.select().from(mall_variant).where(eq(mall_variant.product_id, product_id));
  const unknown = variants.findIndex(({ id }) => id !== undefined && !stored.some((variant) => variant.id === id));
  if (unknown >= 0) throw new AppError(409, 'conflict.changed');
  await refuseTakenSkus(product_id, variants, db);
  const written = variants.map(({ id, options, sku, price, stock, stock_before }, at) => {
    const present = stored.find((variant) => variant.id === id);
    const left = present && stock_before !== undefined ? present.stock + stock - stock_before : stock;
    if (left < 0) throw invalidField(`variants.${at}.stock`, 'stock_sold');
    return { id: id ?? null, options, sku: sku || null, price: millionthsOf(price).toString(), stock: left, position: at + 1 };
  });
  const kept = variants.flatMap(({ id }) => id ?? []);
  await db.execute(sql`DELETE FROM mall_variant WHERE product_id = ${product_id} AND id <> ALL(${sql.param(kept)}::bigint[])`);
  const given = sql`jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
    AS given (id bigint, options text[], sku text, price bigint, stock int, position int)`;
  // Values that change places would meet on their way: what stays gives its options and numbers up first.
  await db.execute(sql`UPDATE mall_variant SET options = ARRAY['', id::text], sku = NULL WHERE product_id = ${product_id}`);
  await db
    .execute(sql`
      WITH given AS (SELECT * FROM ${given}), changed AS (
        UPDATE mall_variant SET options = given.options, sku = given.sku, price = given.price, stock = given.stock, position = given.position
        FROM given WHERE mall_variant.id = given.id
      )
      INSERT INTO mall_variant (product_id, options, sku, price, stock, position)
      SELECT ${product_id}, options, sku, price, stock, position FROM given WHERE id IS NULL`)
    .catch(mapUniqueViolation({ mall_variant_sku_key: 'variants' }));
}

export async function saveCovers(product_id: number, cover_ids: readonly number[], context: Context): Promise<void> {
  const { db } = context;
  const twice = cover_ids.findIndex((id, at) => cover_ids.indexOf(id) < at);
  if (twice >= 0) throw invalidField('cover_ids', 'repeated');
  for (const id of cover_ids) await checkPicture(id, 'cover_ids', context);
  await db.delete(mall_product_cover).where(eq(mall_product_cover.product_id, product_id));
  if (cover_ids.length > 0)
    await db.insert(mall_product_cover).values(cover_ids.map((file_id, at) => ({ product_id, file_id, position: at + 1 })));
}

export async function readVariants(db: Database, product_id: number): Promise<Variant[]> {
  const found = await db
    .select({
      id: mall_variant.id,
      options: mall_variant.options,
      sku: sql<string>`coalesce(${mall_variant.sku}, '')`,
      price: mall_variant.price,
      stock: mall_variant.stock,
    })
    .from(mall_variant)
    .where(eq(mall_variant.product_id, product_id))
    .orderBy(asc(mall_variant.position));
  return found;
}

/** What only a product's page shows of it. */
export async function readParts(db: Database, product_id: number): Promise<z.infer<typeof productParts>> {
  const { attributes, properties, colors, details } = mall_product;
  const [found] = await db.select({ attributes, properties, colors, details }).from(mall_product).where(eq(mall_product.id, product_id));
  if (!found) throw notFound();
  const covers = await db
    .select({ id: file.id, url: sql<string>`${file.name}`.mapWith(pictureUrl) })
    .from(mall_product_cover)
    .innerJoin(file, eq(file.id, mall_product_cover.file_id))
    .where(eq(mall_product_cover.product_id, product_id))
    .orderBy(asc(mall_product_cover.position));
  return { ...found, covers, variants: await readVariants(db, product_id) };
}
