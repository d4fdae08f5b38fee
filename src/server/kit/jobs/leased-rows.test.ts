import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase, openPool } from '../postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { leasedRows } from './leased-rows.ts';

type Thing = { id: number; claim: string; tries: number };
const things = leasedRows<Thing>('thing', { seconds: 60, retry: { at: 'due_at', seconds: sql`60 * power(2, tries)` } });

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, { warn: () => {} });
  db = openDatabase(pool);
  await db.execute(sql`
    CREATE TABLE thing (id bigint PRIMARY KEY, tries integer NOT NULL, due_at timestamptz NOT NULL, said text, claim uuid, claimed_until timestamptz)`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => db.execute(sql`TRUNCATE thing`));

const add = (number: number) => db.execute(sql`INSERT INTO thing SELECT generate_series(1, ${number}::int), 0, now()`);
const take = (limit = 1) =>
  things.claim(db, {
    due: sql`SELECT id FROM thing WHERE due_at <= now() AND ${things.isFree} ORDER BY id LIMIT ${limit}`,
    set: sql`tries = tries + 1`,
    returning: sql`tries`,
  });
async function takeOne(): Promise<Thing> {
  const [thing] = await take();
  if (!thing) throw new Error('nothing is due');
  return thing;
}
const letLeasesEnd = () => db.execute(sql`UPDATE thing SET claimed_until = now() - interval '1 second'`);
const stored = async () =>
  (
    await db.execute(sql`
    SELECT id, said, claim IS NOT NULL AS taken, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM thing ORDER BY id`)
  ).rows;

test('who lost a lease keeps, gives back and changes nothing', async () => {
  await add(1);
  const lost = await takeOne();
  expect(await take()).toEqual([]);
  await letLeasesEnd();
  const own = await takeOne();
  expect(own).toMatchObject({ id: 1, tries: 2 });

  expect(await things.renew(db, lost)).toBe('lost');
  expect(await things.release(db, lost, sql`said = 'lost'`)).toBe(false);
  expect(await things.fail(db, lost, { set: sql`said = 'lost'` })).toBe(false);
  expect(await stored()).toEqual([{ id: 1, said: null, taken: true, minutes: 0 }]);

  expect(await things.renew(db, own)).toBeUndefined();
  expect(await things.release(db, own, sql`said = 'own'`)).toBe(true);
  expect(await stored()).toEqual([{ id: 1, said: 'own', taken: false, minutes: 0 }]);
});

test('a lease that is renewed is not over', async () => {
  await add(1);
  const own = await takeOne();
  await letLeasesEnd();
  await things.renew(db, own);
  expect(await take()).toEqual([]);
});

test('rows of one claim are kept and given back together', async () => {
  await add(3);
  const rows = await take(2);
  await letLeasesEnd();
  await things.renew(db, rows);
  expect((await take(3)).map(({ id }) => id)).toEqual([3]);
  await things.release(db, rows);
  expect((await take(3)).map(({ id }) => id).sort()).toEqual([1, 2]);
});

test('what fails is tried again later each time, and not before it is asked to', async () => {
  await add(2);
  await things.fail(db, await takeOne(), { set: sql`said = 'failed'` });
  await things.fail(db, await takeOne(), { minSeconds: 300 });
  expect(await stored()).toEqual([
    { id: 1, said: 'failed', taken: false, minutes: 2 },
    { id: 2, said: null, taken: false, minutes: 5 },
  ]);
  await db.execute(sql`UPDATE thing SET due_at = now()`);
  await things.fail(db, await takeOne(), {});
  expect(await stored()).toMatchObject([{ minutes: 4 }, { minutes: 0 }]);
});
