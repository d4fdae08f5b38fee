import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { mallProductList } from '../../contract/content/mall-product-list.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { uploadPicture } from '../content/testing/upload.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { expectWithin, timeOf } from '../kit/testing/within.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  customer = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

type Calls = (typeof mallProductList)['calls'];
type Input = InputOf<Calls['add']>;
let made = 0;
const one = [{ options: [], price: '10', stock: 5 }];
const add = (input: Partial<Input> = {}) =>
  test_app.call(administrator, 'mall_product_list', 'add', { name: `product ${++made}`, variants: one, ...input });
const update = (input: InputOf<Calls['update']>) => test_app.call(administrator, 'mall_product_list', 'update', input);
const names = async (input: InputOf<Calls['inquire']>) =>
  (await test_app.call(administrator, 'mall_product_list', 'inquire', { page_size: 200, ...input })).body.content.map(({ name }) => name);
const category = async (title: string, superior_id: number | null = null) =>
  (await test_app.call(administrator, 'mall_category_list', 'add', { superior_id, titles: [{ language: 'zh-CN', title }] })).body.id;

const sizes = {
  attributes: [
    { name: 'Colour', values: ['Red', 'Blue'] },
    { name: 'Size', values: ['M', 'L'] },
  ],
  variants: [
    { options: ['Red', 'M'], price: '19.9', stock: 3, sku: 'R-M' },
    { options: ['Red', 'L'], price: '21', stock: 0 },
    { options: ['Blue', 'M'], price: '18.5', stock: 7 },
  ],
};

test('a product is made by its name and one variant, and is shown', async () => {
  const { status, body } = await add({ name: 'Plain' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name: 'Plain',
    enabled: true,
    purchases: 0,
    stock: 5,
    lowest_price: '10.000000',
    covers: [],
    attributes: [],
  });
  expect(body.variants).toEqual([{ id: expect.any(Number), options: [], sku: '', price: '10.000000', stock: 5 }]);
});

test('everything of a product is kept; lowest price and stock are of its variants', async () => {
  const [phones, cover, second] = [
    await category('手机'),
    await uploadPicture(test_app, administrator),
    await uploadPicture(test_app, administrator),
  ];
  const { body: brand } = await test_app.call(administrator, 'mall_brand_list', 'add', { name: 'Acme' });
  const given = {
    ...{ category_id: phones, brand_id: brand.id, source: 'Shenzhen' },
    properties: [{ name: 'Weight', value: '180 g' }],
    colors: [{ name: 'Red', color: '#ff0000' }],
    ...{ ranking_recommend: true, home_recommend: true, sort: 7 },
  };
  const cover_ids = [second.id, cover.id];
  const { body } = await add({ ...sizes, ...given, cover_ids, details: '<p>Good <script>x</script></p>' });
  expect(body).toMatchObject({ ...given, category_title: '手机', brand_name: 'Acme', details: '<p>Good </p>' });
  expect(body).toMatchObject({ lowest_price: '18.500000', stock: 10, variant_number: 3, cover_url: second.url });
  expect(body.covers).toEqual([
    { id: second.id, url: second.url },
    { id: cover.id, url: cover.url },
  ]);
  const uses = await test_app.call(administrator, 'image_configs', 'uses', { id: cover.id });
  expect(uses.body.content).toMatchObject([{ kind: 'product', id: body.id, name: body.name }]);
});

