import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { credit } from '../../ledger/testing/money.ts';
import { loadVisits } from '../testing/loading.ts';
import { endRetention } from './retention.ts';

const now = new Date();
const day = 86_400_000;
const settings = { visit_retention_days: 10, membership_grace_days: 7 };
let test_app: TestApp;
let administrator: TestUser;
let combo_id: number;

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null, log_days: 30 };
  combo_id = (await test_app.call(administrator, 'vip_combo', 'add', { name: '长期', price: '5', days: 30, quotas })).body.id;
});
afterAll(() => test_app.close());

async function makeCode(owner: TestUser, name: string): Promise<number> {
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO live_code (owner_id, file_name, name) VALUES (${owner.id}, ${name}, ${name}) RETURNING id::float8 AS id`);
  return rows[0]?.id ?? 0;
}
const visitsOf = async (code: number) => {
  const { rows } = await test_app.db.execute<{ age: number }>(
    sql`SELECT round(extract(epoch FROM ${now.toISOString()}::timestamptz - at) / 86400)::int AS age FROM visit WHERE live_code_id = ${code} ORDER BY at DESC`,
  );
  return rows.map(({ age }) => age);
};
const figuresOf = async (code: number) => {
  const { rows } = await test_app.db.execute<{ addresses: number; counted: number }>(sql`
    SELECT (SELECT count(*)::int FROM visitor WHERE live_code_id = ${code}) AS addresses,
      (SELECT sum(visits)::int FROM visit_hour WHERE live_code_id = ${code}) AS counted`);
  return rows[0];
};
const visitedOn = (live_code_id: number, ages: readonly number[]) =>
  loadVisits(
    test_app.url,
    ages.map((age) => visitOf({ live_code_id, at: now.getTime() - age * day })),
  );
const buy = async (user: TestUser) => {
  await credit(test_app.db, user.id, 5_000_000n);
  const { content, last_order_id } = (await test_app.call(user, 'buy_vip_combo', 'inquire', {})).body;
  const amount = content.find(({ id }) => id === combo_id)?.amount ?? '';
  return (await test_app.call(user, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id })).body;
};

describe('visits are kept for as long as their owner has them kept', () => {
  test('the setting, a combo, and what an administrator gave; counts stay', async () => {
    const [plain, member, given] = await Promise.all([1, 2, 3].map(() => test_app.makeUser('customer')));
    if (!plain || !member || !given) throw new Error('three were made');
    const codes = [await makeCode(plain, 'plain'), await makeCode(member, 'member'), await makeCode(given, 'given')] as const;
    await buy(member);
    await test_app.call(administrator, 'hold_domain', 'log_days', { ids: [given.id], log_days: 3 });
    for (const code of codes) await visitedOn(code, [1, 5, 15, 25, 40]);
    // Of nobody's code.
    await visitedOn(990_001, [5, 15]);
    const ended = await endRetention(test_app.pool, { now, settings });
    expect(ended.partitions).toHaveLength(1);
    expect([await visitsOf(codes[0]), await visitsOf(codes[1]), await visitsOf(codes[2])]).toEqual([[1, 5], [1, 5, 15, 25], [1]]);
    expect(await visitsOf(990_001)).toEqual([5]);
    expect(await figuresOf(codes[2])).toEqual({ addresses: 1, counted: 5 });
    // Once more, there is nothing to do.
    expect(await endRetention(test_app.pool, { now, settings })).toEqual({ partitions: [], visitors: 0, visits: 0 });
    expect((await test_app.call(given, 'buy_vip_combo', 'inquire', {})).body.log_days).toBe(3);
    expect((await test_app.call(member, 'qr_code_list', 'details', { id: codes[1] })).body.log_days).toBe(30);
  });

  test('a combo that ended holds through the grace, and no longer', async () => {
    const user = await test_app.makeUser('customer');
    const code = await makeCode(user, 'grace');
    await buy(user);
    await visitedOn(code, [2, 20]);
    const endedDaysAgo = (days: number) =>
      test_app.db.execute(sql`UPDATE user_account SET member_expires_at = now() - make_interval(days => ${days}) WHERE id = ${user.id}`);
    await endedDaysAgo(6);
    await endRetention(test_app.pool, { now, settings });
    expect(await visitsOf(code)).toEqual([2, 20]);
    await endedDaysAgo(8);
    await endRetention(test_app.pool, { now, settings });
    expect(await visitsOf(code)).toEqual([2]);
  });
});
