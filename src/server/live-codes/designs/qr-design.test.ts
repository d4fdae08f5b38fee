import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let owner: TestUser;
let other: TestUser;
let administrator: TestUser;
const design = { dot_style: 'dots', logo: { src: 'data:image/png;base64,AAAA' } };

beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  other = await test_app.makeUser('customer');
  administrator = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());

const add = async (as: TestUser, name: string, input: object = {}) =>
  (
    await test_app.call(as, 'qr_code_list', 'add', {
      name,
      targets: [{ kind: 'url', content: `https://example.com/${encodeURIComponent(name)}` }],
      ...input,
    })
  ).body;
const designOf = async (id: number, as = owner) => (await test_app.call(as, 'qr_code_list', 'details', { id })).body.qr_design;
const seen = async (as: TestUser) => (await test_app.call(as, 'qr_design', 'inquire', {})).body.content;

test('a design is kept under a name, put on many codes of one’s own with its logo, and undone', async () => {
  const { body: saved } = await test_app.call(owner, 'qr_design', 'add', { name: '品牌蓝', design });
  const [mine, foreign] = [await add(owner, 'mine'), await add(other, 'foreign')];
  const applied = await test_app.call(owner, 'qr_design', 'apply', { ids: [mine.id, foreign.id], design_id: saved.id });
  expect(applied.body.affected).toBe(1);
  expect(await designOf(mine.id)).toEqual(design);
  expect(await designOf(foreign.id, other)).toBeNull();
  await test_app.call(owner, 'qr_code_list', 'undo', { change_id: applied.body.change_id ?? '' } as never);
  await test_app.call(owner, 'qr_design', 'apply', { ids: [mine.id], design_id: null });
  expect(await designOf(mine.id)).toBeNull();
});

test('the same name replaces, another one’s name is taken, and there is an end to it', async () => {
  const again = await test_app.call(owner, 'qr_design', 'add', { name: '品牌蓝', design: { dot_style: 'classy' } });
  expect((await seen(owner)).map(({ name, design: kept }) => [name, kept])).toEqual([['品牌蓝', { dot_style: 'classy' }]]);
  const second = await test_app.call(owner, 'qr_design', 'add', { name: 'second', design });
  const renamed = await test_app.call(owner, 'qr_design', 'update', { id: second.body.id, name: '品牌蓝' });
  expect([renamed.status, renamed.body.fields]).toEqual([400, { name: 'taken' }]);
  await test_app.db.execute(
    sql`INSERT INTO qr_design (owner_id, name, design) SELECT ${owner.id}, 'n' || n, '{}' FROM generate_series(1, 198) AS n`,
  );
  expect((await test_app.call(owner, 'qr_design', 'add', { name: 'too many', design })).status).toBe(409);
  expect((await test_app.call(owner, 'qr_design', 'add', { name: 'second', design })).status).toBe(200);
  await test_app.db.execute(sql`DELETE FROM qr_design WHERE name LIKE 'n%' AND owner_id = ${owner.id}`);
  expect(again.status).toBe(200);
});

test('what an administrator shares is seen and used by all, and changed by nobody else', async () => {
  expect((await test_app.call(owner, 'qr_design', 'add', { name: 'x', design, shared: true })).status).toBe(403);
  const { body: shared } = await test_app.call(administrator, 'qr_design', 'add', { name: 'house style', design, shared: true });
  const { body: hidden } = await test_app.call(administrator, 'qr_design', 'add', { name: 'draft', design });
  expect((await seen(other)).map(({ name, own }) => [name, own])).toEqual([['house style', false]]);
  const code = await add(other, 'styled');
  expect((await test_app.call(other, 'qr_design', 'apply', { ids: [code.id], design_id: shared.id })).body.affected).toBe(1);
  expect((await test_app.call(other, 'qr_design', 'apply', { ids: [code.id], design_id: hidden.id })).status).toBe(404);
  expect((await test_app.call(other, 'qr_design', 'update', { id: shared.id, name: 'mine now' })).status).toBe(404);
  expect((await test_app.call(other, 'qr_design', 'remove', { ids: [shared.id] })).body.affected).toBe(0);
});

test('new codes get the chosen design, unless they are given one', async () => {
  const shared = (await seen(other)).find(({ name }) => name === 'house style');
  await test_app.call(other, 'qr_design', 'choose', { id: shared?.id ?? 0 });
  expect((await seen(other)).filter(({ chosen }) => chosen).map(({ name }) => name)).toEqual(['house style']);
  expect(await designOf((await add(other, 'newborn')).id, other)).toEqual(design);
  expect(await designOf((await add(other, 'own look', { qr_design: { margin: 4 } })).id, other)).toEqual({ margin: 4 });
  expect(await designOf((await add(owner, 'plain look')).id)).toBeNull();
  expect((await test_app.call(owner, 'qr_design', 'choose', { id: 999_999 })).status).toBe(404);
  await test_app.call(other, 'qr_design', 'choose', { id: null });
  expect(await designOf((await add(other, 'plain again')).id, other)).toBeNull();
});

test('a copy has everything but key, counts and password; another one’s code cannot be copied', async () => {
  const original = await add(owner, 'original', {
    qr_design: design,
    password: 'secret1',
    rotation_mode: 3,
    targets: [
      { kind: 'url', content: 'https://example.com/shared', threshold: 50, weight: 3, name: 'A' },
      { kind: 'text', content: 'hello', enabled: false },
    ],
  });
  await test_app.db.execute(sql`UPDATE target_quota SET remaining = 3 WHERE target_id = ${original.targets[0]?.id}`);
  const { body: copy } = await test_app.call(owner, 'qr_code_list', 'duplicate', { id: original.id, name: 'a copy' });
  expect(copy).toMatchObject({ name: 'a copy', rotation_mode: 3, qr_design: design, has_password: false, version: 1 });
  expect(copy.file_name).not.toBe(original.file_name);
  expect(copy.targets).toMatchObject([
    { content: 'https://example.com/shared', threshold: 50, remaining: 50, weight: 3, name: 'A' },
    { content: 'hello', enabled: false },
  ]);
  expect((await test_app.call(other, 'qr_code_list', 'duplicate', { id: original.id })).status).toBe(404);

  const found = async (as: TestUser, duplicated: boolean) =>
    (await test_app.call(as, 'qr_code_list', 'inquire', { duplicated, sort: 'id', order: 'asc' })).body.content.map(({ id }) => id);
  expect(await found(owner, true)).toEqual([original.id, copy.id]);
  await add(other, 'elsewhere', { targets: [{ kind: 'url', content: 'https://example.com/shared' }] });
  expect(await found(other, true)).toEqual([]);
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [copy.id], removed: true });
  expect(await found(owner, true)).toEqual([]);
  expect(await found(owner, false)).toContain(original.id);
});

test('a print sheet gets whole designs of seen codes only, in the order asked for', async () => {
  const [first, second, foreign] = [
    await add(owner, 'first', { qr_design: design }),
    await add(owner, 'second'),
    await add(other, 'hidden'),
  ];
  const { body } = await test_app.call(owner, 'qr_code_list', 'sheet', { ids: [second.id, foreign.id, first.id] });
  expect(body.content.map(({ id, qr_design }) => [id, qr_design])).toEqual([
    [second.id, null],
    [first.id, design],
  ]);
});