test.each<[string, Partial<Input>, object]>([
  ['no variant', { variants: [] }, { variants: 'required' }],
  [
    'a variant without a value',
    { ...sizes, variants: [{ options: ['Red'], price: '1', stock: 1 }] },
    { 'variants.0.options': 'variant_options' },
  ],
  [
    'a value that is none',
    { ...sizes, variants: [{ options: ['Red', 'XL'], price: '1', stock: 1 }] },
    { 'variants.0.options': 'variant_options' },
  ],
  ['a combination twice', { variants: [...one, ...one] }, { 'variants.1.options': 'repeated' }],
  [
    'an attribute twice',
    {
      ...sizes,
      attributes: [
        { name: 'A', values: ['1'] },
        { name: 'A', values: ['1'] },
      ],
    },
    { 'attributes.1.name': 'repeated' },
  ],
  ['a negative stock', { variants: [{ options: [], price: '1', stock: -1 }] }, { 'variants.0.stock': 'too_small' }],
  ['no price', { variants: [{ options: [], price: '', stock: 1 }] }, { 'variants.0.price': 'invalid_amount' }],
  ['an unknown category', { category_id: 987_654 }, { category_id: 'unknown_category' }],
  ['an unknown brand', { brand_id: 987_654 }, { brand_id: 'unknown_brand' }],
  ['a foreign picture', { cover_ids: [987_654] }, { cover_ids: 'unknown_file' }],
])('%s is refused', async (_what, input, fields) => {
  const { status, body } = await add(input);
  expect([status, body.fields]).toEqual([400, fields]);
});

test('a number of a variant is given once', async () => {
  await add({ variants: [{ options: [], price: '1', stock: 1, sku: 'ONCE' }] });
  const { body } = await add({
    ...sizes,
    variants: [
      { options: ['Red', 'M'], price: '1', stock: 1 },
      { options: ['Red', 'L'], price: '1', stock: 1, sku: 'ONCE' },
    ],
  });
  expect(body.fields).toEqual({ 'variants.1.sku': 'taken' });
});

test('variants are changed, exchanged, added and removed together', async () => {
  const { body } = await add({ ...sizes, variants: sizes.variants.map(({ sku: _sku, ...variant }) => variant) });
  const [redM, redL, blueM] = body.variants;
  if (!redM || !redL || !blueM) throw new Error('three were made');
  const changed = await update({
    id: body.id,
    variants: [
      { ...redL, options: ['Red', 'M'], price: '30' },
      { ...redM, options: ['Red', 'L'] },
      { options: ['Blue', 'L'], price: '5', stock: 2 },
    ],
  });
  expect(changed.body.variants).toMatchObject([
    { id: redL.id, options: ['Red', 'M'], price: '30.000000', stock: 0 },
    { id: redM.id, options: ['Red', 'L'], stock: 3 },
    { options: ['Blue', 'L'], price: '5.000000', stock: 2 },
  ]);
  expect((await update({ id: body.id, variants: [{ ...blueM }] })).body.code).toBe('conflict.changed');
  expect((await update({ id: body.id, attributes: [] })).body.fields).toEqual({ 'variants.0.options': 'variant_options' });
});

test('who changes the stock from what he saw brings nothing back that was bought meanwhile', async () => {
  const { body } = await add();
  const [variant] = body.variants;
  if (!variant) throw new Error('one was made');
  await test_app.call(administrator, 'mall', 'purchase', { variant_id: variant.id, quantity: 3 });
  const save = (stock: number) => update({ id: body.id, variants: [{ ...variant, stock, stock_before: 5 }] });
  expect((await save(15)).body.variants[0]?.stock).toBe(12);
  expect((await save(0)).body.stock).toBe(7);
  await test_app.call(administrator, 'mall', 'purchase', { variant_id: variant.id, quantity: 6 });
  expect((await save(0)).body.fields).toEqual({ 'variants.0.stock': 'stock_sold' });
});

