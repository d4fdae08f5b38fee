import { afterAll, expect, test } from 'vitest';
import { batchFields, codeFields, filterFields, initialFields } from '../../contract/codes/live-code-fields.ts';
import { pick } from '../../contract/kit/pick.ts';
import { createImporting } from './testing/importing.ts';

const { test_app, owner, importAll, codeOf, close } = await createImporting();
afterAll(() => close());

/** What the server chooses by itself. */
const chosen = ['file_name', 'name', 'entry_domain_id', 'landing_domain_id'];
const fields = codeFields.filter((field) => !chosen.includes(field));

test('a code of which only a name and a target are given has the initial values, whether it is added or imported', async () => {
  const targets = [{ kind: 'text' as const, content: 'x' }];
  const { body: added } = await test_app.call(owner, 'qr_code_list', 'add', { name: 'added', targets });
  await importAll('file_name,name,target_1\nimported-1,imported,x\n');
  for (const code of [added, await codeOf('imported-1')]) expect(code).toMatchObject(pick(initialFields, fields));
});

test('every field that is changed in batches, or filtered by, is so', async () => {
  const { body: code } = await test_app.call(owner, 'qr_code_list', 'add', {
    name: 'batch',
    targets: [{ kind: 'text' as const, content: 'x' }],
  });
  const changes = {
    remark: 'changed',
    open: false,
    rotation_mode: 2,
    jump_type: 3,
    access_mode: 2,
    restriction_visit: 2,
    open_log: false,
    fallback_url: 'https://example.com/f',
    expires_at: '2030-01-01T00:00:00.000Z',
  } as const;
  expect(Object.keys(changes)).toEqual(batchFields);
  expect((await test_app.call(owner, 'qr_code_list', 'batch_update', { ids: [code.id], changes })).status).toBe(200);
  expect((await test_app.call(owner, 'qr_code_list', 'details', { id: code.id })).body).toMatchObject(changes);
  for (const field of filterFields) {
    const found = async (value: unknown) =>
      (await test_app.call(owner, 'qr_code_list', 'inquire', { search: 'batch', [field]: value })).body.content.length;
    expect([field, await found(changes[field]), await found(initialFields[field])]).toEqual([field, 1, 0]);
  }
});
