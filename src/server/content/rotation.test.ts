import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { rotation } from '../../contract/content/rotation.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { uploadPicture } from './testing/upload.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let stranger: TestUser;
let type_id: number;
let otherType: number;
let file_id: number;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('agent');
  type_id = (await test_app.call(administrator, 'rotation_type', 'add', { name: 'home' })).body.id;
  otherType = (await test_app.call(administrator, 'rotation_type', 'add', { name: 'shop' })).body.id;
  file_id = (await uploadPicture(test_app, administrator, 90, 30)).id;
});
afterAll(() => test_app.close());

type Input = Partial<InputOf<(typeof rotation)['calls']['add']>>;
const add = (input: Input = {}) => test_app.call(administrator, 'rotation', 'add', { type_id, file_id, title: 'a picture', ...input });
const banners = async (type = type_id, as = customer) =>
  (await test_app.call(as, 'rotation', 'banners', { type_id: type })).body.content.map(({ title }) => title);

test('a picture is added with type, file and title, and shown to every logged-in user', async () => {
  const { status, body } = await add({ type_id: otherType, title: '夏季活动', jump_type: 2, jump_address: 'https://example.com/a?b=1' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ type_name: 'shop', width: 90, height: 30, click_count: 0, enabled: true, sort: 0, jump_type: 2 });
  expect(body.picture_url).toMatch(/^\/file\/[0-9a-f]{32}\.png$/);
  const shown = await test_app.call(customer, 'rotation', 'banners', { type_id: otherType });
  expect(shown.body.content).toEqual([
    {
      id: body.id,
      title: '夏季活动',
      description: '',
      jump_type: 2,
      jump_address: 'https://example.com/a?b=1',
      picture_url: body.picture_url,
      width: 90,
      height: 30,
    },
  ]);
  expect((await test_app.call(undefined, 'rotation', 'banners', { type_id: otherType })).status).toBe(401);
});

test('customers do not administer pictures', async () => {
  const { id } = (await add()).body;
  expect((await test_app.call(customer, 'rotation', 'inquire', {})).status).toBe(403);
  expect((await test_app.call(customer, 'rotation', 'update', { id, title: 'mine' })).status).toBe(403);
  expect((await test_app.call(customer, 'rotation', 'remove', { ids: [id] })).status).toBe(403);
});

test.each([
  [1, '/customer/home'],
  [1, '/customer/qr_code_list?search=a&open=true'],
  [2, 'https://example.com'],
  [3, 'http://例子.中国/路'],
  [4, 'WeChat: helper-01'],
  [4, 'javascript:alert(1)'],
  [2, ''],
] as const)('jump type %i takes %s', async (jump_type, jump_address) => {
  expect((await add({ jump_type, jump_address })).body.jump_address).toBe(jump_address);
});

test.each([
  [1, 'https://example.com', 'invalid_route'],
  [1, '//evil.example.com', 'invalid_route'],
  [1, '/\\evil.example.com', 'invalid_route'],
  [1, 'customer/home', 'invalid_route'],
  [1, 'javascript:alert(1)', 'invalid_route'],
  [2, 'javascript:alert(1)', 'invalid_url'],
  [3, 'JAVASCRIPT://example.com/%0aalert(1)', 'invalid_url'],
  [3, 'data:text/html,x', 'invalid_url'],
  [2, '/customer/home', 'invalid_url'],
  [2, 'https://', 'invalid_url'],
] as const)('jump type %i refuses %s', async (jump_type, jump_address, code) => {
  const added = await add({ jump_type, jump_address });
  expect([added.status, added.body.fields]).toEqual([400, { jump_address: code }]);
});

test('an update is checked together with what it leaves as it was', async () => {
  const { id } = (await add({ jump_type: 4, jump_address: 'javascript:alert(1)' })).body;
  const changed = await test_app.call(administrator, 'rotation', 'update', { id, jump_type: 3 });
  expect([changed.status, changed.body.fields]).toEqual([400, { jump_address: 'invalid_url' }]);
  const both = await test_app.call(administrator, 'rotation', 'update', { id, jump_type: 3, jump_address: 'https://example.com/' });
  expect(both.body).toMatchObject({ jump_type: 3, jump_address: 'https://example.com/' });
});

