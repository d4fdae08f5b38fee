import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());
beforeEach(async () => {
  owner = await test_app.makeUser('customer');
});

async function upload(as: TestUser, name = 'group.png'): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(createCanvas(30, 20).toBuffer('image/png'))]), name);
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', authorization: `Bearer ${as.token}` };
  const response = await test_app.app.inject({
    method: 'POST',
    url: '/api/file/add',
    headers,
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return response.json().id;
}
const use = async (as: TestUser, picture: number, name = 'uses it') => {
  const targets = [{ kind: 'picture' as const, content: String(picture), any_picture: true }];
  const { body } = await test_app.call(as, 'qr_code_list', 'add', { name, targets });
  return { id: body.id, target: body.targets[0]?.id ?? 0 };
};
const rows = async (input: object = {}) => (await test_app.call(owner, 'image_configs', 'inquire', input)).body.content;

test('lists the own uploads with what they are and where they are used', async () => {
  const [used, unused] = [await upload(owner, 'C:\\pictures\\群 1.png'), await upload(owner)];
  await upload(await test_app.makeUser('customer'));
  const code = await use(owner, used);
  expect((await rows({ sort: 'id', order: 'asc' })).map(({ id, title, used: number }) => [id, title, number])).toEqual([
    [used, '群 1.png', 1],
    [unused, 'group.png', 0],
  ]);
  expect((await rows({ used: false })).map(({ id }) => id)).toEqual([unused]);
  expect((await rows({ search: '群' })).map(({ id }) => id)).toEqual([used]);
  expect((await rows({ used: true }))[0]).toMatchObject({
    width: 30,
    height: 20,
    url: expect.stringMatching(/^\/file\/[0-9a-f]{32}\.png$/),
  });
  const { body } = await test_app.call(owner, 'image_configs', 'uses', { id: used });
  expect(body.content).toMatchObject([{ kind: 'target', id: code.target, live_code_id: code.id, name: 'uses it', removed: false }]);
});

test('a picture in a text or on the home page counts as used', async () => {
  const administrator = await test_app.makeUser('super');
  const id = await upload(administrator);
  const { body } = await test_app.call(administrator, 'image_configs', 'inquire', {});
  const text = `<p><img src="${body.content[0]?.url}"></p>`;
  await test_app.db.execute(sql`INSERT INTO home_block (position, kind, title, body) VALUES (9, 'announcement', 'welcome', ${text})`);
  expect((await test_app.call(administrator, 'image_configs', 'inquire', {})).body.content[0]?.used).toBe(1);
  const refused = await test_app.call(administrator, 'image_configs', 'remove', { ids: [id] });
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('welcome')]);
});

test('one that is used is not removed, and the refusal says by which; one that is not used goes with its object', async () => {
  const [used, unused] = [await upload(owner), await upload(owner)];
  await use(owner, used, '茶叶群');
  const refused = await test_app.call(owner, 'image_configs', 'remove', { ids: [used, unused] });
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'image_configs.in_use',
    expect.stringContaining('茶叶群'),
  ]);
  const { url } = (await rows({ used: false }))[0] ?? { url: '' };
  expect((await test_app.app.inject({ url })).statusCode).toBe(200);
  expect((await test_app.call(owner, 'image_configs', 'remove', { ids: [unused] })).body.affected).toBe(1);
  expect((await rows()).map(({ id }) => id)).toEqual([used]);
  const { rows: due } = await test_app.db.execute<{ object_key: string }>(
    sql`SELECT object_key FROM storage_removal WHERE due_at <= now()`,
  );
  expect(due.map(({ object_key }) => object_key)).toContain(url.slice('/file/'.length));
});

