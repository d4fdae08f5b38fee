import { sql } from 'drizzle-orm';
import { leasedRows } from '../jobs/leased-rows.ts';
import { createWorkLoop, type WorkLoop, type WorkLoopOptions } from '../jobs/work-loop.ts';
import type { Bus } from '../postgres/bus.ts';
import type { Database } from '../postgres/database.ts';

/** The least that a feature with a queue of its own has: rows with a lease. */
export const taskTable = sql`
  CREATE TABLE task (id integer PRIMARY KEY, runs integer NOT NULL DEFAULT 0, done boolean NOT NULL DEFAULT false, runner uuid, leased_until timestamptz)`;

export type Task = { id: number; runner: string };
export type TaskOptions = { db: Database; bus: Bus; leaseSeconds?: number } & Pick<WorkLoopOptions<Task>, 'run'> &
  Partial<WorkLoopOptions<Task>>;

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** A loop over the tasks, which are done when `run` ends. It polls once a minute: what is quicker was woken. */
export function startTasks({ db, bus, leaseSeconds = 1, run, ...options }: TaskOptions): WorkLoop {
  const leased = leasedRows<Task>('task', { seconds: leaseSeconds, columns: { claim: 'runner', until: 'leased_until' } });
  return createWorkLoop<Task>({
    name: 'tasks',
    bus,
    topic: 'event',
    pollMilliseconds: 60_000,
    concurrency: 4,
    log: silent,
    async claim() {
      const [task] = await leased.claim(db, {
        due: sql`SELECT id FROM task WHERE NOT done AND ${leased.isFree} ORDER BY id LIMIT 1`,
        set: sql`runs = runs + 1`,
      });
      return task;
    },
    async run(task, signal) {
      await run(task, signal);
      await db.execute(sql`UPDATE task SET done = true WHERE ${leased.isOwn(task)}`);
    },
    lease: leased.lease(db),
    release: (task) => leased.release(db, task),
    ...options,
  });
}
