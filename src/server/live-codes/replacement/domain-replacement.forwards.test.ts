import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let administrator: TestUser;
let hosts = 0;
beforeAll(async () => {
  test_app = await createTestApp();
  [owner, stranger] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  administrator = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());

async function addDomain(as: TestUser, more: { holder_id?: number | null } = {}) {
  hosts += 1;
  return (await test_app.call(as, 'domain_list', 'add', { host: `h${hosts}.example.com`, type: 1, ...more })).body;
}
const addCode = async (entry_domain_id: number, file_name: string) =>
  (
    await test_app.call(owner, 'qr_code_list', 'add', {
      name: file_name,
      file_name,
      entry_domain_id,
      landing_domain_id: null,
      targets: [{ kind: 'url', content: 'https://example.com/' }],
    })
  ).body;
const addForward = async (domain_id: number, path: string, url = 'https://example.com/', as = owner) =>
  (await test_app.call(as, 'forward', 'add', { domain_id, path, url })).body;
const pathsOn = async (domain_id: number) =>
  (await test_app.call(administrator, 'forward', 'inquire', { domain_id })).body.content.map(({ path }) => path).sort();
const pairOf = (from: { id: number }, to: { id: number }) => ({ from_domain_id: from.id, to_domain_id: to.id });
const preview = async (from: { id: number }, to: { id: number }, as = owner) =>
  (await test_app.call(as, 'domain_replacement', 'preview', pairOf(from, to))).body;
const replace = async (from: { id: number }, to: { id: number }, with_forwards?: boolean, as = owner) =>
  (await test_app.call(as, 'domain_replacement', 'add', { ...pairOf(from, to), ...(with_forwards === undefined ? {} : { with_forwards }) }))
    .body;
const undo = async (id: number | null, as = owner) => (await test_app.call(as, 'domain_replacement', 'undo', { id: id ?? 0 })).body;

test('forwards are told of, stay where nobody asks for them, move along where it is asked, and go back with an undo', async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  await addCode(from.id, 'moving-code');
  for (const path of ['/about', '/shop/*']) await addForward(from.id, path);
  expect(await preview(from, to)).toMatchObject({ live_codes: 1, forwards: 2, staying_forwards: 0 });
  const without = await replace(from, to);
  expect([without.affected, without.forwards, await pathsOn(from.id)]).toEqual([1, 0, ['/about', '/shop/*']]);
  await undo(without.replacement_id);
  const taken = await replace(from, to, true);
  expect([taken.affected, taken.forwards, await pathsOn(from.id), await pathsOn(to.id)]).toEqual([1, 2, [], ['/about', '/shop/*']]);
  const { body: listed } = await test_app.call(owner, 'domain_replacement', 'inquire', { domain_id: from.id });
  expect(listed.content[0]).toMatchObject({ id: taken.replacement_id, live_codes: 1, forwards: 2, undoable: true });
  // One that somebody put elsewhere or took away since stays so.
  const [about] = (await test_app.call(owner, 'forward', 'inquire', { domain_id: to.id, search: 'about' })).body.content;
  await test_app.call(owner, 'forward', 'remove', { ids: [about?.id ?? 0] });
  expect(await undo(taken.replacement_id)).toEqual({ affected: 1, forwards: 1, operation_id: null });
  expect([await pathsOn(from.id), await pathsOn(to.id)]).toEqual([['/shop/*'], []]);
});

test('forwards stay whose path is taken, that would hide a code of the new domain, or that lead to it', async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  await addForward(to.id, '/same');
  await addForward(from.id, '/same');
  await addForward(from.id, '/resident');
  await addForward(from.id, '/*', `https://${to.host}/{rest}`);
  await addForward(from.id, '/free');
  await addCode(to.id, 'resident');
  expect(await preview(from, to)).toMatchObject({ forwards: 1, staying_forwards: 3 });
  const done = await replace(from, to, true);
  expect([done.affected, done.forwards]).toEqual([0, 1]);
  expect([await pathsOn(from.id), await pathsOn(to.id)]).toEqual([
    ['/*', '/resident', '/same'],
    ['/free', '/same'],
  ]);
});

test("forwards of others are neither counted nor moved, and nobody's comes onto a domain that he puts none on", async () => {
  const [pool, pool2] = [await addDomain(administrator, { holder_id: null }), await addDomain(administrator, { holder_id: null })];
  const own = await addDomain(owner);
  await addForward(pool.id, '/of-the-platform', 'https://example.com/', administrator);
  await addForward(own.id, '/mine');
  expect(await preview(pool, own)).toMatchObject({ forwards: 0, staying_forwards: 0 });
  expect((await replace(pool, own, true)).forwards).toBe(0);
  expect(await preview(own, pool)).toMatchObject({ forwards: 0, staying_forwards: 1 });
  expect((await replace(own, pool, true)).forwards).toBe(0);
  const moved = await replace(pool, pool2, true, administrator);
  expect([moved.forwards, await pathsOn(pool2.id)]).toEqual([1, ['/of-the-platform']]);
  const { rows } = await test_app.db.execute(sql`SELECT FROM domain_replacement WHERE id = ${moved.replacement_id}`);
  expect(rows).toHaveLength(1);
  expect((await test_app.call(stranger, 'domain_replacement', 'undo', { id: moved.replacement_id ?? 0 })).status).toBe(404);
  expect((await undo(moved.replacement_id, administrator)).forwards).toBe(1);
});
