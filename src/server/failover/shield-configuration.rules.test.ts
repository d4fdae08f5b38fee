import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { TestUser } from '../kit/testing/app.ts';
import {
  add,
  addToPool,
  administrator,
  block,
  code,
  domainOf,
  eventsOf,
  heal,
  logOf,
  owner,
  prepareShield,
  preview,
  retryDue,
  setRule,
  stranger,
  test_app,
  work,
} from './testing/shield.ts';

prepareShield();

describe('limits of an hour', () => {
  test('hold the next blocked domain back until the hour allows it, and say so', async () => {
    await setRule(owner, { max_per_hour: 1 });
    const [a, b, c] = [await add(owner), await add(owner), await add(owner)];
    const [onA, onB] = [await code(owner, a.id), await code(owner, b.id)];
    await block(a);
    await work();
    expect(await domainOf(owner, onA)).toBe(b.id);
    await block(b);
    await work();
    expect([await domainOf(owner, onA), await domainOf(owner, onB)]).toEqual([b.id, b.id]);
    const [waiting] = await logOf(owner);
    expect(waiting).toMatchObject({ handling: 'waiting', reason: 'limit' });
    expect(Date.parse(waiting?.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(3_500_000);
    expect((await preview(owner, b.id)).body).toMatchObject({ handling: 'waiting', reason: 'limit', rule: { used: 1, max_per_hour: 1 } });
    await test_app.db.execute(sql`UPDATE failover SET started_at = started_at - interval '1 hour'`);
    await retryDue();
    await work();
    expect([await domainOf(owner, onA), await domainOf(owner, onB)]).toEqual([c.id, c.id]);
  });

  test("bound what users get of the pool, by the pool's own limit", async () => {
    await setRule(administrator, { replace_own: false, max_per_hour: 1 }, { scope: 'pool' });
    await addToPool();
    const [mine, theirs] = [await add(owner), await add(stranger)];
    await code(owner, mine.id);
    const waiting = await code(stranger, theirs.id);
    await block(mine);
    await work();
    await block(theirs);
    await work();
    expect(await domainOf(stranger, waiting)).toBe(theirs.id);
    expect((await logOf(stranger))[0]).toMatchObject({ handling: 'waiting', reason: 'pool_limit' });
    // A raised limit is followed at once.
    await setRule(administrator, { replace_own: false, max_per_hour: 20 }, { scope: 'pool' });
    await work();
    expect((await logOf(stranger))[0]).toMatchObject({ handling: 'replaced' });
  });
});

describe('rules', () => {
  test("of a user are his own or the platform's; administrators set the platform's and the pool's", async () => {
    const rulesOf = async (as: TestUser) => (await test_app.call(as, 'shield_configuration', 'rules', {})).body.content;
    expect((await rulesOf(owner)).map(({ scope, type, inherited }) => [scope, type, inherited])).toEqual([
      ['own', 1, true],
      ['own', 2, true],
      ['own', 3, true],
    ]);
    expect((await rulesOf(administrator)).map(({ scope, type }) => `${scope} ${type}`)).toHaveLength(6);
    expect((await setRule(owner, {}, { scope: 'pool' })).status).toBe(403);
    expect((await setRule(administrator, {}, { scope: 'own' })).status).toBe(403);
    expect((await setRule(owner, { otherwise: 'pause' }, { type: 3 })).body.fields).toEqual({ otherwise: expect.any(String) });
    await add(owner);
    expect((await setRule(owner, { max_per_hour: 3 })).body).toMatchObject({ max_per_hour: 3, inherited: false, domains: 1, healthy: 1 });
    await setRule(administrator, { max_per_hour: 7 }, { scope: 'default' });
    expect((await rulesOf(stranger))[0]).toMatchObject({ max_per_hour: 7, inherited: true });
    expect((await test_app.call(owner, 'shield_configuration', 'reset', { type: 1 })).body).toMatchObject({
      max_per_hour: 7,
      inherited: true,
    });
  });

  test('that are off leave the domain alone, and are followed at once when they are on again', async () => {
    const [from, to] = [await add(owner), await add(owner)];
    const one = await code(owner, from.id);
    await setRule(owner, { enabled: false });
    await block(from);
    await work();
    expect((await logOf(owner))[0]).toMatchObject({ handling: 'left', reason: 'disabled' });
    await setRule(owner, {});
    await work();
    expect(await domainOf(owner, one)).toBe(to.id);
  });

  test('tell once of each fall below the low-water mark, users of their own, super administrators of the pool', async () => {
    await setRule(owner, { low_water: 2 });
    await setRule(administrator, { replace_own: false, low_water: 2 }, { scope: 'pool' });
    const [a, b] = [await add(owner), await add(owner)];
    const pool = [await addToPool(), await addToPool()];
    const lows = async (user: TestUser) =>
      (await eventsOf(user, 'domain.pool_low')).map(({ type, healthy, holder_id }) => ({ type, healthy, holder_id }));
    await block(await add(stranger));
    await work();
    const before = (await lows(administrator)).length;
    await block(a);
    await work();
    await block(b);
    await work();
    expect(await lows(owner)).toEqual([{ type: 1, healthy: 1, holder_id: owner.id }]);
    await heal(a, b);
    await block(pool[0] ?? a);
    await work();
    await block(a);
    await work();
    expect(await lows(owner)).toHaveLength(2);
    expect((await lows(administrator)).slice(before)).toEqual([{ type: 1, healthy: 1, holder_id: null }]);
  });

  test('say how long the healthy ones last at the rate of the last 30 days', async () => {
    const somebody = await test_app.makeUser('customer');
    const lasts = async () => {
      const { content } = (await test_app.call(somebody, 'shield_configuration', 'rules', {})).body;
      const { healthy, blocks, lasts_days } = content.find(({ type }) => type === 1) ?? {};
      return { healthy, blocks, lasts_days };
    };
    const [first, second] = [await add(somebody), await add(somebody), await add(somebody), await add(somebody)];
    expect(await lasts()).toEqual({ healthy: 4, blocks: 0, lasts_days: null });
    await test_app.db.execute(sql`UPDATE domain SET created_at = now() - interval '90 days' WHERE holder_id = ${somebody.id}`);
    await block(first);
    // Three left, of which one goes in a month.
    expect(await lasts()).toEqual({ healthy: 3, blocks: 1, lasts_days: 90 });
    await block(second);
    expect(await lasts()).toEqual({ healthy: 2, blocks: 2, lasts_days: 30 });
    await test_app.db.execute(sql`UPDATE failover SET began_at = now() - interval '31 days' WHERE holder_id = ${somebody.id}`);
    expect(await lasts()).toEqual({ healthy: 2, blocks: 0, lasts_days: null });
  });
});
