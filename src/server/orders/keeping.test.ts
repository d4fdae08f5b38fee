import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { credit } from '../ledger/testing/money.ts';

const million = 1_000_000n;
let test_app: TestApp;
let administrator: TestUser;
let user: TestUser;
let small: number;
let large: number;
/** The user's five codes, the oldest first. */
let codes: number[];

const combo = async (name: string, price: string, live_codes: number): Promise<number> => {
  const quotas = { live_codes, domains: null, short_codes: null, monitors: null };
  return (await test_app.call(administrator, 'vip_combo', 'add', { name, price, days: 30, quotas })).body.id;
};

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  small = await combo('小套餐', '10', 3);
  large = await combo('大套餐', '50', 5);
});
afterAll(() => test_app.close());
beforeEach(async () => {
  user = await test_app.makeUser('customer');
  await credit(test_app.db, user.id, 500n * million);
  await buy(large);
  codes = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) codes.push(await addCode(name));
});

const shop = async () => (await test_app.call(user, 'buy_vip_combo', 'inquire', {})).body;
const offerOf = async (id: number) => (await shop()).content.find((offer) => offer.id === id);
async function buy(combo_id: number) {
  const offer = await offerOf(combo_id);
  const { last_order_id } = await shop();
  const { status, body } = await test_app.call(user, 'buy_vip_combo', 'buy', { combo_id, amount: offer?.amount ?? '', last_order_id });
  expect([status, body.state]).toEqual([200, 'paid']);
}
async function addCode(name: string, as = user): Promise<number> {
  const { status, body } = await test_app.call(as, 'qr_code_list', 'add', {
    name,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
  expect(status).toBe(200);
  return body.id;
}
const rename = (id: number, as = user) => test_app.call(as, 'qr_code_list', 'update', { id, name: 'renamed' });
/** Which of the five can be changed, by their places. */
const changeable = async () => {
  const statuses = [];
  for (const id of codes) statuses.push((await rename(id)).status);
  return statuses.flatMap((status, at) => (status === 200 ? [at] : []));
};
/** The same as lists mark it. */
const unmarked = async () => {
  const { content } = (await test_app.call(user, 'qr_code_list', 'inquire', {})).body;
  return codes.flatMap((id, at) => (content.find((row) => row.id === id)?.over_quota ? [] : [at]));
};
const keep = (places: readonly number[], as = user) =>
  test_app.call(as, 'buy_vip_combo', 'keep', { kind: 'live_codes', ids: places.map((at) => codes[at] ?? 0) });
const need = async () => (await test_app.call(user, 'home', 'needs', {})).body.content.find(({ kind }) => kind === 'quota_exceeded')?.items;

test('what would be too many is told before a smaller combo is bought, and before the membership ends', async () => {
  expect((await offerOf(small))?.excess).toEqual([{ kind: 'live_codes', number: 2 }]);
  expect((await offerOf(large))?.excess).toEqual([]);
  expect((await shop()).excess_at_end).toEqual([]);
  await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('code_quota', '1')`);
  expect((await shop()).excess_at_end).toEqual([{ kind: 'live_codes', number: 4 }]);
  await test_app.db.execute(sql`DELETE FROM setting WHERE key = 'code_quota'`);
});

describe('five codes on a quota of three', () => {
  beforeEach(() => buy(small));

  test('without a choice the oldest can be changed; the others are marked, and visits go on', async () => {
    expect(await need()).toEqual([{ id: 1, name: '活码', at: null, left: 2 }]);
    expect([await changeable(), await unmarked()]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    expect((await rename(codes[3] ?? 0)).body.code).toBe('live_code.over_quota');
    const { body } = await test_app.call(user, 'qr_code_list', 'test_visit', { id: codes[4] ?? 0, visitor: {} });
    expect(body.outcome).toBe('passed');
  });

  test('the owner’s choice takes the place of the oldest, and another that of his choice', async () => {
    expect((await keep([0, 3, 4])).body).toEqual({ affected: 3 });
    expect([await changeable(), await unmarked(), await need()]).toEqual([[0, 3, 4], [0, 3, 4], undefined]);
    const { limit, total, content } = (await test_app.call(user, 'buy_vip_combo', 'choices', { kind: 'live_codes' })).body;
    expect([limit, total, content.filter(({ kept }) => kept).map(({ id }) => id)]).toEqual([3, 5, [codes[0], codes[3], codes[4]]]);
    await keep([1, 2, 3]);
    expect(await changeable()).toEqual([1, 2, 3]);
  });

  test('a greater combo brings all back, and a smaller one after it the choice', async () => {
    await keep([2, 3, 4]);
    await buy(large);
    expect([await changeable(), await unmarked(), await need()]).toEqual([[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], undefined]);
    expect((await keep([2, 3, 4])).body.code).toBe('quota.not_exceeded');
    await buy(small);
    expect([await changeable(), await need()]).toEqual([[2, 3, 4], undefined]);
  });

  test('a place that becomes free is taken by the next oldest', async () => {
    await test_app.call(user, 'qr_code_list', 'update_remove', { ids: [codes[1] ?? 0], removed: true });
    expect(await changeable()).toEqual([0, 2, 3]);
  });

  test('is chosen exactly, of one’s own codes', async () => {
    expect((await keep([0, 3])).body.fields).toEqual({ ids: 'choose_exactly' });
    expect((await keep([0, 1, 2, 3])).status).toBe(400);
    const foreign = await addCode('foreign', await test_app.makeUser('customer'));
    const kind = 'live_codes';
    const taken = await test_app.call(user, 'buy_vip_combo', 'keep', { kind, ids: [codes[3] ?? 0, codes[4] ?? 0, foreign] });
    expect([taken.status, await changeable()]).toEqual([404, [0, 1, 2]]);
    expect((await keep([2, 3, 4], await test_app.makeUser('customer'))).status).toBe(409);
    expect(await changeable()).toEqual([0, 1, 2]);
  });

  test('of two choices at once one holds as a whole', async () => {
    const both = await Promise.all([keep([0, 1, 4]), keep([2, 3, 4])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect([
      [0, 1, 4],
      [2, 3, 4],
    ]).toContainEqual(await changeable());
  });

  test('no batch, refill or version changes one that is beyond; it can be closed, moved to another domain and removed', async () => {
    const beyond = codes[4] ?? 0;
    expect((await test_app.call(user, 'qr_code_list', 'update_restriction_visit', { ids: [beyond], restriction_visit: 2 })).status).toBe(
      409,
    );
    expect((await test_app.call(user, 'qr_code_list', 'restore_version', { id: beyond, version: 1 })).status).toBe(409);
    expect((await test_app.call(user, 'qr_code_list', 'refill', { id: beyond })).status).toBe(409);
    expect((await test_app.call(user, 'qr_code_list', 'update_open', { ids: [beyond], open: false })).status).toBe(200);
    expect((await test_app.call(user, 'qr_code_list', 'change_domain_name', { ids: [beyond], entry_domain_id: null })).status).toBe(200);
    expect((await test_app.call(user, 'qr_code_list', 'update_remove', { ids: [beyond], removed: true })).status).toBe(200);
  });

  test('an administrator helps with those that are beyond, too', async () => {
    expect((await rename(codes[4] ?? 0, administrator)).status).toBe(200);
  });
});
