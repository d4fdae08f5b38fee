import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxTargets } from '../../../contract/codes/live-code.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const url = (content: string) => ({ kind: 'url' as const, content });
async function addCode(as: TestUser, name: string, ...targets: object[]): Promise<number> {
  const { status, body } = await test_app.send(as, 'qr_code_list/add', { name, targets });
  expect(status).toBe(200);
  return Number(body.id);
}
const contents = async (id: number) =>
  (await test_app.call(owner, 'qr_code_list', 'details', { id })).body.targets.map(({ content }) => content);

test('a text is replaced in the addresses of many codes, after telling what that changes, and undone as a whole', async () => {
  const one = await addCode(owner, 'one', url('https://old.example.com/a?x=old.example.com'), url('https://else.example.com/'));
  const two = await addCode(owner, 'two', url('https://old.example.com/b'), { kind: 'text', content: 'see old.example.com' });
  const foreign = await addCode(stranger, 'foreign', url('https://old.example.com/c'));
  const input = { find: 'old.example.com', replace: 'new.example.com' };
  const told = await test_app.call(owner, 'qr_code_list', 'find_targets', input);
  expect(told.body).toMatchObject({ affected: 2, targets: 2, refused: 0 });
  expect(told.body.content[0]).toMatchObject({
    live_code_id: one,
    before: 'https://old.example.com/a?x=old.example.com',
    after: 'https://new.example.com/a?x=new.example.com',
    fault: null,
  });
  expect(await contents(one)).toEqual(['https://old.example.com/a?x=old.example.com', 'https://else.example.com/']);

  const done = await test_app.call(owner, 'qr_code_list', 'replace_targets', input);
  expect(done.body).toMatchObject({ affected: 2, targets: 2, refused: 0 });
  expect(await contents(one)).toEqual(['https://new.example.com/a?x=new.example.com', 'https://else.example.com/']);
  expect(await contents(two)).toEqual(['https://new.example.com/b', 'see old.example.com']);
  const { body } = await test_app.call(stranger, 'qr_code_list', 'details', { id: foreign });
  expect(body.targets[0]?.content).toBe('https://old.example.com/c');

  const undone = await test_app.call(owner, 'qr_code_list', 'undo', { change_id: done.body.change_id ?? '' });
  expect(undone.body).toMatchObject({ affected: 2, changed_since: 0 });
  expect(await contents(two)).toEqual(['https://old.example.com/b', 'see old.example.com']);
});

test('only the selected codes change, and an address that would not be one stays', async () => {
  const chosen = await addCode(owner, 'chosen', url('https://shop.example.com/a'), url('https://shop.example.com.evil.example/'));
  const other = await addCode(owner, 'other', url('https://shop.example.com/a'));
  const input = { ids: [chosen], find: 'https://shop.example.com/', replace: 'not a url/' };
  const told = await test_app.call(owner, 'qr_code_list', 'find_targets', input);
  expect(told.body).toMatchObject({ affected: 0, targets: 0, refused: 1 });
  expect(told.body.content[0]?.fault).toBe('invalid_url');
  expect((await test_app.call(owner, 'qr_code_list', 'replace_targets', input)).body).toEqual({
    affected: 0,
    targets: 0,
    refused: 1,
    change_id: null,
  });
  // A `$&` is a text like any other.
  const plain = await test_app.call(owner, 'qr_code_list', 'replace_targets', { ids: [chosen], find: 'com/a', replace: 'com/$&' });
  expect(plain.body.affected).toBe(1);
  expect((await contents(chosen))[0]).toBe('https://shop.example.com/$&');
  expect(await contents(other)).toEqual(['https://shop.example.com/a']);
});

test('a target is added to many codes as their last, but to those that are full', async () => {
  const few = await addCode(owner, 'few', url('https://example.com/first'));
  const full = await addCode(owner, 'full', ...Array.from({ length: maxTargets }, (_, index) => url(`https://example.com/${index}`)));
  const foreign = await addCode(stranger, 'not mine', url('https://example.com/'));
  const target = { ...url('https://example.com/added'), threshold: 200 };
  const done = await test_app.call(owner, 'qr_code_list', 'add_target', { ids: [few, full, foreign], target });
  expect(done.body).toMatchObject({ affected: 1, full: 1 });
  const { body } = await test_app.call(owner, 'qr_code_list', 'details', { id: few });
  expect(body.targets.map(({ content, remaining }) => [content, remaining])).toEqual([
    ['https://example.com/first', null],
    ['https://example.com/added', 200],
  ]);
  await test_app.call(owner, 'qr_code_list', 'undo', { change_id: done.body.change_id ?? '' });
  expect(await contents(few)).toEqual(['https://example.com/first']);
  const refused = await test_app.send(owner, 'qr_code_list/add_target', { ids: [few], target: url('javascript:alert(1)') });
  expect([refused.status, refused.body.fields]).toEqual([400, { 'target.content': 'invalid_scheme' }]);
});