test('type and file must exist, and a file that the caller cannot see is no file', async () => {
  expect((await add({ type_id: 987_654 })).body.fields).toEqual({ type_id: 'unknown_type' });
  expect((await add({ file_id: 987_654 })).body.fields).toEqual({ file_id: 'unknown_file' });
  // A customer who was given the screen may use his own uploads, not those of others.
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    WITH made AS (INSERT INTO role (name, kind) VALUES ('editor', 'customer') RETURNING id)
    INSERT INTO role_node (role_id, node_id) SELECT made.id, node.id FROM made, permission_node AS node WHERE node.key LIKE 'rotation%' RETURNING role_id AS id`);
  const editor = await test_app.makeUser('customer');
  await test_app.db.execute(sql`UPDATE user_account SET role_id = ${rows[0]?.id} WHERE id = ${editor.id}`);
  const foreign = await test_app.call(editor, 'rotation', 'add', { type_id, file_id, title: 'of others' });
  expect([foreign.status, foreign.body.fields]).toEqual([400, { file_id: 'unknown_file' }]);
  const own = await uploadPicture(test_app, editor);
  expect((await test_app.call(editor, 'rotation', 'add', { type_id, file_id: own.id, title: 'own' })).status).toBe(200);
});

test('banners stand by rank, newest first among equals, hidden ones left out', async () => {
  const type = (await test_app.call(administrator, 'rotation_type', 'add', { name: 'order' })).body.id;
  const first = (await add({ type_id: type, title: 'first', sort: 5 })).body;
  await add({ type_id: type, title: 'second', sort: 5 });
  await add({ type_id: type, title: 'third', sort: 9 });
  await add({ type_id: type, title: 'hidden', sort: 99, enabled: false });
  expect(await banners(type)).toEqual(['third', 'second', 'first']);
  const topped = await test_app.call(administrator, 'rotation', 'update_sort', { id: first.id, sort: null });
  expect(topped.body.sort).toBe(100);
  expect(await banners(type)).toEqual(['first', 'third', 'second']);
  expect((await test_app.call(administrator, 'rotation', 'update_enabled', { ids: [first.id], enabled: false })).body.affected).toBe(1);
  expect(await banners(type)).toEqual(['third', 'second']);
});

test('pictures moved to the top at the same moment get a rank each; ranks typed at the same moment leave one of them', async () => {
  const type = (await test_app.call(administrator, 'rotation_type', 'add', { name: 'race' })).body.id;
  const ids: number[] = [];
  for (let index = 0; index < 10; index++) ids.push((await add({ type_id: type, title: `p${index}` })).body.id);
  const topped = await Promise.all(ids.map((id) => test_app.call(administrator, 'rotation', 'update_sort', { id, sort: null })));
  expect(new Set(topped.map(({ body }) => body.sort)).size).toBe(10);
  const typed = await Promise.all(ids.map((_, sort) => test_app.call(administrator, 'rotation', 'update_sort', { id: ids[0] ?? 0, sort })));
  expect(typed.every(({ status }) => status === 200)).toBe(true);
  const listed = await test_app.call(administrator, 'rotation', 'inquire', { type_id: type, sort: 'id', order: 'asc' });
  expect(listed.body.content[0]?.sort).toBeLessThan(10);
});

test('a click counts once in ten seconds for each user, however often and however many at once', async () => {
  const { id } = (await add({ title: 'clicked' })).body;
  const count = async () => (await test_app.call(administrator, 'rotation', 'inquire', { search: 'clicked' })).body.content[0]?.click_count;
  const clicks = await Promise.all(
    Array.from({ length: 30 }, (_, index) => test_app.call(index % 2 ? customer : stranger, 'rotation', 'click', { id })),
  );
  expect(clicks.every(({ status }) => status === 200)).toBe(true);
  expect(clicks.reduce((sum, { body }) => sum + body.affected, 0)).toBe(2);
  expect(await count()).toBe(2);
  await test_app.db.execute(sql`UPDATE rotation_click SET at = at - interval '11 seconds'`);
  expect((await test_app.call(customer, 'rotation', 'click', { id })).body).toEqual({ affected: 1 });
  expect((await test_app.call(customer, 'rotation', 'click', { id })).body).toEqual({ affected: 0 });
  expect(await count()).toBe(3);
});

test('hidden, unknown and removed pictures are not clicked', async () => {
  const { id } = (await add({ enabled: false })).body;
  expect((await test_app.call(customer, 'rotation', 'click', { id })).status).toBe(404);
  expect((await test_app.call(customer, 'rotation', 'click', { id: 987_654 })).status).toBe(404);
  await test_app.call(administrator, 'rotation', 'update_enabled', { ids: [id], enabled: true });
  expect((await test_app.call(customer, 'rotation', 'click', { id })).body.affected).toBe(1);
  expect((await test_app.call(administrator, 'rotation', 'remove', { ids: [id, 987_654] })).body).toEqual({ affected: 1 });
  expect((await test_app.call(customer, 'rotation', 'click', { id })).status).toBe(404);
});

test('the list searches literally and filters by type and state', async () => {
  await add({ title: '100% off_', remark: 'needle', enabled: false });
  const found = async (filters: object) =>
    (await test_app.call(administrator, 'rotation', 'inquire', { page_size: 200, ...filters })).body.content.map(({ title }) => title);
  expect(await found({ search: '100% OFF_' })).toEqual(['100% off_']);
  expect(await found({ search: 'needle', enabled: false, type_id })).toEqual(['100% off_']);
  expect(await found({ search: 'needle', enabled: true })).toEqual([]);
  expect(await found({ search: '%' })).toEqual(['100% off_']);
});

test('a change leaves what was before and after in the log', async () => {
  const { id } = (await add({ title: 'before' })).body;
  await test_app.call(administrator, 'rotation', 'update', { id, title: 'after' });
  const { rows } = await test_app.db.execute(sql`SELECT changes FROM log WHERE type = 'rotation/update' ORDER BY id DESC LIMIT 1`);
  expect(rows[0]).toEqual({ changes: { before: { title: 'before' }, after: { title: 'after' } } });
});
