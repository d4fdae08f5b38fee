import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImporting, type Importing } from '../testing/importing.ts';

let test_app: Importing['test_app'];
let owner: Importing['owner'];
let importAll: Importing['importAll'];
let codeOf: Importing['codeOf'];
let close: Importing['close'];
beforeAll(async () => {
  ({ test_app, owner, importAll, codeOf, close } = await createImporting());
});
afterAll(() => close());

const listed = async (change_id: string) => (await test_app.call(owner, 'qr_code_list', 'inquire', { change_id })).body.content;

test('an import is listed and undone as a whole: what it made is removed, what it changed is as before, what was changed since stays', async () => {
  await importAll('file_name,name,target_1\nold-one,Old,https://example.com/old\nold-two,Two,https://example.com/two');
  const content =
    'file_name,name,target_1\nnew-one,New,https://example.com/new\nold-one,Changed,https://example.com/other\nold-two,Other,https://example.com/two';
  const done = await importAll(content, { existing: 'update' });
  expect(done?.message).toBe('新建 1，更新 2，跳过 0，有问题 0');
  const change_id = done?.change_id ?? '';
  expect((await listed(change_id)).map(({ file_name }) => file_name).sort()).toEqual(['new-one', 'old-one', 'old-two']);

  const two = await codeOf('old-two');
  await test_app.call(owner, 'qr_code_list', 'update', { id: two?.id ?? 0, remark: 'changed by hand since' });
  const undone = await test_app.call(owner, 'qr_code_list', 'undo', { change_id });
  expect(undone.body).toMatchObject({ affected: 2, changed_since: 1 });
  expect((await codeOf('old-one'))?.name).toBe('Old');
  expect((await codeOf('old-two'))?.name).toBe('Other');
  expect(await codeOf('new-one')).toBeUndefined();
  const { body: bin } = await test_app.call(owner, 'qr_code_list', 'qr_code_remove', {});
  expect(bin.content.map(({ file_name }) => file_name)).toEqual(['new-one']);
  expect((await test_app.call(owner, 'qr_code_list', 'undo', { change_id })).body.affected).toBe(0);
});

test('nobody else undoes it', async () => {
  const done = await importAll('file_name,name,target_1\nmine-one,Mine,https://example.com/');
  const stranger = await test_app.makeUser('customer');
  expect((await test_app.call(stranger, 'qr_code_list', 'undo', { change_id: done?.change_id ?? '' })).body.affected).toBe(0);
  expect((await codeOf('mine-one'))?.removed).toBe(false);
});

test('groups that an import makes have colours of their own', async () => {
  await importAll('name,target_1,group\nA,https://example.com/,红\nB,https://example.com/,绿\nC,https://example.com/,蓝');
  const { body } = await test_app.call(owner, 'group', 'inquire', {});
  const colors = body.content.map(({ color }: { color: string }) => color);
  expect(colors).toHaveLength(3);
  expect(new Set(colors).size).toBe(3);
});
