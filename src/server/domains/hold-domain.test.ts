import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());

let made = 0;
const addDomains = async (as: TestUser, number: number, type: 1 | 2 | 3 = 1): Promise<number[]> => {
  const lines = Array.from({ length: number }, () => `hold-${++made}.example.com`);
  await test_app.call(as, 'domain_list', 'add_many', { lines, type });
  const { body } = await test_app.call(as, 'domain_list', 'inquire', { page_size: 200, sort: 'id', order: 'desc', type });
  return body.content.slice(0, number).map(({ id }) => id);
};
const addCode = (as: TestUser, entry_domain_id: number) =>
  test_app.call(as, 'qr_code_list', 'add', {
    name: 'code',
    entry_domain_id,
    landing_domain_id: null,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
const rowOf = async (user: TestUser) =>
  (await test_app.call(administrator, 'hold_domain', 'inquire', { search: user.account })).body.content[0];
const assign = (ids: number[], holder: TestUser) => test_app.call(administrator, 'hold_domain', 'assign', { ids, holder_id: holder.id });
const takeBack = (ids: number[]) => test_app.call(administrator, 'hold_domain', 'take_back', { ids });

test('each holder is listed with what he holds, those with most first', async () => {
  const [few, many, none] = [await test_app.makeUser('customer'), await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  await addDomains(few, 1);
  await addDomains(many, 2);
  const [, second] = [...(await addDomains(many, 3, 2))];
  await addDomains(many, 1, 3);
  await test_app.call(many, 'domain_list', 'update_enabled', { ids: [second ?? 0], enabled: false });
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${second}`);
  expect(await rowOf(many)).toMatchObject({ domains: 6, entry: 2, landing: 3, short: 1, disabled_domains: 1, blocked: 1, limit: null });
  const { body } = await test_app.call(administrator, 'hold_domain', 'inquire', { sort: 'domains', order: 'desc', holding: true });
  const accounts = body.content.map(({ account }) => account);
  expect(accounts.indexOf(many.account)).toBeLessThan(accounts.indexOf(few.account));
  expect(accounts).not.toContain(none.account);
  const { body: pool } = await test_app.call(administrator, 'hold_domain', 'pool', {});
  expect(pool.held).toMatchObject({ domains: 7, landing: 3, blocked: 1 });
  expect(pool.holders).toBe(2);
});

test('domains go to a user and back to the pool; codes on them go on', async () => {
  const [from, to] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const ids = await addDomains(from, 2);
  expect((await assign(ids, to)).body).toEqual({ affected: 2 });
  expect((await rowOf(to))?.domains).toBe(2);
  const code = (await addCode(to, ids[0] ?? 0)).body;
  expect((await takeBack(ids)).body).toEqual({ affected: 2 });
  expect((await takeBack(ids)).body).toEqual({ affected: 0 });
  expect((await test_app.call(to, 'qr_code_list', 'details', { id: code.id })).body.url).toMatch(/^http:\/\/hold-/);
  const { rows } = await test_app.db.execute<{ owner_id: number; holder_id: number | null }>(
    sql`SELECT owner_id::float8 AS owner_id, (data ->> 'holder_id')::float8 AS holder_id FROM event
      WHERE type = 'domain.changed' AND (data ->> 'id')::bigint = ${ids[0]} ORDER BY id`,
  );
  expect(rows.map(({ owner_id, holder_id }) => [owner_id, holder_id])).toEqual([
    [from.id, null],
    [to.id, to.id],
    [to.id, null],
    [administrator.id, null],
  ]);
});

test('whoever loses a domain by a change of it is told like whoever gets it', async () => {
  const [from, to] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const [id = 0] = await addDomains(from, 1);
  expect((await test_app.call(administrator, 'domain_list', 'update', { id, holder_id: to.id })).status).toBe(200);
  const { rows } = await test_app.db.execute(
    sql`SELECT owner_id::float8 AS owner_id, data -> 'holder_id' AS holder_id FROM event WHERE type = 'domain.changed' AND (data ->> 'id')::bigint = ${id} ORDER BY id`,
  );
  expect(rows).toEqual([
    { owner_id: from.id, holder_id: null },
    { owner_id: to.id, holder_id: to.id },
  ]);
});

test('a domain on codes of others is not given away, and none of the call is', async () => {
  const [from, to] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const ids = await addDomains(from, 2);
  await addCode(from, ids[1] ?? 0);
  expect((await assign(ids, to)).body.code).toBe('domain.in_use');
  expect((await rowOf(from))?.domains).toBe(2);
  expect((await assign(ids, { ...to, id: 987_654_321 })).body.fields).toEqual({ holder_id: 'unknown_user' });
});

test('a quota bounds what is given, at the same moment too; null is the default again', async () => {
  const [from, to] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const ids = await addDomains(from, 6);
  expect((await test_app.call(administrator, 'hold_domain', 'quota', { ids: [to.id], domain_quota: 3 })).body).toEqual({ affected: 1 });
  expect((await assign(ids.slice(0, 4), to)).body.code).toBe('domain.quota_exceeded');
  const answers = await Promise.all(ids.map((id) => assign([id], to)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(await rowOf(to)).toMatchObject({ domains: 3, domain_quota: 3, limit: 3 });
  const { body: full } = await test_app.call(administrator, 'hold_domain', 'inquire', { full: true });
  expect(full.content.map(({ id }) => id)).toEqual([to.id]);
  await test_app.call(administrator, 'hold_domain', 'quota', { ids: [to.id, from.id], domain_quota: null });
  expect(await rowOf(to)).toMatchObject({ domain_quota: null, limit: null });
  expect((await test_app.call(administrator, 'hold_domain', 'quota', { ids: [987_654_321], domain_quota: 1 })).status).toBe(404);
  expect((await test_app.call(administrator, 'hold_domain', 'quota', { ids: [to.id], domain_quota: -1 })).status).toBe(400);
});

test('customers and agents have no part in it', async () => {
  for (const kind of ['customer', 'agent'] as const) {
    const user = await test_app.makeUser(kind);
    expect((await test_app.call(user, 'hold_domain', 'inquire', {})).status).toBe(403);
    expect((await test_app.call(user, 'hold_domain', 'quota', { ids: [user.id], domain_quota: null })).status).toBe(403);
  }
});
