import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { refillDueTargets } from '../visits/maintenance/maintenance.ts';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

type Limit = { threshold?: number | null; enabled?: boolean; expires_at?: string | null };
const target = (limit: Limit = {}) => ({ kind: 'url' as const, content: 'https://example.com/', ...limit });

/** A code with these targets, and how to change the first of them. */
async function codeWith(...limits: Limit[]) {
  const { body } = await test_app.call(owner, 'qr_code_list', 'add', { name: 'limited', targets: limits.map(target) });
  const target_id = body.targets[0]?.id ?? 0;
  return {
    id: body.id,
    target_id,
    body,
    read: async () => (await test_app.call(owner, 'qr_code_list', 'details', { id: body.id })).body,
    limit: async (threshold: number | null) =>
      (await test_app.call(owner, 'qr_code_list', 'update', { id: body.id, targets: [{ id: target_id, ...target({ threshold }) }] })).body,
    refill: (of?: number) => test_app.call(owner, 'qr_code_list', 'refill', { id: body.id, ...(of ? { target_id: of } : {}) }),
  };
}

/** Takes a block of visits as a redirect process does; answers how many it got. */
async function lease(target_id: number, wanted: number): Promise<number> {
  const { rows } = await test_app.db.execute<{ granted: number }>(sql`
    WITH before AS (SELECT remaining FROM target_quota WHERE target_id = ${target_id} AND remaining > 0 FOR UPDATE), taken AS (
      UPDATE target_quota SET remaining = target_quota.remaining - least(before.remaining, ${wanted}::int) FROM before WHERE target_id = ${target_id}
      RETURNING generation, least(before.remaining, ${wanted}::int) AS granted
    ) INSERT INTO target_lease (target_id, generation, source, granted) SELECT ${target_id}, generation, 'test', granted FROM taken RETURNING granted`);
  return rows[0]?.granted ?? 0;
}
const serve = (target_id: number, served: number) =>
  test_app.db.execute(sql`UPDATE target_lease SET served = ${served} WHERE target_id = ${target_id}`);
const quota = async (target_id: number) =>
  (await test_app.db.execute(sql`SELECT remaining, generation FROM target_quota WHERE target_id = ${target_id}`)).rows[0];

test('a threshold makes a quota; visits left include what redirect processes hold, less what they served', async () => {
  const code = await codeWith({ threshold: 100 });
  expect(code.body).toMatchObject({ remaining: 100, targets: [{ threshold: 100, remaining: 100 }] });
  expect(await lease(code.target_id, 40)).toBe(40);
  expect(await code.read()).toMatchObject({ remaining: 100, targets: [{ remaining: 100 }] });
  await serve(code.target_id, 15);
  expect(await code.read()).toMatchObject({ remaining: 85, targets: [{ threshold: 100, remaining: 85 }] });
  expect(await quota(code.target_id)).toEqual({ remaining: 60, generation: 1 });
});

test('a changed threshold adds the difference in the same generation; one lowered below what was given out ends the leases', async () => {
  const code = await codeWith({ threshold: 100 });
  await lease(code.target_id, 70);
  expect((await code.limit(150)).targets[0]?.remaining).toBe(150);
  expect(await quota(code.target_id)).toEqual({ remaining: 80, generation: 1 });
  await code.limit(60);
  expect(await quota(code.target_id)).toEqual({ remaining: 0, generation: 2 });
  expect((await code.limit(60)).targets[0]).toMatchObject({ threshold: 60, remaining: 0 });
});

test('a threshold on an endless target makes its quota; taking it off makes the target endless again', async () => {
  const code = await codeWith({});
  expect(code.body).toMatchObject({ remaining: null, targets: [{ threshold: null, remaining: null }] });
  expect(await code.limit(5)).toMatchObject({ remaining: 5, targets: [{ threshold: 5, remaining: 5 }] });
  expect(await code.limit(null)).toMatchObject({ remaining: null, targets: [{ threshold: null, remaining: null }] });
  expect(await quota(code.target_id)).toBeUndefined();
});

test('a quota made again does not count leases of the one before', async () => {
  const code = await codeWith({ threshold: 10 });
  await lease(code.target_id, 10);
  await code.limit(null);
  expect(await code.limit(10)).toMatchObject({ remaining: 10 });
  expect(await quota(code.target_id)).toEqual({ remaining: 10, generation: 2 });
});

