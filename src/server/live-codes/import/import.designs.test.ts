import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transact } from '../../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import type { CheckedRow } from './import.rows.ts';
import { writeRows } from './import.write.ts';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const rowOf = (file_name: string, id: number | null = null): CheckedRow => ({
  row: 2,
  action: id === null ? 'add' : 'update',
  file_name,
  id,
  fields: { name: file_name },
  group: undefined,
  targets: [{ kind: 'url', content: 'https://example.com/' }],
  faults: [],
  notes: [],
});
const importRow = (row: CheckedRow) =>
  transact(test_app.db, (db) => writeRows(db, { actor: { user_id: owner.id, impersonator: null }, change_id: randomUUID() }, [row]));

async function codeOf(file_name: string) {
  const { rows } = await test_app.db.execute<{ id: number; qr_design: unknown }>(
    sql`SELECT id::float8 AS id, qr_design FROM live_code WHERE file_name = ${file_name}`,
  );
  return rows[0];
}

test('codes that an import makes get the design that their owner chose for new codes; those that it changes keep theirs', async () => {
  expect(await importRow(rowOf('before'))).toMatchObject({ added: 1, faults: [] });
  expect((await codeOf('before'))?.qr_design).toBeNull();
  const design = { margin: 4, dots: { style: 'rounded' } };
  const { body: saved } = await test_app.call(owner, 'qr_design', 'add', { name: 'house style', design });
  await test_app.call(owner, 'qr_design', 'choose', { id: saved.id });
  await importRow(rowOf('after'));
  expect((await codeOf('after'))?.qr_design).toEqual(design);
  const before = await codeOf('before');
  expect(await importRow(rowOf('before', before?.id))).toMatchObject({ updated: 1 });
  expect((await codeOf('before'))?.qr_design).toBeNull();
});
