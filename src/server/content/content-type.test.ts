import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { uploadPicture } from './testing/upload.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let file_id: number;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
  file_id = (await uploadPicture(test_app, administrator)).id;
});
afterAll(() => test_app.close());

let made = 0;
const newName = () => `type ${++made}`;

describe.each(['rotation_type', 'document_type'] as const)('%s', (group) => {
  const add = (input: { name?: string; sort?: number; remark?: string } = {}) =>
    test_app.call(administrator, group, 'add', { name: newName(), ...input });
  const fill = async (type_id: number) =>
    group === 'rotation_type'
      ? test_app.call(administrator, 'rotation', 'add', { type_id, file_id, title: 'a picture' })
      : test_app.call(administrator, 'document_list', 'add', { type_id, title: 'a document' });

  test('customers neither see nor make types', async () => {
    expect((await test_app.call(customer, group, 'inquire', {})).status).toBe(403);
    expect((await test_app.call(customer, group, 'options', {})).status).toBe(403);
    expect((await test_app.call(customer, group, 'add', { name: newName() })).status).toBe(403);
  });

  test('a type is made with a name alone, and changed', async () => {
    const { status, body } = await add({ name: '  首页  ' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: '首页', sort: 0, remark: '', used: 0 });
    const changed = await test_app.call(administrator, group, 'update', { id: body.id, name: '活动', remark: 'summer' });
    expect(changed.body).toMatchObject({ name: '活动', remark: 'summer', sort: 0 });
    expect((await test_app.call(administrator, group, 'update', { id: 987_654, name: 'x' })).status).toBe(404);
  });

  test('a name is given once, whatever its case and however many ask at the same moment', async () => {
    const name = `Once ${newName()}`;
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => add({ name: index % 2 ? name : name.toUpperCase() })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.fields).toEqual({ name: 'taken' });
    const other = (await add()).body;
    const renamed = await test_app.call(administrator, group, 'update', { id: other.id, name });
    expect([renamed.status, renamed.body.fields]).toEqual([400, { name: 'taken' }]);
  });

  test('larger ranks stand first, and a type goes before all others on demand', async () => {
    const [low, high] = [(await add({ sort: 1 })).body, (await add({ sort: 900 })).body];
    const names = async () => (await test_app.call(administrator, group, 'options', {})).body.content.map(({ name }) => name);
    expect((await names()).indexOf(high.name)).toBeLessThan((await names()).indexOf(low.name));
    const topped = await test_app.call(administrator, group, 'update_sort', { id: low.id, sort: null });
    expect(topped.body.sort).toBeGreaterThan(900);
    expect((await names())[0]).toBe(low.name);
    expect((await test_app.call(administrator, group, 'update_sort', { id: low.id, sort: 3 })).body.sort).toBe(3);
  });

  test('types moved to the top at the same moment get a rank each', async () => {
    const types = [];
    for (let index = 0; index < 8; index++) types.push((await add()).body);
    const answers = await Promise.all(types.map(({ id }) => test_app.call(administrator, group, 'update_sort', { id, sort: null })));
    expect(new Set(answers.map(({ body }) => body.sort)).size).toBe(8);
  });

  test('ranks beyond reason are refused', async () => {
    const { id } = (await add()).body;
    for (const sort of [-1, 1.5, 1e12]) expect((await test_app.call(administrator, group, 'update_sort', { id, sort })).status).toBe(400);
  });

  test('a type that holds something is not removed, nor are those removed together with it', async () => {
    const [full, empty] = [(await add()).body, (await add()).body];
    await fill(full.id);
    expect((await test_app.call(administrator, group, 'inquire', { name: full.name })).body.content[0]?.used).toBe(1);
    const refused = await test_app.send(administrator, `${group}/remove`, { ids: [empty.id, full.id] }, { 'accept-language': 'en-US' });
    expect([refused.status, refused.body.code]).toEqual([409, 'content_type.in_use']);
    expect(refused.body.message).toContain(`“${full.name}” still contains 1 item`);
    expect((await test_app.call(administrator, group, 'remove', { ids: [empty.id, 987_654] })).body).toEqual({ affected: 1 });
    expect((await test_app.call(administrator, group, 'inquire', { name: empty.name })).body.total).toBe(0);
  });

  test('what is filed under a type while it is removed either stops the removal or is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = (await add()).body;
      const [removed, filled] = await Promise.all([test_app.call(administrator, group, 'remove', { ids: [id] }), fill(id)]);
      expect([removed.status, filled.status].sort()).not.toEqual([200, 200]);
      expect([200, 409]).toContain(removed.status);
      if (filled.status !== 200) expect(filled.body.fields).toEqual({ type_id: 'unknown_type' });
    }
  });
});