test('a form that says nothing of the threshold keeps it, and the visits left', async () => {
  const code = await codeWith({ threshold: 10 });
  await lease(code.target_id, 4);
  await serve(code.target_id, 4);
  const { body } = await test_app.call(owner, 'qr_code_list', 'update', {
    id: code.id,
    targets: [{ id: code.target_id, kind: 'url', content: 'https://elsewhere.example.com' }],
  });
  expect(body.targets).toMatchObject([{ content: 'https://elsewhere.example.com', threshold: 10, remaining: 6 }]);
});

test('a refill starts a new generation at the threshold: what was leased before no longer counts', async () => {
  const code = await codeWith({ threshold: 10 }, { threshold: 20 }, {});
  const second = code.body.targets[1]?.id ?? 0;
  await lease(code.target_id, 8);
  await lease(second, 20);
  await serve(second, 20);
  expect((await code.refill(second)).body.targets.map(({ remaining }) => remaining)).toEqual([10, 20, null]);
  expect([await quota(code.target_id), await quota(second)]).toEqual([
    { remaining: 2, generation: 1 },
    { remaining: 20, generation: 2 },
  ]);
  await code.refill();
  expect([await quota(code.target_id), await quota(second)]).toEqual([
    { remaining: 10, generation: 2 },
    { remaining: 20, generation: 3 },
  ]);
  const other = await codeWith({ threshold: 1 });
  expect((await code.refill(other.target_id)).status).toBe(404);
  expect(await quota(other.target_id)).toEqual({ remaining: 1, generation: 1 });
});

test('thresholds edited while leases are taken: what is left, leased and added always adds up', async () => {
  const code = await codeWith({ threshold: 1000 });
  const edits = Array.from({ length: 10 }, (_, index) => code.limit(1000 + (index + 1) * 10));
  const leases = Array.from({ length: 30 }, () => lease(code.target_id, 7));
  const granted = (await Promise.all(leases)).reduce((sum, one) => sum + one, 0);
  await Promise.all(edits);
  const last = (await code.read()).targets[0];
  expect(granted).toBe(210);
  expect(await quota(code.target_id)).toEqual({ remaining: (last?.threshold ?? 0) - granted, generation: 1 });
  expect(last?.remaining).toBe(last?.threshold);
});

test('a target that goes while it is leased takes its quota and leases along', async () => {
  const code = await codeWith({ threshold: 10 }, { threshold: 10 });
  await lease(code.target_id, 5);
  await test_app.call(owner, 'qr_code_list', 'update', { id: code.id, targets: [target()] });
  const { rows } = await test_app.db.execute(
    sql`SELECT target_id FROM target_lease WHERE target_id = ${code.target_id} UNION ALL SELECT target_id FROM target_quota WHERE target_id = ${code.target_id}`,
  );
  expect(rows).toEqual([]);
});

test('visits left of a code leave out what is off or expired, and are none where nothing can serve', async () => {
  const gone = '2020-01-01T00:00:00.000Z';
  const off = await codeWith({ threshold: 5 }, { threshold: 7, enabled: false }, { expires_at: gone }, { enabled: false });
  expect(off.body.remaining).toBe(5);
  expect((await codeWith({ threshold: 5, expires_at: gone }, { enabled: false })).body.remaining).toBe(0);
  expect((await codeWith({ threshold: 5 }, { expires_at: '2100-01-01T00:00:00.000Z' })).body.remaining).toBeNull();
});

test('a refill hour that is set on an existing target does not count for today, when it has passed', async () => {
  const code = await codeWith({ threshold: 10 });
  await test_app.db.execute(sql`UPDATE live_code_target SET created_at = now() - interval '3 days' WHERE id = ${code.target_id}`);
  await test_app.call(owner, 'qr_code_list', 'update', {
    id: code.id,
    targets: [{ id: code.target_id, ...target({ threshold: 10 }), refill_hour: 0 }],
  });
  await lease(code.target_id, 4);
  await refillDueTargets(test_app.pool, { now: new Date(), time_zone: 'Asia/Shanghai' });
  expect(await quota(code.target_id)).toEqual({ remaining: 6, generation: 1 });
  await refillDueTargets(test_app.pool, { now: new Date(Date.now() + 86_400_000), time_zone: 'Asia/Shanghai' });
  expect(await quota(code.target_id)).toEqual({ remaining: 10, generation: 2 });
});

test('targets rank by the larger sort', async () => {
  const code = await codeWith({}, {}, {}, {});
  expect(code.body.targets.map(({ sort }) => sort)).toEqual([4, 3, 2, 1]);
  const [a, b] = code.body.targets.map(({ id }) => id);
  await test_app.db.execute(sql`UPDATE live_code_target SET sort = 9 WHERE id = ${b}`);
  expect((await code.read()).targets.map(({ id }) => id).slice(0, 2)).toEqual([b, a]);
});
