import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transformer } from '@napi-rs/image';
import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import { uploadsFolder } from '../kit/visits/visit-paths.ts';
import { mall_brand } from '../mall/mall-brand-list.table.ts';
import { mall_category } from '../mall/mall-category-list.table.ts';
import { mall_product, mall_product_cover, mall_variant } from '../mall/mall-product-list.table.ts';
import { file } from '../uploads/uploads.table.ts';

type Tree = { title: string; english: string; below?: readonly Tree[]; hidden?: true };
const tree: readonly Tree[] = [
  {
    title: '茶叶',
    english: 'Tea',
    below: [
      { title: '绿茶', english: 'Green tea' },
      { title: '红茶', english: 'Black tea' },
    ],
  },
  {
    title: '器具',
    english: 'Ware',
    below: [
      { title: '茶杯', english: 'Cups', below: [{ title: '随行杯', english: 'Travel mugs' }] },
      { title: '茶壶', english: 'Pots' },
    ],
  },
  { title: '物料', english: 'Print', below: [{ title: '桌牌', english: 'Table signs' }] },
  { title: '年货', english: 'New year', hidden: true },
];

const shapes = {
  cup: '<path d="M96 120h112v70a44 44 0 0 1-44 44h-24a44 44 0 0 1-44-44z"/><path d="M208 140h14a24 24 0 0 1 0 48h-14" fill="none" stroke-width="12"/>',
  pot: '<ellipse cx="156" cy="184" rx="66" ry="52"/><path d="M216 170l40-26" fill="none" stroke-width="14"/><rect x="136" y="118" width="40" height="14" rx="7"/>',
  leaf: '<path d="M92 228c0-84 60-136 140-136 0 84-56 140-140 136z"/><path d="M92 228l96-92" fill="none" stroke="#fff" stroke-width="6"/>',
  tin: '<rect x="104" y="108" width="112" height="130" rx="10"/><rect x="112" y="88" width="96" height="24" rx="8"/>',
  sign: '<path d="M120 96h92l36 140h-92z"/><path d="M120 96L84 236h72" opacity=".55"/>',
} as const;

type DemoProduct = {
  name: string;
  category: string;
  shape: keyof typeof shapes;
  ground: string;
  ink: string;
  price: string;
  stock: readonly number[];
  attribute?: { name: string; values: readonly string[] };
  brand?: string;
  home?: true;
  ranking?: true;
  purchases?: number;
  hidden?: true;
};
const weights = { name: '净含量', values: ['100 克', '250 克'] };
const sizes = { name: '容量', values: ['260 毫升', '380 毫升', '520 毫升'] };
const products: readonly DemoProduct[] = [
  {
    name: '明前龙井',
    category: '绿茶',
    shape: 'leaf',
    ground: '#e7f3e8',
    ink: '#2f7d4f',
    price: '18',
    stock: [120, 60],
    attribute: weights,
    brand: '山间',
    home: true,
    ranking: true,
    purchases: 268,
  },
  {
    name: '碧螺春',
    category: '绿茶',
    shape: 'leaf',
    ground: '#eef5df',
    ink: '#5b8c2a',
    price: '15.5',
    stock: [80, 42],
    attribute: weights,
    brand: '山间',
    purchases: 143,
  },
  {
    name: '黄山毛峰礼盒',
    category: '绿茶',
    shape: 'tin',
    ground: '#f4f1df',
    ink: '#8a7a2b',
    price: '46',
    stock: [24],
    brand: '山间',
    home: true,
    purchases: 37,
  },
  {
    name: '正山小种',
    category: '红茶',
    shape: 'leaf',
    ground: '#f7e8e1',
    ink: '#a2492d',
    price: '16',
    stock: [95, 0],
    attribute: weights,
    brand: '溪口',
    ranking: true,
    purchases: 201,
  },
  {
    name: '金骏眉罐装',
    category: '红茶',
    shape: 'tin',
    ground: '#f8ecd9',
    ink: '#b7791f',
    price: '39.9',
    stock: [30],
    brand: '溪口',
    purchases: 58,
  },
  {
    name: '滇红工夫',
    category: '红茶',
    shape: 'leaf',
    ground: '#f6e3e0',
    ink: '#8f2f2f',
    price: '12.8',
    stock: [0, 0],
    attribute: weights,
    purchases: 312,
  },
  {
    name: '白瓷盖碗',
    category: '茶杯',
    shape: 'cup',
    ground: '#eef1f5',
    ink: '#5b6b82',
    price: '9.9',
    stock: [64],
    brand: '一盏',
    purchases: 89,
  },
  {
    name: '玻璃公道杯',
    category: '茶杯',
    shape: 'cup',
    ground: '#e3f1f4',
    ink: '#2b7c8c',
    price: '7.5',
    stock: [51],
    brand: '一盏',
    purchases: 46,
  },
  {
    name: '保温随行杯',
    category: '随行杯',
    shape: 'cup',
    ground: '#e8e9f8',
    ink: '#4a50a8',
    price: '14',
    stock: [18, 33, 7],
    attribute: sizes,
    brand: '一盏',
    home: true,
    ranking: true,
    purchases: 175,
  },
  {
    name: '紫砂壶',
    category: '茶壶',
    shape: 'pot',
    ground: '#f2e7e4',
    ink: '#7b4436',
    price: '68',
    stock: [9],
    brand: '一盏',
    ranking: true,
    purchases: 21,
  },
  {
    name: '二维码桌牌',
    category: '桌牌',
    shape: 'sign',
    ground: '#e6eefc',
    ink: '#1f6feb',
    price: '3.2',
    stock: [400, 260],
    attribute: { name: '材质', values: ['亚克力', '木质'] },
    purchases: 530,
  },
  { name: '新年茶礼', category: '年货', shape: 'tin', ground: '#fbe4e4', ink: '#c0312f', price: '88', stock: [40], hidden: true },
];

