import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImporting, type Importing } from '../testing/importing.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await createImporting();
});
afterAll(() => importing.close());

test('what an administrator imports in the name of a user is told with both', async () => {
  const { test_app, owner, importAll, codeOf } = importing;
  const administrator = await test_app.makeUser('super');
  const opened = await test_app.call(administrator, 'user_list', 'log_in_as', { id: owner.id });
  const acting = { ...owner, token: opened.body.token };
  await importAll('file_name,name,target_1\nmade-for-him,first,https://example.com/', {}, acting);
  await importAll('file_name,name,target_1\nmade-for-him,second,https://example.com/', { existing: 'update' }, acting);
  const code = await codeOf('made-for-him');
  const { body } = await test_app.call(owner, 'qr_code_list', 'versions', { id: code?.id ?? 0 });
  const both = { action: 'imported', user_account: owner.account, impersonator_account: administrator.account };
  expect(body.content).toMatchObject([both, both]);
});
