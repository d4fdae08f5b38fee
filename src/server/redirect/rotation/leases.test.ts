import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { openQueryPool, type QueryPool } from '../memory/database.ts';
import { openRecords, type Records } from '../testing/records.ts';
import type { Query } from './leases.queries.ts';
import { createLeases, type Leases } from './leases.ts';
import type { Lease, Quota } from './quota.ts';

let database: TestDatabase;
let records: Records;
const pools: QueryPool[] = [];
let next = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await records.close();
  await database.drop();
});

let now = 1_000_000;
beforeEach(() => {
  now = 1_000_000;
});

/** Leases as one process has them; `disturb` may change what becomes of its statements. */
function openProcess(disturb: (run: () => Promise<object[]>, name: string) => Promise<object[]> = (run) => run()) {
  const pool = openQueryPool(database.url, () => {});
  pools.push(pool);
  const query = ((statement: Parameters<Query>[0]) => disturb(() => pool.query(statement), statement.name)) as Query;
  next += 1;
  const source = `r${next}-test-1`;
  return { source, leases: createLeases({ query, source, isConnected: () => true, onFault: () => {}, now: () => now }) };
}

async function makeTarget(threshold: number): Promise<number> {
  next += 1;
  const { targets } = await records.addCode(`lease-${next}`, {}, [{ threshold }]);
  return targets[0] ?? 0;
}

/** One visit: from a lease, else after asking; undefined where the target has none left. */
async function visit(leases: Leases, quota: Quota): Promise<Lease | undefined> {
  for (;;) {
    const lease = leases.take(quota);
    if (lease) return lease;
    if (!leases.canAsk(quota)) return undefined;
    await new Promise<void>((resolve) => leases.ask(quota, resolve));
  }
}

const stored = async (target: number) => {
  const { rows } = await records.client.query<{ remaining: number; generation: number; leased: number }>(
    `SELECT remaining, generation, (SELECT coalesce(sum(granted), 0)::integer FROM target_lease WHERE target_id = $1) AS leased
      FROM target_quota WHERE target_id = $1`,
    [target],
  );
  return rows[0] ?? { remaining: -1, generation: -1, leased: -1 };
};

