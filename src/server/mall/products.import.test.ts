import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckedImport } from '../../contract/content/mall-product-list.ts';
import { settingsOf } from '../../contract/settings.ts';
import { readPerson } from '../kit/calls/authentication.ts';
import { scopeOf } from '../kit/calls/context.ts';
import { translate } from '../kit/messages/messages.ts';
import { csvLine, csvMark } from '../kit/rows/csv.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { productExport } from './products.export.ts';

let test_app: TestApp;
let administrator: TestUser;
let other: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  other = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());

async function upload(content: string | Buffer, as: TestUser = administrator) {
  const boundary = 'b0undary';
  const payload = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="products.csv"\r\nContent-Type: text/csv\r\n\r\n`),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const answer = await test_app.app.inject({
    method: 'POST',
    url: '/api/mall_product_list/file',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  });
  return { status: answer.statusCode, body: answer.json() as CheckedImport & { code?: string } };
}
const csv = (lines: readonly (readonly (string | number)[])[]) => csvMark + lines.map((line) => csvLine(line)).join('');
const run = (id: string, as: TestUser = administrator) => test_app.call(as, 'mall_product_list', 'import', { id });
const undo = (id: string) => test_app.call(administrator, 'mall_product_list', 'undo_import', { id });
const found = async (search: string) => (await test_app.call(administrator, 'mall_product_list', 'inquire', { search })).body.content;

const header = ['名称', '分类', '品牌', '规格', '货号', '价格', '库存', '属性', '颜色', '显示', 'Anything'];

test('a file becomes products with their variants, as its preview said', async () => {
  const top = await test_app.call(administrator, 'mall_category_list', 'add', { titles: [{ language: 'zh-CN', title: '家居' }] });
  const inner = { superior_id: top.body.id, titles: [{ language: 'zh-CN', title: '灯具' }] };
  await test_app.call(administrator, 'mall_category_list', 'add', inner);
  await test_app.call(administrator, 'mall_brand_list', 'add', { name: 'Lumen' });
  const { status, body } = await upload(
    csv([
      header,
      ['台灯', '家居 / 灯具', 'lumen', '颜色: 红; 尺寸: 大', 'L-1', '12.5', '1,200', '功率: 5 W', '红: #ff0000', '是', 'x'],
      ['台灯', '', '', '颜色: 蓝; 尺寸: 大', 'L-2', '11', '3', '', '', '', ''],
      ['吊灯', '灯具', '', '', '', '99', '', '', '', '否', ''],
    ]),
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'products.csv', lines: 3, products: 2, refused: 0, faults: [], ignored: ['Anything'] });
  expect(body.preview).toMatchObject([
    { row: 2, name: '台灯', variants: 2, lowest_price: '11', stock: 1203 },
    { row: 4, name: '吊灯' },
  ]);
  expect((await run(body.id)).body).toEqual({ affected: 2 });
  const [lamp] = await found('台灯');
  expect(lamp).toMatchObject({ category_title: '灯具', brand_name: 'Lumen', lowest_price: '11.000000', stock: 1203, enabled: true });
  const { body: whole } = await test_app.call(administrator, 'mall_product_list', 'details', { id: lamp?.id ?? 0 });
  expect(whole.attributes).toEqual([
    { name: '颜色', values: ['红', '蓝'] },
    { name: '尺寸', values: ['大'] },
  ]);
  expect(whole).toMatchObject({ properties: [{ name: '功率', value: '5 W' }], colors: [{ name: '红', color: '#ff0000' }] });
  expect((await found('吊灯'))[0]).toMatchObject({ enabled: false, stock: 0 });
});

test('what is wrong stands beside its line, and only those products are left out', async () => {
  const { body } = await upload(
    csv([
      ['name', 'price', 'stock', 'sku', 'attributes', 'category_id', 'enabled'],
      ['fine', '1', '1', 'F-1', '', '', ''],
      ['no price', 'much', '1', '', '', '', ''],
      ['no category', '1', '-4', '', '', 'nowhere', ''],
      ['pairs', '1', '1', 'F-1', 'red', '', 'perhaps'],
      ['twice', '1', '1', '', 'Size: M', '', ''],
      ['twice', '1', '1', '', 'Size: M', '', ''],
      ['FINE', '1', '1', '', '', '', ''],
    ]),
  );
  expect([body.products, body.refused]).toEqual([1, 5]);
  expect(body.faults.map(({ row, column, code }) => [row, column, code])).toEqual([
    [3, 'price', 'invalid_amount'],
    [4, 'category_id', 'unknown_category'],
    [4, 'stock', expect.any(String)],
    [5, 'attributes', 'import_pairs'],
    [5, 'sku', 'taken'],
    [5, 'enabled', expect.any(String)],
    [7, 'attributes', 'repeated'],
    [8, 'name', 'taken'],
  ]);
  expect((await run(body.id)).body).toEqual({ affected: 1 });
  const again = await upload(
    csv([
      ['name', 'price'],
      ['fine', '1'],
    ]),
  );
  expect(again.body.faults).toMatchObject([{ row: 2, column: 'name', code: 'taken' }]);
  expect((await run(again.body.id)).body).toMatchObject({ code: 'mall_product.nothing_to_import' });
});

test('an import is made once, by whom it belongs to, and taken back but for what was bought', async () => {
  const { body } = await upload(csv([['name', 'price', 'stock'], ...Array.from({ length: 1200 }, (_, at) => [`many ${at}`, '2', 5])]));
  expect((await run(body.id, other)).status).toBe(404);
  const both = await Promise.all([run(body.id), run(body.id)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const listed = await test_app.call(administrator, 'mall_product_list', 'imports', {});
  expect(listed.body.content[0]).toMatchObject({ id: body.id, name: 'products.csv', products: 1200, undone_at: null });
  const [one] = await found('many 77');
  const { body: whole } = await test_app.call(administrator, 'mall_product_list', 'details', { id: one?.id ?? 0 });
  await test_app.call(administrator, 'mall', 'purchase', { variant_id: whole.variants[0]?.id ?? 0 });
  expect((await undo(body.id)).body).toEqual({ affected: 1199, kept: 1 });
  expect((await undo(body.id)).status).toBe(409);
  expect(await found('many')).toHaveLength(1);
});

test.each([
  ['a file without a price', 'name\nx\n', 'mall_product.import_columns'],
  ['an empty file', 'name,price\n', 'import.empty'],
])('%s is refused', async (_what, content, code) => {
  const { status, body } = await upload(content);
  expect([status, body.code]).toEqual([400, code]);
});

test('who may not import cannot upload either', async () => {
  expect((await upload('name,price\nx,1\n', await test_app.makeUser('customer'))).status).toBe(403);
});

test('what was exported is imported again as it was', async () => {
  const made = await test_app.call(administrator, 'mall_product_list', 'add', {
    name: 'Round trip, "quoted"',
    source: 'here',
    attributes: [{ name: 'Size', values: ['M', 'L'] }],
    variants: [
      { options: ['M'], price: '1.25', stock: 3, sku: 'RT-M' },
      { options: ['L'], price: '2', stock: 0 },
    ],
    properties: [{ name: 'Weight', value: '2: about' }],
    colors: [{ name: 'Red', color: '#ff0000' }],
    home_recommend: true,
    enabled: false,
  });
  const lines = await exported({ search: 'Round trip' });
  expect(lines).toHaveLength(3);
  await test_app.call(administrator, 'mall_product_list', 'remove', { ids: [made.body.id] });
  const { body } = await upload(csv(lines));
  expect(body).toMatchObject({ products: 1, faults: [] });
  await run(body.id);
  const [again] = await found('Round trip');
  const { body: whole } = await test_app.call(administrator, 'mall_product_list', 'details', { id: again?.id ?? 0 });
  const { id: _id, variants, created_at: _created, updated_at: _updated, ...same } = made.body;
  const { id: _other, variants: others, created_at: _made, updated_at: _changed, ...now } = whole;
  expect(now).toEqual(same);
  const withoutId = ({ id: _variant, ...variant }: (typeof variants)[number]) => variant;
  expect(others.map(withoutId)).toEqual(variants.map(withoutId));
});

/** The lines of an export with its headings, as a file has them. */
async function exported(filters: object): Promise<string[][]> {
  const person = await readPerson(test_app.db, administrator.id);
  if (!person) throw new Error('the user was made a moment ago');
  const { rows } = await test_app.db.execute<{ key: string; value: unknown }>(sql`SELECT key, value FROM setting`);
  const job = {
    ...{ db: test_app.db, person, actor: { user_id: administrator.id, impersonator: null }, scope: scopeOf(administrator.id, 'super') },
    ...{ language: 'en-US', settings: settingsOf(rows), now: new Date(), signal: new AbortController().signal },
    ...{ log: { info: () => {}, warn: () => {}, error: () => {} }, progress: () => {}, onCancel: () => {}, goOn: () => {}, file: () => '' },
  };
  const opened = await productExport.open(filters, job);
  const portions = await Array.fromAsync(opened.portions);
  const headings = productExport.columns.map(({ title }) => translate('en-US', title));
  return [headings, ...portions.flatMap((portion) => portion.lines.map((line) => line.map((cell) => String(cell ?? ''))))];
}
