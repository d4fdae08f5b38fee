import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type mallCategoryList, maxDepth } from '../../contract/content/mall-category-list.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { uploadPicture } from '../content/testing/upload.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let other: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  other = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());

type Calls = (typeof mallCategoryList)['calls'];
let made = 0;
const titled = (title = `category ${++made}`) => [{ language: 'zh-CN', title }];
const add = (input: Partial<InputOf<Calls['add']>> = {}) =>
  test_app.call(administrator, 'mall_category_list', 'add', { titles: titled(), ...input });
const made_ = async (superior_id: number | null = null, title?: string) => (await add({ superior_id, titles: titled(title) })).body.id;
const move = (id: number, superior_id: number | null, before_id: number | null = null, as = administrator) =>
  test_app.call(as, 'mall_category_list', 'move', { id, superior_id, before_id });
const all = async () => (await test_app.call(administrator, 'mall_category_list', 'inquire_all', {})).body.content;
const below = async (superior_id: number | null) => (await all()).filter((row) => row.superior_id === superior_id).map(({ id }) => id);
const publicTree = async (language = 'zh-CN') => {
  const answer = await test_app.app.inject({
    method: 'POST',
    url: '/api/mall_category_list/inquire',
    headers: { 'accept-language': language },
    payload: { show_status: 1 },
  });
  return answer.json() as { content: { id: number; title: string; level: number; icon_url: string | null }[] };
};

test('a category of the first level is made by its title alone, shown, last of its level', async () => {
  const [first, second] = [await add(), await add()];
  expect(first.body).toMatchObject({ superior_id: null, level: 1, show_status: 1, icon_url: null, products: 0, children: 0 });
  expect(second.body.sort).toBe(first.body.sort + 1);
});

test('anybody reads what is shown, in his language, each before those below it', async () => {
  const { body: top } = await add({ titles: [...titled('手机'), { language: 'en-US', title: 'Phones' }] });
  const inner = await made_(top.id, '配件');
  const hidden = (await add({ show_status: 2 })).body.id;
  const underHidden = await made_(hidden);
  const { content } = await publicTree('en-US');
  const place = (id: number) => content.findIndex((row) => row.id === id);
  expect([content[place(top.id)]?.title, content[place(inner)]?.title, content[place(inner)]?.level]).toEqual(['Phones', '配件', 2]);
  expect(place(inner)).toBe(place(top.id) + 1);
  expect([place(hidden), place(underHidden)]).toEqual([-1, -1]);
  expect((await publicTree()).content[place(top.id)]?.title).toBe('手机');
});

test('what is hidden and shown again disappears and comes back with all below it', async () => {
  const top = await made_();
  const inner = await made_(top);
  const shown = async () => (await publicTree()).content.filter(({ id }) => id === top || id === inner).length;
  const set = (show_status: 1 | 2) => test_app.call(administrator, 'mall_category_list', 'update_show_status', { ids: [top], show_status });
  expect((await set(2)).body).toEqual({ affected: 1 });
  expect(await shown()).toBe(0);
  await set(1);
  expect(await shown()).toBe(2);
});

test('categories are put before one another and below another superior', async () => {
  const top = await made_();
  const [a, b, c] = [await made_(top), await made_(top), await made_(top)];
  await move(c, top, a);
  expect(await below(top)).toEqual([c, a, b]);
  const elsewhere = await made_();
  expect((await move(a, elsewhere)).body).toMatchObject({ superior_id: elsewhere, level: 2 });
  expect([await below(top), await below(elsewhere)]).toEqual([[c, b], [a]]);
  expect((await test_app.call(administrator, 'mall_category_list', 'update', { id: a, superior_id: top })).body.superior_id).toBe(top);
  expect(await below(top)).toEqual([c, b, a]);
  expect((await move(a, top, elsewhere)).body.fields).toEqual({ before_id: 'unknown_category' });
});

test('a category is never put below itself, nor deeper than the tree may be', async () => {
  const chain: number[] = [];
  for (let level = 1; level <= maxDepth; level += 1) chain.push(await made_(chain.at(-1) ?? null));
  const [top = 0, second = 0] = chain;
  const deepest = chain.at(-1) ?? 0;
  expect((await add({ superior_id: deepest })).body.fields).toEqual({ superior_id: 'category_too_deep' });
  expect((await move(top, deepest)).body.fields).toEqual({ superior_id: 'category_below_itself' });
  expect((await move(top, top)).body.fields).toEqual({ superior_id: 'category_below_itself' });
  expect((await move(top, await made_())).body.fields).toEqual({ superior_id: 'category_too_deep' });
  expect((await add({ superior_id: 987_654 })).body.fields).toEqual({ superior_id: 'unknown_category' });
  expect((await move(second, null)).status).toBe(200);
});

test('two administrators who move categories at once never close a circle, nor pass the depth', async () => {
  const ids: number[] = [];
  for (let number = 0; number < 6; number += 1) ids.push(await made_());
  const any = (seed: number) => ids[seed % ids.length] ?? 0;
  for (let round = 0; round < 8; round += 1) {
    const moves = ids.flatMap((id, at) => [move(id, any(at + 1 + round), null, administrator), move(any(at + 1 + round), id, null, other)]);
    const answers = await Promise.all(moves);
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 400)).toBe(true);
    // What a circle holds would be reached from no category of the first level.
    const tree = await all();
    expect(tree.filter(({ id }) => ids.includes(id))).toHaveLength(ids.length);
    expect(Math.max(...tree.map(({ level }) => level))).toBeLessThanOrEqual(maxDepth);
  }
});

test('a category with products or others below it stays; together with those it goes', async () => {
  const top = await made_();
  const inner = await made_(top);
  const remove = (ids: number[]) => test_app.call(administrator, 'mall_category_list', 'remove', { ids });
  expect((await remove([top])).body).toMatchObject({ code: 'mall_category.in_use' });
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO mall_product (name, category_id) VALUES ('x', ${inner}) RETURNING id`,
  );
  expect((await remove([top, inner])).status).toBe(409);
  expect((await all()).find(({ id }) => id === inner)).toMatchObject({ products: 1 });
  await test_app.db.execute(sql`DELETE FROM mall_product WHERE id = ${rows[0]?.id}`);
  expect((await remove([top, inner])).body).toEqual({ affected: 2 });
});

test('an icon is shown, and counts as a use of the picture', async () => {
  const { id: icon_id, url } = await uploadPicture(test_app, administrator);
  const { id } = (await add({ icon_id, titles: titled('with an icon') })).body;
  expect((await publicTree()).content.find((row) => row.id === id)?.icon_url).toBe(url);
  const uses = await test_app.call(administrator, 'image_configs', 'uses', { id: icon_id });
  expect(uses.body.content).toMatchObject([{ kind: 'category', id, name: 'with an icon' }]);
  expect((await add({ icon_id: 987_654 })).body.fields).toEqual({ icon_id: 'unknown_file' });
});

test.each([
  ['no title', [], { titles: 'required' }],
  ['two titles of a language', [...titled('a'), ...titled('b')], { titles: 'repeated' }],
  ['an empty title', titled(' '), { 'titles.0.title': 'required' }],
])('%s is refused', async (_what, titles, fields) => {
  expect((await add({ titles })).body.fields).toEqual(fields);
});