describe('leases', () => {
  it('are told to who only looks, and taken for none of them', async () => {
    const target = await makeTarget(1);
    const { leases } = openProcess();
    const quota = leases.quotaOf(target, 1, 1);
    const looked = async () => {
      expect(leases.canLook(quota)).toBe(true);
      await new Promise<void>((resolve) => leases.look(quota, resolve));
      return leases.hasLeft(quota);
    };
    expect(leases.hasLeft(quota)).toBe(false);
    expect(await looked()).toBe(true);
    expect(await stored(target)).toMatchObject({ remaining: 1, leased: 0 });
    const other = openProcess().leases;
    expect(await visit(other, other.quotaOf(target, 1, 1))).toBeDefined();
    expect(await looked()).toBe(false);
    expect(leases.canLook(quota)).toBe(false);
    expect(await stored(target)).toMatchObject({ remaining: 0, leased: 1 });
  });

  it('of many processes at once serve a threshold exactly, never over', async () => {
    const target = await makeTarget(500);
    const processes = Array.from({ length: 6 }, () => openProcess());
    const served = await Promise.all(
      processes.map(async ({ leases }) => {
        const quota = leases.quotaOf(target, 1, 500);
        let count = 0;
        const worker = async () => {
          for (let tries = 0; tries < 60; tries += 1) {
            const lease = await visit(leases, quota);
            if (lease) {
              count += 1;
              leases.answered(lease);
            }
          }
        };
        await Promise.all(Array.from({ length: 10 }, worker));
        return count;
      }),
    );
    for (const { leases } of processes) await leases.releaseAll();
    const total = served.reduce((sum, count) => sum + count, 0);
    const { remaining, leased } = await stored(target);
    expect(total).toBeLessThanOrEqual(500);
    expect(total + remaining).toBe(500);
    expect(leased).toBe(0);
  });

  it('are never larger than what is left of the target, and small near its end', async () => {
    const target = await makeTarget(10);
    const { leases } = openProcess();
    const quota = leases.quotaOf(target, 1, 10);
    const sizes: number[] = [];
    for (let index = 0; index < 10; index += 1) {
      const lease = await visit(leases, quota);
      if (!lease) throw new Error('ended early');
      leases.answered(lease);
      now += 10;
      const { leased } = await stored(target);
      sizes.push(leased);
    }
    expect(await visit(leases, quota)).toBeUndefined();
    expect((await stored(target)).remaining).toBe(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
  });

  it('of a busy target grow, so that the database is asked a few times a second', async () => {
    const target = await makeTarget(1_000_000);
    let asks = 0;
    const { leases } = openProcess((run, name) => {
      if (name === 'acquire_leases') asks += 1;
      return run();
    });
    const quota = leases.quotaOf(target, 1, 1_000_000);
    // 10 s with 2,000 visits a second.
    for (let index = 0; index < 20_000; index += 1) {
      if (index % 2 === 0) now += 1;
      const lease = await visit(leases, quota);
      if (!lease) throw new Error('ended early');
      leases.answered(lease);
      if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asks).toBeLessThan(120);
    await leases.releaseAll();
    expect(await stored(target)).toEqual({ remaining: 980_000, generation: 1, leased: 0 });
  });

  it('that are idle are given back, but not while a visit of theirs is unrecorded', async () => {
    const target = await makeTarget(100);
    const { leases } = openProcess();
    const quota = leases.quotaOf(target, 1, 100);
    await Promise.all(Array.from({ length: 20 }, () => new Promise<void>((resolve) => leases.ask(quota, resolve))));
    const first = leases.take(quota);
    if (!first) throw new Error('nothing was leased');
    now += 1000;
    await leases.sweep();
    expect((await stored(target)).leased).toBe(20);
    now += 2000;
    await leases.sweep();
    expect((await stored(target)).leased).toBe(20);
    leases.answered(first);
    await leases.sweep();
    expect(await stored(target)).toEqual({ remaining: 99, generation: 1, leased: 0 });
    expect(await visit(leases, quota)).toBeDefined();
  });

  it('of before a refill serve no more and give nothing back', async () => {
    const target = await makeTarget(10);
    const { leases } = openProcess();
    const quota = leases.quotaOf(target, 1, 10);
    await Promise.all(Array.from({ length: 10 }, () => new Promise<void>((resolve) => leases.ask(quota, resolve))));
    expect(quota.left).toBe(10);
    await records.client.query('UPDATE target_quota SET remaining = 10, generation = generation + 1 WHERE target_id = $1', [target]);
    expect(leases.quotaOf(target, 2, 10).left).toBe(0);
    now += 3000;
    await leases.sweep();
    expect(await stored(target)).toEqual({ remaining: 10, generation: 2, leased: 0 });
    let served = 0;
    for (let lease = await visit(leases, quota); lease; lease = await visit(leases, quota)) {
      leases.answered(lease);
      served += 1;
    }
    expect(served).toBe(10);
  });

  it('whose grant was lost with the connection come back, and nothing is served twice', async () => {
    const target = await makeTarget(50);
    let isBroken = true;
    const { leases } = openProcess(async (run, name) => {
      const rows = await run();
      if (name === 'acquire_leases' && isBroken) throw new Error('the connection was lost');
      return rows;
    });
    const quota = leases.quotaOf(target, 1, 50);
    expect(await visit(leases, quota)).toBeUndefined();
    expect((await stored(target)).leased).toBe(1);
    isBroken = false;
    now += 20_000;
    // The first finds them, the second gives them back.
    await leases.sweep();
    await leases.sweep();
    expect(await stored(target)).toEqual({ remaining: 50, generation: 1, leased: 0 });
  });

  it('are given back once, even when the answer to that is lost', async () => {
    const target = await makeTarget(50);
    let losses = 0;
    const { leases } = openProcess(async (run, name) => {
      const rows = await run();
      if (name === 'release_leases' && losses < 2) {
        losses += 1;
        throw new Error('the connection was lost');
      }
      return rows;
    });
    const quota = leases.quotaOf(target, 1, 50);
    const lease = await visit(leases, quota);
    if (!lease) throw new Error('nothing was leased');
    leases.answered(lease);
    await leases.releaseAll();
    expect(losses).toBe(2);
    expect(await stored(target)).toEqual({ remaining: 49, generation: 1, leased: 0 });
  });

  it('that were served whole and lie in the journal are not found again as lost', async () => {
    const target = await makeTarget(3);
    const { leases } = openProcess();
    const quota = leases.quotaOf(target, 1, 3);
    const taken: Lease[] = [];
    for (let lease = await visit(leases, quota); lease; lease = await visit(leases, quota)) taken.push(lease);
    expect(taken.length).toBe(3);
    // Nothing is recorded yet: their rows have to stay.
    now += 20_000;
    await leases.sweep();
    expect((await stored(target)).leased).toBe(3);
    for (const lease of taken) leases.answered(lease);
    await leases.sweep();
    expect(await stored(target)).toEqual({ remaining: 0, generation: 1, leased: 0 });
  });

  it('come back to a target that was asked for in vain, while another process gives its own back', async () => {
    const target = await makeTarget(5);
    const [one, two] = [openProcess(), openProcess()];
    const quota = one.leases.quotaOf(target, 1, 5);
    await Promise.all(Array.from({ length: 5 }, () => new Promise<void>((resolve) => one.leases.ask(quota, resolve))));
    const others = two.leases.quotaOf(target, 1, 5);
    expect(await visit(two.leases, others)).toBeUndefined();
    now += 3000;
    await one.leases.sweep();
    // Asked in the background: this visit goes on to the next target, a later one is served.
    expect(two.leases.canAsk(others)).toBe(false);
    await expect.poll(() => others.left).toBeGreaterThan(0);
    expect(two.leases.take(others)).toBeDefined();
  });

  it('without a database serve what is there and ask for nothing', async () => {
    const target = await makeTarget(5);
    let isUp = true;
    const pool = openQueryPool(database.url, () => {});
    pools.push(pool);
    const leases = createLeases({ query: pool.query, source: 'r0-down-1', isConnected: () => isUp, onFault: () => {}, now: () => now });
    const quota = leases.quotaOf(target, 1, 5);
    await Promise.all(Array.from({ length: 3 }, () => new Promise<void>((resolve) => leases.ask(quota, resolve))));
    isUp = false;
    for (let index = 0; index < 3; index += 1) expect(await visit(leases, quota)).toBeDefined();
    expect(await visit(leases, quota)).toBeUndefined();
    expect(leases.canAsk(quota)).toBe(false);
  });

  it('of a target whose quota is gone end there', async () => {
    const target = await makeTarget(5);
    await records.client.query('DELETE FROM target_quota WHERE target_id = $1', [target]);
    const { leases } = openProcess();
    const quota = leases.quotaOf(target, null, null);
    quota.remaining = 5;
    expect(await visit(leases, quota)).toBeUndefined();
    now += 60_000;
    expect(leases.canAsk(quota)).toBe(false);
    expect(quota.is_asking).toBe(false);
  });
});