const millionths = (price: string, place: number) => (Number(price) * (1 + place * 0.8)).toFixed(2);

/** A small tree of categories, some brands, and a dozen products with pictures that are drawn here. */
export async function seedDemoMall(db: Database, dataDir: string): Promise<void> {
  const { rows: administrators } = await db.execute<{ id: number }>(sql`
    SELECT id::float8 AS id FROM user_account WHERE role_id = (SELECT id FROM role WHERE kind = 'super' AND built_in) ORDER BY id LIMIT 1`);
  const owner_id = administrators[0]?.id;
  if (owner_id === undefined) return;
  const categories = new Map<string, number>();
  await seedCategories(db, tree, null, categories);
  const names = [...new Set(products.flatMap(({ brand }) => brand ?? []))];
  const brands = await db
    .insert(mall_brand)
    .values(names.map((name) => ({ name, letter: '#' })))
    .returning({ id: mall_brand.id, name: mall_brand.name });
  for (const [place, product] of products.entries()) {
    const brand_id = brands.find(({ name }) => name === product.brand)?.id ?? null;
    await seedProduct(
      db,
      product,
      { category_id: categories.get(product.category) ?? null, brand_id, sort: products.length - place },
      { owner_id, dataDir },
    );
  }
}

async function seedCategories(db: Database, some: readonly Tree[], superior_id: number | null, ids: Map<string, number>): Promise<void> {
  for (const [place, { title, english, below = [], hidden }] of some.entries()) {
    const titles = [
      { language: 'zh-CN', title },
      { language: 'en-US', title: english },
    ];
    const values = { superior_id, titles, sort: place + 1, show_status: hidden ? (2 as const) : (1 as const) };
    const [made] = await db.insert(mall_category).values(values).returning({ id: mall_category.id });
    if (!made) throw new Error(`the demo category ${title} was not made`);
    ids.set(title, made.id);
    await seedCategories(db, below, made.id, ids);
  }
}

type Placed = { category_id: number | null; brand_id: number | null; sort: number };

async function seedProduct(db: Database, product: DemoProduct, placed: Placed, kept: { owner_id: number; dataDir: string }): Promise<void> {
  const { name, price, stock, attribute, home = false, ranking = false, purchases = 0, hidden } = product;
  const attributes = attribute ? [{ name: attribute.name, values: [...attribute.values] }] : [];
  const details = `<p>${name}，演示商品。</p><ul><li>下单后两天内发货</li><li>破损包赔</li></ul>`;
  const properties = [{ name: '保质期', value: '18 个月' }];
  const flags = { home_recommend: home, ranking_recommend: ranking, enabled: !hidden };
  const values = {
    name,
    ...placed,
    ...flags,
    source: '自有仓库',
    attributes,
    properties,
    colors: [{ name: '主色', color: product.ink }],
    details,
    purchases,
  };
  const [made] = await db.insert(mall_product).values(values).returning({ id: mall_product.id });
  if (!made) throw new Error(`the demo product ${name} was not made`);
  const options = attribute ? attribute.values.map((value) => [value]) : [[]];
  await db.insert(mall_variant).values(
    options.map((each, place) => ({
      product_id: made.id,
      options: each,
      price: millionths(price, place),
      stock: stock[place] ?? 0,
      position: place + 1,
    })),
  );
  const file_id = await seedCover(db, product, kept);
  await db.insert(mall_product_cover).values({ product_id: made.id, position: 1, file_id });
}

const side = 320;

async function seedCover(
  db: Database,
  { name: title, shape, ground, ink }: DemoProduct,
  { owner_id, dataDir }: { owner_id: number; dataDir: string },
): Promise<number> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">
    <rect width="${side}" height="${side}" fill="${ground}"/><ellipse cx="160" cy="256" rx="96" ry="12" fill="${ink}" opacity=".18"/>
    <g fill="${ink}" stroke="${ink}">${shapes[shape]}</g></svg>`;
  const bytes = await Transformer.fromSvg(drawing).png();
  const name = `${randomBytes(16).toString('hex')}.png`;
  await mkdir(uploadsFolder(dataDir), { recursive: true });
  await writeFile(join(uploadsFolder(dataDir), name), bytes);
  const kind = { content_type: 'image/png', width: side, height: side, size: bytes.length };
  const [row] = await db
    .insert(file)
    .values({ owner_id, name, title: `${title}.png`, ...kind })
    .returning({ id: file.id });
  if (!row) throw new Error('the demo picture was not kept');
  return row.id;
}
