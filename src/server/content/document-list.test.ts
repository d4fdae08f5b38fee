import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type documentList, maximumBody } from '../../contract/content/document-list.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { uploadPicture } from './testing/upload.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let type_id: number;
let cover_id: number;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
  type_id = (await test_app.call(administrator, 'document_type', 'add', { name: 'help' })).body.id;
  cover_id = (await uploadPicture(test_app, administrator, 120, 60)).id;
});
afterAll(() => test_app.close());

type Input = Partial<InputOf<(typeof documentList)['calls']['add']>>;
const add = (input: Input = {}) => test_app.call(administrator, 'document_list', 'add', { type_id, title: 'a document', ...input });
const show = (id: number, as?: TestUser) => test_app.call(as, 'document_list', 'show', { id });

test('a document is written with type and title, and read by anybody', async () => {
  const { status, body } = await add({ title: '使用说明', cover_id, body: '<p>第一步：<strong>添加域名</strong></p>' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ type_name: 'help', enabled: true, sort: 0, summary: '第一步：添加域名' });
  expect((await show(body.id)).body).toEqual({
    id: body.id,
    title: '使用说明',
    type_name: 'help',
    cover: { url: body.cover_url, width: 120, height: 60 },
    body: '<p>第一步：<strong>添加域名</strong></p>',
    updated_at: body.updated_at,
  });
});

test('a document that is not published does not exist for the public, nor tells it that it does', async () => {
  const { id } = (await add({ enabled: false })).body;
  for (const as of [undefined, customer, administrator]) {
    const hidden = await show(id, as);
    expect([hidden.status, hidden.body]).toEqual([404, (await show(987_654, as)).body]);
  }
  expect((await test_app.call(administrator, 'document_list', 'details', { id })).body.id).toBe(id);
  await test_app.call(administrator, 'document_list', 'update_enabled', { ids: [id], enabled: true });
  expect((await show(id)).status).toBe(200);
});

test('customers neither list nor write documents', async () => {
  const { id } = (await add()).body;
  expect((await test_app.call(customer, 'document_list', 'inquire', {})).status).toBe(403);
  expect((await test_app.call(customer, 'document_list', 'details', { id })).status).toBe(403);
  expect((await test_app.call(customer, 'document_list', 'update', { id, title: 'mine' })).status).toBe(403);
});

test('hostile text is kept and shown without what makes it hostile, whichever call brings it', async () => {
  const hostile =
    '<h2 onclick="alert(1)">标题</h2><script>alert(1)</script><a href="javascript:alert(1)">link</a><img src="https://tracker.example.com/p.png"><iframe src="//evil.example.com"></iframe>';
  const expected = '<h2>标题</h2><a>link</a>';
  const { id } = (await add({ body: hostile })).body;
  expect((await show(id)).body.body).toBe(expected);
  await test_app.call(administrator, 'document_list', 'update', { id, body: '' });
  await test_app.call(administrator, 'document_list', 'update', { id, body: hostile });
  expect((await show(id)).body.body).toBe(expected);
  const { rows } = await test_app.db.execute<{ body: string; plain: string }>(sql`SELECT body, plain FROM document WHERE id = ${id}`);
  expect(rows[0]).toEqual({ body: expected, plain: '标题 link' });
});

test('a text may be long, not endless, and what a database cannot store is refused', async () => {
  expect((await add({ body: 'x'.repeat(maximumBody) })).status).toBe(200);
  expect((await add({ body: 'x'.repeat(maximumBody + 1) })).body.fields).toEqual({ body: 'too_long' });
  expect((await add({ body: '<'.repeat(maximumBody) })).body.fields).toEqual({ body: 'too_long' });
  expect((await add({ body: 'a\u0000b' })).body.fields).toEqual({ body: 'invalid_characters' });
  expect((await add({ body: '<ul><li>'.repeat(20_000) })).status).toBe(200);
});

test('lists bring no texts, and find words inside them, not their tags', async () => {
  const { id } = (await add({ title: 'plain title', body: '<p>some <strong>nee</strong>dle</p>' })).body;
  const found = async (search: string) => (await test_app.call(administrator, 'document_list', 'inquire', { search })).body.content;
  expect((await found('needle')).map((row) => row.id)).toEqual([id]);
  expect(await found('strong')).toEqual([]);
  expect(Object.keys((await found('PLAIN TITLE'))[0] ?? {})).not.toContain('body');
});

test('type and cover must exist; a cover can be taken away', async () => {
  expect((await add({ type_id: 987_654 })).body.fields).toEqual({ type_id: 'unknown_type' });
  expect((await add({ cover_id: 987_654 })).body.fields).toEqual({ cover_id: 'unknown_file' });
  const { id } = (await add({ cover_id })).body;
  const without = await test_app.call(administrator, 'document_list', 'update', { id, cover_id: null });
  expect(without.body).toMatchObject({ cover_id: null, cover_url: null, title: 'a document' });
  expect((await show(id)).body.cover).toBeNull();
});

test('documents moved to the top at the same moment get a rank each, and stand in that order', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 6; index++) ids.push((await add({ title: `ranked ${index}` })).body.id);
  const topped = await Promise.all(ids.map((id) => test_app.call(administrator, 'document_list', 'update_sort', { id, sort: null })));
  expect(new Set(topped.map(({ body }) => body.sort)).size).toBe(6);
  const listed = await test_app.call(administrator, 'document_list', 'inquire', { search: 'ranked', sort: 'sort', order: 'desc' });
  const ranks = listed.body.content.map(({ sort }) => sort);
  expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
});

test('removing counts what was there, and leaves the whole document in the log', async () => {
  const { id } = (await add({ title: 'gone', body: '<p>last words</p>' })).body;
  expect((await test_app.call(administrator, 'document_list', 'remove', { ids: [id, 987_654] })).body).toEqual({ affected: 1 });
  expect((await show(id)).status).toBe(404);
  const { rows } = await test_app.db.execute<{ changes: { before: unknown[] } }>(
    sql`SELECT changes FROM log WHERE type = 'document_list/remove' ORDER BY id DESC LIMIT 1`,
  );
  expect(rows[0]?.changes.before).toMatchObject([{ title: 'gone', body: '<p>last words</p>' }]);
});
