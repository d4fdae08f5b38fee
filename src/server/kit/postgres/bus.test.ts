import { sql } from 'drizzle-orm';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pushToPages } from '../messages/push.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { expectWithin, timeOf } from '../testing/within.ts';
import { type Bus, openBus, type Push, publish } from './bus.ts';
import { cachedValue } from './cached-value.ts';
import { type Database, openDatabase } from './database.ts';

const log = { warn: () => {} };

let database: TestDatabase;
let pool: Pool;
let db: Database;
let bus: Bus;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => {});
  db = openDatabase(pool);
  bus = openBus(database.url, log);
  await eventually(() => expect(bus.confirmedAt()).toBeGreaterThan(0));
});
afterEach(async () => {
  await bus.stop();
  await pool.end();
  await database.drop();
});

const reload = (user_id: number): Push => ({ to: { user_ids: [user_id] }, type: 2 });
const cutConnections = () =>
  pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'livecode bus' AND datname = current_database()",
  );

test('a message is heard when its transaction commits, and never when it is rolled back', async () => {
  const heard: Push[] = [];
  bus.subscribe('push', (push) => heard.push(push));
  await db.transaction(async (tx) => {
    await publish(tx as unknown as Database, 'push', reload(1));
    await db.execute(sql`SELECT 1`);
    expect(heard).toEqual([]);
  });
  await eventually(() => expect(heard).toEqual([reload(1)]));
  await db.transaction((tx) => publish(tx as unknown as Database, 'push', reload(2)).then(() => tx.rollback())).catch(() => {});
  await publish(db, 'push', reload(3));
  await eventually(() => expect(heard).toEqual([reload(1), reload(3)]));
});

test('one that throws or a message that nobody understands does not keep the others from hearing', async () => {
  const heard: Push[] = [];
  bus.subscribe('push', () => {
    throw new Error('not today');
  });
  bus.subscribe('push', (push) => heard.push(push));
  await pool.query(`SELECT pg_notify('livecode', 'not json'), pg_notify('livecode', '{"topic":"nobody"}'), pg_notify('livecode', 'null')`);
  await publish(db, 'push', reload(1));
  await eventually(() => expect(heard).toEqual([reload(1)]));
});

test('more receivers than fit one message are told by several', async () => {
  const heard = new Set<number>();
  bus.subscribe('push', ({ to }) => {
    if ('user_ids' in to) for (const id of to.user_ids) heard.add(id);
  });
  await pushToPages(db, { to: { user_ids: Array.from({ length: 5000 }, (_, index) => 9_000_000_000 + index) }, type: 2 });
  await eventually(() => expect(heard.size).toBe(5000));
  await expect(publish(db, 'push', { to: { all: true }, type: 10, content: 'x'.repeat(9000) })).rejects.toThrow(/too long/);
});

test('a lost connection is made again, and whoever holds something hears of the gap', async () => {
  let gaps = 0;
  bus.onGap(() => {
    gaps += 1;
  });
  const heard: Push[] = [];
  bus.subscribe('push', (push) => heard.push(push));
  await cutConnections();
  await eventually(() => expect(gaps).toBe(1));
  await publish(db, 'push', reload(4));
  await eventually(() => expect(heard).toEqual([reload(4)]));
});

