import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../kit/testing/app.ts';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());

test('a preference is kept for its user only, overwritten, and forgotten by null', async () => {
  const [one, other] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  await test_app.call(one, 'preference', 'update', { key: 'list.domain_list', value: { columns: ['host'] } });
  await test_app.call(one, 'preference', 'update', { key: 'list.domain_list', value: { columns: ['host', 'type'] } });
  expect((await test_app.call(one, 'preference', 'inquire', {})).body.preferences).toEqual({
    'list.domain_list': { columns: ['host', 'type'] },
  });
  expect((await test_app.call(other, 'preference', 'inquire', {})).body.preferences).toEqual({});
  await test_app.call(one, 'preference', 'update', { key: 'list.domain_list', value: null });
  expect((await test_app.call(one, 'preference', 'inquire', {})).body.preferences).toEqual({});
});

test('a huge value and a hostile key are refused beside their field', async () => {
  const user = await test_app.makeUser('customer');
  const huge = await test_app.call(user, 'preference', 'update', { key: 'a', value: 'x'.repeat(20_000) });
  expect([huge.status, huge.body.fields]).toEqual([400, { value: 'too_large' }]);
  const nested = (depth: number) => `{"key":"a","value":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const deep = await test_app.send(user, 'preference/update', nested(12));
  expect([deep.status, deep.body.fields]).toEqual([400, { value: 'too_deep' }]);
  for (const depth of [1000, 30_000, 500_000]) expect((await test_app.send(user, 'preference/update', nested(depth))).status).toBe(413);
  const hostile = await test_app.send(user, 'preference/update', '{"key":"__proto__","value":1}');
  expect(hostile.status).toBe(400);
});
