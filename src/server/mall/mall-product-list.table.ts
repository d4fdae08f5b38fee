import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Attribute, ProductColor, Property } from '../../contract/content/mall-product-list.ts';
import { idColumn, moment, reference, timestamps, usdt } from '../kit/rows/columns.ts';

export const mall_import = pgTable('mall_import', {
  id: uuid('id').primaryKey().defaultRandom(),
  owner_id: reference('owner_id').notNull(),
  name: text('name').notNull(),
  header: text('header').array().notNull(),
  lines: jsonb('lines').$type<string[][]>().notNull(),
  imported_at: moment('imported_at'),
  undone_at: moment('undone_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
});

export const mall_product = pgTable('mall_product', {
  id: idColumn(),
  name: text('name').notNull(),
  category_id: reference('category_id'),
  brand_id: reference('brand_id'),
  source: text('source').notNull().default(''),
  attributes: jsonb('attributes').$type<Attribute[]>().notNull().default([]),
  properties: jsonb('properties').$type<Property[]>().notNull().default([]),
  colors: jsonb('colors').$type<ProductColor[]>().notNull().default([]),
  details: text('details').notNull().default(''),
  purchases: bigint('purchases', { mode: 'number' }).notNull().default(0),
  ranking_recommend: boolean('ranking_recommend').notNull().default(false),
  home_recommend: boolean('home_recommend').notNull().default(false),
  sort: integer('sort').notNull().default(0),
  enabled: boolean('enabled').notNull().default(true),
  import_id: uuid('import_id'),
  ...timestamps(),
});

export const mall_product_cover = pgTable(
  'mall_product_cover',
  {
    product_id: reference('product_id').notNull(),
    position: integer('position').notNull(),
    file_id: reference('file_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.product_id, table.position] })],
);

export const mall_variant = pgTable('mall_variant', {
  id: idColumn(),
  product_id: reference('product_id').notNull(),
  options: text('options').array().notNull(),
  sku: text('sku'),
  price: usdt('price').notNull(),
  stock: integer('stock').notNull(),
  position: integer('position').notNull(),
});

export const mall_purchase = pgTable('mall_purchase', {
  id: idColumn(),
  user_id: reference('user_id').notNull(),
  product_id: reference('product_id'),
  variant_id: reference('variant_id'),
  name: text('name').notNull(),
  options: text('options').array().notNull(),
  price: usdt('price').notNull(),
  quantity: integer('quantity').notNull(),
  given_back: integer('given_back').notNull().default(0),
  created_at: moment('created_at').notNull().default(sql`now()`),
});
