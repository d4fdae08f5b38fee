import { afterAll, beforeAll, expect, test } from 'vitest';
import type { mallBrandList } from '../../contract/content/mall-brand-list.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { uploadPicture } from '../content/testing/upload.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

let made = 0;
const newName = () => `brand ${++made}`;

type Calls = (typeof mallBrandList)['calls'];
const add = (input: Partial<InputOf<Calls['add']>> = {}) =>
  test_app.call(administrator, 'mall_brand_list', 'add', { name: newName(), ...input });
const update = (input: InputOf<Calls['update']>) => test_app.call(administrator, 'mall_brand_list', 'update', input);
const found = async (input: InputOf<Calls['inquire']>) =>
  (await test_app.call(administrator, 'mall_brand_list', 'inquire', { page_size: 200, ...input })).body.content;
const names = async (input: InputOf<Calls['inquire']>) => (await found(input)).map(({ name }) => name);

test('a brand is added with a name alone, and is shown', async () => {
  const { status, body } = await add({ name: '  Nokia ' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'Nokia', letter: 'N', logo_id: null, logo_url: null, sort: 0, enabled: true });
});

test.each([
  ['lenovo', 'L'],
  ['Évian', 'E'],
  ['Ｓｏｎｙ', 'S'],
  ['华为', '#'],
  ['7-Eleven', '#'],
])('%s is filed under %s unless another letter is chosen', async (name, letter) => {
  expect((await add({ name })).body.letter).toBe(letter);
  expect((await add({ name: `${name} 2`, letter: 'Q' })).body.letter).toBe('Q');
});

test('a new name leaves the letter as it is; both can be changed', async () => {
  const { id } = (await add({ name: 'Alpha' })).body;
  expect((await update({ id, name: 'Beta' })).body).toMatchObject({ name: 'Beta', letter: 'A' });
  expect((await update({ id, letter: 'B', sort: 7 })).body).toMatchObject({ name: 'Beta', letter: 'B', sort: 7 });
  expect((await update({ id: 987_654, name: 'x' })).status).toBe(404);
});

test.each([
  ['no name', { name: ' ' }, { name: 'required' }],
  ['too long a name', { name: 'x'.repeat(65) }, { name: 'too_long' }],
  ['a letter that there is not', { letter: 'a' }, { letter: 'invalid_choice' }],
  ['two letters', { letter: 'AB' }, { letter: 'invalid_choice' }],
  ['a negative rank', { sort: -1 }, { sort: 'too_small' }],
  ['an unknown field', { logo: 1 }, { logo: 'unknown' }],
])('%s is refused', async (_what, input, fields) => {
  const { status, body } = await test_app.send(administrator, 'mall_brand_list/add', { name: newName(), ...input });
  expect([status, body.fields]).toEqual([400, fields]);
});

test('a name is given once, whatever its case and however many ask at the same moment', async () => {
  const name = `Once ${newName()}`;
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => add({ name: index % 2 ? name : name.toUpperCase() })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter(({ status }) => status !== 200))
    expect([status, body.fields]).toEqual([400, { name: 'taken' }]);
  const renamed = await update({ id: (await add()).body.id, name });
  expect([renamed.status, renamed.body.fields]).toEqual([400, { name: 'taken' }]);
});

test('a logo is shown, counts as a use of the picture, and can be taken off', async () => {
  const owner = await test_app.makeUser('super');
  const { id: logo_id, url } = await uploadPicture(test_app, owner);
  const name = newName();
  const { id, logo_url } = (await test_app.call(owner, 'mall_brand_list', 'add', { name, logo_id })).body;
  expect(logo_url).toBe(url);
  const uses = await test_app.call(owner, 'image_configs', 'uses', { id: logo_id });
  expect(uses.body.content).toMatchObject([{ kind: 'brand', id, name }]);
  expect((await test_app.call(owner, 'image_configs', 'inquire', {})).body.content[0]).toMatchObject({ id: logo_id, used: 1 });
  expect((await test_app.call(owner, 'image_configs', 'remove', { ids: [logo_id] })).status).toBe(409);
  expect((await update({ id, logo_id: null })).body.logo_url).toBeNull();
  expect((await test_app.call(owner, 'image_configs', 'remove', { ids: [logo_id] })).status).toBe(200);
});

test("a logo is one of the caller's pictures", async () => {
  expect((await add({ logo_id: 987_654 })).body.fields).toEqual({ logo_id: 'unknown_file' });
  const { id } = (await add()).body;
  expect((await update({ id, logo_id: 987_654 })).body.fields).toEqual({ logo_id: 'unknown_file' });
});

test('brands are found by a part of their name, by their letter and by whether they are shown', async () => {
  const [shown, hidden] = [(await add({ name: '100% Zebra' })).body, (await add({ name: 'Zulu', enabled: false })).body];
  expect(await names({ letter: 'Z' })).toEqual([hidden.name]);
  expect(await names({ name: '0% z' })).toEqual([shown.name]);
  expect(await names({ letter: 'Z', enabled: true })).toEqual([]);
  expect(await names({ enabled: false })).toEqual([hidden.name]);
});

test('larger ranks stand first, and a brand goes before all others on demand', async () => {
  const [low, high] = [(await add({ sort: 1 })).body, (await add({ sort: 900 })).body];
  const first = async () => (await names({ sort: 'sort', order: 'desc' }))[0];
  expect(await first()).toBe(high.name);
  const topped = await test_app.call(administrator, 'mall_brand_list', 'update_sort', { id: low.id, sort: null });
  expect(topped.body.sort).toBeGreaterThan(900);
  expect(await first()).toBe(low.name);
  expect((await test_app.call(administrator, 'mall_brand_list', 'update_sort', { id: low.id, sort: 3 })).body.sort).toBe(3);
});

test('brands are hidden, shown and removed together', async () => {
  const ids = [(await add({ name: 'Twin 1' })).body.id, (await add({ name: 'Twin 2' })).body.id];
  const enable = async (enabled: boolean) =>
    (await test_app.call(administrator, 'mall_brand_list', 'update_enabled', { ids, enabled })).body;
  expect(await enable(false)).toEqual({ affected: 2 });
  expect((await found({ name: 'Twin' })).map(({ enabled }) => enabled)).toEqual([false, false]);
  await enable(true);
  expect((await found({ name: 'Twin', enabled: true })).length).toBe(2);
  expect((await test_app.call(administrator, 'mall_brand_list', 'remove', { ids })).body).toEqual({ affected: 2 });
  expect(await names({ name: 'Twin' })).toEqual([]);
});

test('customers neither see nor make brands', async () => {
  const { id } = (await add()).body;
  for (const [action, input] of [
    ['inquire', {}],
    ['add', { name: newName() }],
    ['update', { id, name: newName() }],
    ['update_enabled', { ids: [id], enabled: false }],
    ['update_sort', { id, sort: 1 }],
    ['remove', { ids: [id] }],
  ] as const)
    expect((await test_app.send(customer, `mall_brand_list/${action}`, input)).status).toBe(403);
});