test('products are found by words and numbers, by category with all below it, and by what they are', async () => {
  const top = await category('上');
  const inner = await category('下', top);
  const { body: brand } = await test_app.call(administrator, 'mall_brand_list', 'add', { name: 'Found' });
  await add({ name: 'Lamp 100%', category_id: inner, source: 'Yiwu', variants: [{ options: [], price: '2', stock: 0, sku: 'LAMP-1' }] });
  await add({ name: 'Chair', category_id: top, brand_id: brand.id, enabled: false, home_recommend: true });
  expect(await names({ search: '0%' })).toEqual(['Lamp 100%']);
  expect(await names({ search: 'yiwu' })).toEqual(['Lamp 100%']);
  expect(await names({ search: 'lamp-1' })).toEqual(['Lamp 100%']);
  expect(await names({ category_id: top })).toEqual(['Chair', 'Lamp 100%']);
  expect(await names({ category_id: inner })).toEqual(['Lamp 100%']);
  expect(await names({ category_id: top, sold_out: true })).toEqual(['Lamp 100%']);
  expect(await names({ category_id: top, sold_out: false })).toEqual(['Chair']);
  expect(await names({ brand_id: brand.id })).toEqual(['Chair']);
  expect(await names({ category_id: top, enabled: false, home_recommend: true })).toEqual(['Chair']);
  expect(await names({ category_id: top, sort: 'lowest_price', order: 'asc' })).toEqual(['Lamp 100%', 'Chair']);
  const { body } = await test_app.call(administrator, 'mall_product_list', 'ids', { category_id: top, sort: 'stock', order: 'asc' });
  expect([body.ids.length, body.is_cut]).toEqual([2, false]);
});

test('products are put into a category, recommended, hidden, ranked and removed together', async () => {
  const target = await category('一起');
  const ids = [(await add()).body.id, (await add()).body.id];
  const changes = { category_id: target, ranking_recommend: true };
  expect((await test_app.call(administrator, 'mall_product_list', 'batch_update', { ids, changes })).body).toEqual({ affected: 2 });
  expect(await names({ category_id: target, ranking_recommend: true })).toHaveLength(2);
  await test_app.call(administrator, 'mall_product_list', 'update_enabled', { ids, enabled: false });
  expect(await names({ category_id: target, enabled: true })).toEqual([]);
  const ranked = await test_app.call(administrator, 'mall_product_list', 'update_sort', { id: ids[0] ?? 0, sort: null });
  expect((await names({ sort: 'sort', order: 'desc' }))[0]).toBe(ranked.body.name);
  expect((await test_app.call(administrator, 'mall_product_list', 'remove', { ids })).body).toEqual({ affected: 2 });
  expect(await names({ category_id: target })).toEqual([]);
});

test('customers neither see nor make products', async () => {
  const { id } = (await add()).body;
  for (const [path, input] of [
    ['mall_product_list/inquire', {}],
    ['mall_product_list/details', { id }],
    ['mall_product_list/add', { name: 'x', variants: one }],
    ['mall_product_list/update', { id, name: 'x' }],
    ['mall_product_list/batch_update', { ids: [id], changes: {} }],
    ['mall_product_list/remove', { ids: [id] }],
    ['mall/purchase', { variant_id: 1 }],
    ['mall/catalogue', {}],
  ] as const)
    expect((await test_app.send(customer, path, input)).status).toBe(403);
});

test('lists and searches of 5,000 products with 15,000 variants are answered at once', async () => {
  await test_app.db.execute(sql`
    WITH made AS (INSERT INTO mall_product (name, source, sort) SELECT 'bulk ' || md5(n::text), 'source ' || n % 50, n FROM generate_series(1, 5000) AS n RETURNING id)
    INSERT INTO mall_variant (product_id, options, sku, price, stock, position)
    SELECT id, ARRAY[part::text], id || '-' || part, 1000000 * part, id % 9, part FROM made, generate_series(1, 3) AS part`);
  await test_app.db.execute(sql`ANALYZE mall_product, mall_variant`);
  for (const input of [
    {},
    { search: 'abc' },
    { sort: 'lowest_price' as const },
    { sold_out: true },
    { sort: 'sort' as const, page: 240 },
  ]) {
    await expectWithin(400, () =>
      timeOf(async () => {
        const { body } = await test_app.call(administrator, 'mall_product_list', 'inquire', input);
        expect(body.total).toBeGreaterThan(0);
      }),
    );
  }
});
