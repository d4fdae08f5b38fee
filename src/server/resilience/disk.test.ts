import { writeFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { createPeople, type People, password } from '../users/testing/people.ts';

let test_app: TestApp;
let people: People;
let owner: TestUser;
beforeEach(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  owner = await people.makeUser();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await test_app.close();
});

const ready = async () => {
  const { statusCode, body } = await test_app.app.inject('/readyz');
  return [statusCode, JSON.parse(body)];
};
const logIn = () => test_app.send(undefined, 'admin/login', { account: owner.account, password });

/** The database finds no room for any row, as on a full disk. */
const fill = () =>
  test_app.db.execute(sql`DO $$
    DECLARE named record;
    BEGIN
      CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $f$
        BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $f$;
      FOR named IN SELECT oid::regclass AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND NOT relispartition LOOP
        EXECUTE format('CREATE TRIGGER no_room BEFORE INSERT ON %s FOR EACH STATEMENT EXECUTE FUNCTION no_room()', named.name);
      END LOOP;
    END $$`);

test('on a full disk of the database what writes is refused with 503 and when to come back, what reads is answered, and readiness says so', async () => {
  expect(await ready()).toEqual([200, { ok: true, database: true, disk: true }]);
  await fill();
  const refused = [
    await logIn(),
    await test_app.send(undefined, 'qr_code_access/public_enquiry', {
      ...{ key: 'wrong', file_name: 'abcd', ip_list: ['198.51.100.7'] },
      ...{ start_time: new Date().toISOString(), end_time: new Date().toISOString() },
    }),
    await test_app.send(owner, 'qr_code_list/add', { name: 'a', targets: [{ kind: 'url', content: 'https://example.com/' }] }),
  ];
  for (const { status, headers, body } of refused)
    expect([status, headers['retry-after'], body.code, body.message]).toEqual([
      503,
      '30',
      'disk_full',
      expect.stringContaining('磁盘已满'),
    ]);
  expect((await test_app.send(owner, 'qr_code_list/inquire', {})).status).toBe(200);
  expect(await ready()).toEqual([503, { ok: false, database: true, disk: false }]);

  await test_app.db.execute(sql`DROP FUNCTION no_room CASCADE`);
  expect((await logIn()).status).toBe(200);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
  expect((await ready())[0]).toBe(200);
});

// Other systems have no device that is always full.
test.runIf(process.platform === 'linux')('a full disk of our own files is told in the same way', async () => {
  test_app.app.get('/testing/full', () => writeFile('/dev/full', 'anything'));
  const { statusCode, headers, body } = await test_app.app.inject('/testing/full');
  expect([statusCode, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '30', 'disk_full']);
  expect((await ready())[0]).toBe(503);
});