let reads = 0;
async function readTitle(): Promise<string | undefined> {
  reads += 1;
  return (await pool.query<{ value: string }>(`SELECT value #>> '{}' AS value FROM setting WHERE key = 'admin_title'`)).rows[0]?.value;
}
const setTitle = (title: string) =>
  pool.query(`INSERT INTO setting (key, value) VALUES ('admin_title', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, [
    JSON.stringify(title),
  ]);

test('a held value is read once for any number of callers and anew after a change, at once', async () => {
  const title = cachedValue({ read: readTitle, bus, topics: ['setting'], log });
  await setTitle('one');
  await eventually(async () => expect(await title()).toBe('one'));
  const before = reads;
  await Promise.all(Array.from({ length: 500 }, title));
  expect(reads - before).toBeLessThanOrEqual(1);
  let number = 0;
  await expectWithin(1000, async () => {
    number += 1;
    const next = `two ${number}`;
    await setTitle(next);
    return timeOf(() => eventually(async () => expect(await title()).toBe(next), { interval: 5 }));
  });
});

test('without a bus that can be trusted a held value is never older than its age, nor is it read more often', async () => {
  const silent: Bus = {
    subscribe: () => {},
    onGap: () => {},
    confirmedAt: () => Number.NEGATIVE_INFINITY,
    isSilent: () => false,
    stop: async () => {},
  };
  const title = cachedValue({ read: readTitle, bus: silent, topics: ['setting'], log, maxAgeMilliseconds: 200 });
  await setTitle('one');
  const before = reads;
  const startedAt = performance.now();
  expect(await title()).toBe('one');
  await setTitle('two');
  await eventually(async () => expect(await title()).toBe('two'), { interval: 1 });
  expect(reads - before).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 200);
});

test('a caller never gets what somebody else began to read before a change was announced', async () => {
  const releases: (() => void)[] = [];
  let announced: () => void = () => {};
  const manual: Bus = {
    subscribe: (_topic, hear) => {
      announced = hear as () => void;
    },
    onGap: () => {},
    confirmedAt: () => Number.POSITIVE_INFINITY,
    isSilent: () => false,
    stop: async () => {},
  };
  let value = 'old';
  const read = async () => {
    const seen = value;
    await new Promise<void>((resolve) => releases.push(resolve));
    return seen;
  };
  const held = cachedValue({ read, bus: manual, topics: ['setting'], log });
  const first = held();
  value = 'new';
  announced();
  const second = held();
  releases.shift()?.();
  expect(await first).toBe('old');
  await eventually(() => expect(releases).toHaveLength(1));
  releases.shift()?.();
  expect(await second).toBe('new');
});

test('while the database is away the last value stands; without one the failure is told', async () => {
  let isAway = false;
  const read = async () => {
    if (isAway) throw new Error('away');
    return 'value';
  };
  const held = cachedValue({ read, bus, topics: ['setting'], log, maxAgeMilliseconds: 0 });
  expect(await held()).toBe('value');
  isAway = true;
  expect(await held()).toBe('value');
  await expect(cachedValue({ read, bus, topics: ['setting'], log })()).rejects.toThrow('away');
});

test('a value whose reading takes long is served as it was; without one the caller is told to come back, and nobody waits for ever', {
  tags: 'full',
}, async () => {
  let isFrozen = false;
  let thaw: () => void = () => {};
  const frozen = new Promise<void>((resolve) => (thaw = resolve));
  let value = 'old';
  const read = async () => {
    if (isFrozen) await frozen;
    return value;
  };
  const held = cachedValue({ read, bus, topics: ['setting'], log, maxAgeMilliseconds: 0 });
  expect(await held()).toBe('old');
  isFrozen = true;
  await expectWithin(1500, () => timeOf(() => expect(held()).resolves.toBe('old')));
  await expectWithin(300, () => timeOf(() => expect(held()).resolves.toBe('old')));
  await expect(cachedValue({ read, bus, topics: ['setting'], log })()).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  [value, isFrozen] = ['new', false];
  thaw();
  await eventually(async () => expect(await held()).toBe('new'));
});

test('a value that could not be read anew for ten minutes serves nobody', async () => {
  let isAway = false;
  const read = async () => {
    if (isAway) throw new Error('away');
    return 'value';
  };
  const held = cachedValue({ read, bus, topics: ['setting'], log, maxAgeMilliseconds: 0 });
  const now = vi.spyOn(performance, 'now');
  expect(await held()).toBe('value');
  isAway = true;
  const start = performance.now();
  now.mockImplementation(() => start + 590_000);
  expect(await held()).toBe('value');
  now.mockImplementation(() => start + 601_000);
  await expect(held()).rejects.toThrow('away');
  now.mockRestore();
});
