import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxViews } from '../../../contract/people/list-view.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let other: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
  other = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const views = async (as: TestUser, list = 'qr_code_list') => (await test_app.call(as, 'list_view', 'inquire', { list })).body.content;
const add = (as: TestUser, name: string, more: object = {}) =>
  test_app.call(as, 'list_view', 'add', { list: 'qr_code_list', name, query: 'open=false', ...more });

test('a view is kept by its name and belongs to its list and its owner', async () => {
  const arrangement = { order: ['name'], hidden: [], density: 'small' };
  expect((await add(customer, '已关闭', { arrangement })).status).toBe(200);
  expect(await views(customer)).toEqual([
    expect.objectContaining({ name: '已关闭', query: 'open=false', arrangement, shared: false, own: true }),
  ]);
  expect(await views(customer, 'domain_list')).toEqual([]);
  expect(await views(other)).toEqual([]);
  await add(customer, '已关闭', { query: 'open=true' });
  expect((await views(customer)).map(({ query }) => query)).toEqual(['open=true']);
});

test("only administrators share views; nobody removes another one's", async () => {
  expect((await add(customer, 'for all', { shared: true })).status).toBe(403);
  const { id } = (await add(administrator, 'for all', { shared: true })).body;
  expect((await views(other)).map(({ name, own }) => [name, own])).toEqual([['for all', false]]);
  expect((await test_app.call(other, 'list_view', 'remove', { id })).body.affected).toBe(0);
  expect((await test_app.call(administrator, 'list_view', 'remove', { id })).body.affected).toBe(1);
  expect(await views(other)).toEqual([]);
});

test('a user keeps so many views of a list and no more', async () => {
  for (let number = 0; number < maxViews; number += 1) expect((await add(other, `view ${number}`)).status).toBe(200);
  expect((await add(other, 'one more')).body.fields).toEqual({ name: 'too_many_views' });
  expect(await views(other)).toHaveLength(maxViews);
});
