import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bus, openBus } from '../postgres/bus.ts';
import { type Database, openDatabase, openPool } from '../postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { type RecurringJob, startJobs } from './jobs.ts';
import type { WorkLoop } from './work-loop.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let bus: Bus;
let workers: WorkLoop[];
let logged: object[];
beforeEach(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, { warn: () => {} });
  db = openDatabase(pool);
  bus = openBus(database.url, { warn: () => {} });
  [workers, logged] = [[], []];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await bus.stop();
  await pool.end();
  await database.drop();
});

const log = { info: () => {}, warn: (details: object) => void logged.push(details), error: (details: object) => void logged.push(details) };
let looks = 0;
/** Due only when a test says so. */
const sentinel: RecurringJob = {
  name: 'sentinel',
  everyMinutes: 1440,
  run: async () => {
    looks += 1;
  },
};
async function work(...jobs: RecurringJob[]): Promise<void> {
  workers.push(await startJobs({ db, bus, log, jobs: [...jobs, sentinel] }));
}
const wake = () => {
  for (const worker of workers) worker.wake();
};
/** As if so much time had passed since its time. */
async function makeDue(interval = '0 seconds'): Promise<void> {
  await db.execute(sql`UPDATE recurring_job SET next_at = now() - ${interval}::interval WHERE name <> 'sentinel'`);
  wake();
}
/** Until the workers have looked for what is due, twice: what was due before the first look has been begun. */
async function lookTwice(): Promise<void> {
  for (const before of [looks, looks + 1]) {
    await eventually(async () => {
      // Again each time: a look that was counted and is just ending writes its next time over it.
      await db.execute(sql`UPDATE recurring_job SET next_at = now() WHERE name = 'sentinel'`);
      wake();
      expect(looks).toBeGreaterThan(before);
    });
  }
}
type Row = { minutes: number; second: number; minute: number; runner: string | null; error: string | null };
const read = async (): Promise<Row | undefined> =>
  (
    await db.execute<Row>(sql`
    SELECT extract(epoch FROM next_at - now())::float8 / 60 AS minutes, extract(second FROM next_at)::float8 AS second,
      extract(minute FROM next_at)::int AS minute, runner, error FROM recurring_job WHERE name <> 'sentinel'`)
  ).rows[0];

test('a job comes round at its minutes of the hour', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  await work({ name: 'hourly', everyMinutes: 60, offsetMinutes: 23, run });
  const planned = await read();
  expect(planned).toMatchObject({ minute: 23, second: 0 });
  expect(planned?.minutes).toBeGreaterThan(0);
  expect(planned?.minutes).toBeLessThanOrEqual(60);
  await lookTwice();
  expect(runs).toBe(0);
  await makeDue();
  await eventually(async () => expect(await read()).toMatchObject({ minute: 23, second: 0, runner: null, error: null }));
  expect(runs).toBe(1);
});

test('of two workers one does it, never two at once, and a time that was missed is made up for once', async () => {
  let [runs, atOnce, most] = [0, 0, 0];
  let end = () => {};
  const run = async () => {
    runs += 1;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    atOnce -= 1;
  };
  const job = { name: 'hourly', everyMinutes: 60, run };
  await Promise.all([work(job), work(job)]);
  for (let time = 1; time <= 3; time += 1) {
    await makeDue('50 hours');
    await eventually(() => expect(runs).toBe(time));
    // While one does it, they look for more.
    await lookTwice();
    end();
    await eventually(async () => expect((await read())?.minutes).toBeGreaterThan(0));
    await lookTwice();
    expect([runs, most]).toEqual([time, 1]);
  }
});

test('a run that fails is logged and tried at its next time; the others go on', async () => {
  const done: string[] = [];
  await work(
    { name: 'broken', everyMinutes: 10, run: () => Promise.reject(new Error('not today')) },
    { name: 'sound', everyMinutes: 10, run: async () => void done.push('sound') },
  );
  await makeDue();
  await eventually(async () => {
    const { rows } = await db.execute(sql`SELECT name, error FROM recurring_job
      WHERE name <> 'sentinel' AND next_at > now() AND ran_at <= now() ORDER BY name`);
    expect(rows).toEqual([
      { name: 'broken', error: 'Error: not today' },
      { name: 'sound', error: null },
    ]);
  });
  expect(done).toEqual(['sound']);
  expect(logged).toEqual([{ job: 'broken', error: 'Error: not today' }]);
});

test('a job that a killed worker was doing is done by another one when its lease is over', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  await work({ name: 'job', everyMinutes: 1, run });
  await db.execute(sql`UPDATE recurring_job SET runner = gen_random_uuid(), leased_until = now() + interval '1 hour' WHERE name = 'job'`);
  await makeDue();
  await lookTwice();
  expect(runs).toBe(0);
  await db.execute(sql`UPDATE recurring_job SET leased_until = now() - interval '1 second' WHERE name = 'job'`);
  wake();
  await eventually(() => expect(runs).toBe(1));
});

test('a job that comes round more often than before does so at once', async () => {
  await work({ name: 'job', everyMinutes: 60, run: async () => {} });
  await db.execute(sql`UPDATE recurring_job SET next_at = now() + interval '59 minutes' WHERE name = 'job'`);
  await work({ name: 'job', everyMinutes: 1, run: async () => {} });
  expect((await read())?.minutes).toBeLessThanOrEqual(1);
});
