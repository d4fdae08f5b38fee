import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publish } from '../postgres/bus.ts';
import { type Database, openDatabase, openPool } from '../postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { startOnBus } from '../testing/on-bus.ts';
import { startTasks, type Task, type TaskOptions, taskTable } from '../testing/tasks.ts';
import { expectWithin } from '../testing/within.ts';
import { Stopped, type WorkLoop } from './work-loop.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let loops: WorkLoop[];
beforeEach(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, { warn: () => {} });
  db = openDatabase(pool);
  loops = [];
  await db.execute(taskTable);
});
afterEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()));
  await pool.end();
  await database.drop();
});

function start(options: Omit<TaskOptions, 'db' | 'bus'>): WorkLoop {
  const loop = startOnBus(database.url, (bus) => startTasks({ db, bus, ...options }));
  loops.push(loop);
  return loop;
}
const add = (number = 1) => db.execute(sql`INSERT INTO task (id) SELECT generate_series(1, ${number}::int)`);
const tasks = async () =>
  (
    await db.execute<{ runs: number; done: boolean; leased: boolean }>(sql`
    SELECT runs, done, leased_until > now() AS leased FROM task ORDER BY id`)
  ).rows;
const allDone = () => eventually(async () => expect((await tasks()).every(({ done }) => done)).toBe(true));
/** A run that goes on until its signal ends it. */
const runOn = (_task: Task, signal: AbortSignal) => delay(60_000, undefined, { signal }).catch(() => signal.throwIfAborted());

test('of several loops each item is run by one, so many at once and each once', async () => {
  const underWay = new Map<number, number>();
  let most = 0;
  const run = async ({ id }: Task) => {
    underWay.set(id, (underWay.get(id) ?? 0) + 1);
    expect(underWay.get(id)).toBe(1);
    most = Math.max(most, underWay.size);
    await delay(10);
    underWay.delete(id);
  };
  await add(60);
  for (let number = 0; number < 3; number += 1) start({ run });
  await allDone();
  expect((await tasks()).map(({ runs }) => runs)).toEqual(Array.from({ length: 60 }, () => 1));
  expect(most).toBeGreaterThan(4);
  expect(most).toBeLessThanOrEqual(12);
});

test('what news tell of is looked for once more, because a claim passes over a row that anybody else has locked', async () => {
  let isLocked = false;
  const claim = async () => {
    const open = sql`UPDATE task SET done = true, runner = gen_random_uuid() WHERE NOT done RETURNING id, runner`;
    const found = isLocked ? [] : (await db.execute<Task>(open)).rows;
    isLocked = false;
    return found[0];
  };
  start({ run: async () => {}, claim });
  await add();
  await eventually(async () => {
    await publish(db, 'event', null);
    expect(await tasks()).toMatchObject([{ done: true }]);
  });
  await db.execute(sql`INSERT INTO task (id) VALUES (2)`);
  isLocked = true;
  await publish(db, 'event', null);
  await allDone();
});

test('what a worker had that was killed is begun again when its lease is over, and not before', { tags: 'full' }, async () => {
  await add();
  const program = fileURLToPath(new URL('../testing/tasks.main.ts', import.meta.url));
  const child = fork(program, [database.url], { stdio: 'ignore', execPath: process.execPath, execArgv: [] });
  await once(child, 'message');
  const loop = start({ run: async () => {} });
  // Its lease of three seconds is renewed for as long as it lives: another task, added after the first lease, is done before it.
  const [first] = (await db.execute<{ until: string }>(sql`SELECT leased_until::text AS until FROM task`)).rows;
  await eventually(async () =>
    expect((await db.execute(sql`SELECT FROM task WHERE now() > ${first?.until}::timestamptz`)).rows).toHaveLength(1),
  );
  await db.execute(sql`INSERT INTO task (id) VALUES (2)`);
  await eventually(async () => {
    loop.wake();
    expect(await tasks()).toEqual([
      { runs: 1, done: false, leased: true },
      { runs: 1, done: true, leased: expect.any(Boolean) },
    ]);
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  await eventually(
    async () => {
      loop.wake();
      expect(await tasks()).toMatchObject([
        { runs: 2, done: true },
        { runs: 1, done: true },
      ]);
    },
    { interval: 100 },
  );
});

test('news wakes it within a moment of their commit', async () => {
  start({ run: async () => {} });
  let id = 0;
  await expectWithin(300, async () => {
    id += 1;
    const startedAt = performance.now();
    await db.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO task (id) VALUES (${id})`);
      await publish(tx as unknown as Database, 'event', null);
    });
    await eventually(async () => expect((await tasks()).every(({ done }) => done)).toBe(true), { interval: 5 });
    return performance.now() - startedAt;
  });
});

test('an item that failed waits until its lease is over, and holds up no other', async () => {
  await add(2);
  let failures = 0;
  const loop = start({
    async run({ id }) {
      if (id !== 1 || failures > 0) return;
      failures += 1;
      throw new Error('not today');
    },
  });
  await eventually(async () => expect(await tasks()).toMatchObject([{ done: false, leased: true }, { done: true }]));
  await eventually(async () => {
    loop.wake();
    expect(await tasks()).toMatchObject([
      { runs: 2, done: true },
      { runs: 1, done: true },
    ]);
  });
});

test('where nothing can be claimed it asks less and less often, and goes on when it can', { tags: 'full' }, async () => {
  const asked: number[] = [];
  let isAway = true;
  start({
    run: async () => {},
    async prepare() {
      asked.push(performance.now());
      if (isAway) throw new Error('the database is away');
    },
  });
  await add();
  await eventually(() => expect(asked.length).toBeGreaterThanOrEqual(3));
  const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(pauses[0]).toBeGreaterThan(450);
  expect(pauses[1]).toBeGreaterThan(950);
  isAway = false;
  await allDone();
});

test('a lease that another worker has ends the run, and nothing is given back', async () => {
  await add();
  const reasons: unknown[] = [];
  start({
    async run(task, signal) {
      await runOn(task, signal).catch((reason) => {
        reasons.push(reason);
        throw reason;
      });
    },
  });
  await eventually(async () => expect(await tasks()).toMatchObject([{ leased: true }]));
  await db.execute(sql`UPDATE task SET runner = gen_random_uuid(), leased_until = now() + interval '1 hour'`);
  await eventually(() => expect(reasons).toEqual([new Stopped('lost')]));
  expect(await tasks()).toEqual([{ runs: 1, done: false, leased: true }]);
});

test('a stop lets end what is nearly done, gives back the rest at once and claims nothing more', async () => {
  await add(6);
  let end = () => {};
  const nearlyDone = new Promise<void>((resolve) => {
    end = resolve;
  });
  const first = start({
    concurrency: 2,
    leaseSeconds: 3600,
    run: (task, signal) => (task.id === 1 ? nearlyDone : runOn(task, signal)),
  });
  await eventually(async () => expect(await tasks()).toMatchObject([{ runs: 1 }, { runs: 1 }, {}, {}, {}, {}]));
  const stopped = first.stop();
  end();
  await stopped;
  expect(await tasks()).toMatchObject([
    { done: true, runs: 1 },
    { done: false, runs: 1, leased: null },
    ...Array.from({ length: 4 }, () => ({ runs: 0 })),
  ]);
  start({ run: async () => {} });
  await allDone();
});
