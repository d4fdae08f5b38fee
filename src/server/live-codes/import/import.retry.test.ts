import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImporting, type Importing } from '../testing/importing.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await createImporting();
});
afterAll(() => importing.close());

test('an import that the database breaks off, because it and another one wait for each other, begins its portion again', async () => {
  const { test_app, importAll } = importing;
  // A sequence counts on when its transaction is undone: only the first try is broken off.
  await test_app.db.execute(sql`
    CREATE SEQUENCE tries;
    CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('tries') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER break_off BEFORE INSERT ON code_group FOR EACH ROW EXECUTE FUNCTION break_off()`);
  const content = 'name,target_1,group\nx,https://example.com/,first\ny,https://example.com/,second';
  expect(await importAll(content)).toMatchObject({ state: 'completed', message: '新建 2，更新 0，跳过 0，有问题 0' });
});