test('another picture takes the place of one on all targets, as a version of each code that can be undone', async () => {
  const [old, next] = [await upload(owner), await upload(owner)];
  const codes = [await use(owner, old, 'one'), await use(owner, old, 'two')];
  await test_app.db.execute(sql`DELETE FROM visit_change`);
  expect((await test_app.call(owner, 'image_configs', 'replace', { id: old, file_id: next })).body.affected).toBe(2);
  for (const { id } of codes) {
    const { body } = await test_app.call(owner, 'qr_code_list', 'details', { id });
    expect(body.targets[0]?.content).toBe(String(next));
    expect((await test_app.call(owner, 'qr_code_list', 'versions', { id })).body.total).toBe(2);
  }
  const { rows: told } = await test_app.db.execute(sql`SELECT FROM visit_change WHERE kind = 'code'`);
  expect(told.length).toBeGreaterThanOrEqual(2);
  const { rows: events } = await test_app.db.execute(sql`SELECT FROM event WHERE type = 'code.changed' AND owner_id = ${owner.id}`);
  expect(events).toHaveLength(2);
  expect((await rows({ used: false })).map(({ id }) => id)).toEqual([old]);
});

test('of codes that are no longer his, the uploader learns that they use his picture, and nothing else', async () => {
  const id = await upload(owner);
  const code = await use(owner, id, 'secret of the next owner');
  const next = await test_app.makeUser('customer');
  await test_app.db.execute(sql`UPDATE live_code SET owner_id = ${next.id} WHERE id = ${code.id}`);
  const { body } = await test_app.call(owner, 'image_configs', 'uses', { id });
  expect(body.content).toMatchObject([{ kind: 'target', name: '', live_code_id: null, file_name: null }]);
  const refused = await test_app.call(owner, 'image_configs', 'remove', { ids: [id] });
  expect([refused.status, JSON.stringify(refused.body).includes('secret')]).toEqual([409, false]);
  expect((await test_app.call(owner, 'image_configs', 'replace', { id, file_id: await upload(owner) })).body.affected).toBe(0);
});

test('a picture without a QR code does not replace one on a target that wants a QR code', async () => {
  const [old, blank] = [await upload(owner), await upload(owner)];
  await use(owner, old);
  await test_app.db.execute(sql`UPDATE live_code_target SET any_picture = false WHERE file_id = ${old}`);
  const { status, body } = await test_app.call(owner, 'image_configs', 'replace', { id: old, file_id: blank });
  expect([status, body.fields]).toEqual([400, { file_id: 'no_qr_code' }]);
});

test('nobody finds, replaces, renames or removes what others uploaded, nor puts it in a place of his', async () => {
  const [own, foreign] = [await upload(owner), await upload(await test_app.makeUser('customer'))];
  for (const as of [owner, await test_app.makeUser('super')]) {
    expect((await test_app.call(as, 'image_configs', 'uses', { id: foreign })).status).toBe(404);
    expect((await test_app.call(as, 'image_configs', 'update', { id: foreign, title: 'mine' })).status).toBe(404);
    expect((await test_app.call(as, 'image_configs', 'remove', { ids: [foreign] })).body.affected).toBe(0);
  }
  expect((await test_app.call(owner, 'image_configs', 'replace', { id: own, file_id: foreign })).body.fields).toEqual({
    file_id: 'unknown_file',
  });
  expect((await test_app.call(owner, 'image_configs', 'replace', { id: own, file_id: own })).body.fields).toEqual({ file_id: 'repeated' });
});

test('a target that is being given the picture keeps it from being removed', async () => {
  const id = await upload(owner);
  const targets = [{ kind: 'picture' as const, content: String(id), any_picture: true }];
  const attempts = await Promise.all([
    test_app.call(owner, 'qr_code_list', 'add', { name: 'at the same time', targets }),
    test_app.call(owner, 'image_configs', 'remove', { ids: [id] }),
  ]);
  const { rows: left } = await test_app.db.execute<{ files: number; targets: number }>(sql`
    SELECT (SELECT count(*) FROM file WHERE id = ${id}) AS files, (SELECT count(*) FROM live_code_target WHERE file_id = ${id}) AS targets`);
  expect(left[0]?.files).toBe(left[0]?.targets);
  expect([200, 409]).toContain(attempts[1].status);
});
