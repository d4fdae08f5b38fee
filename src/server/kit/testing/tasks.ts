import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { claim } from '../jobs/claim.ts';
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
  const leasedUntil = sql`now() + make_interval(secs => ${leaseSeconds})`;
  const isOwn = ({ id, runner }: Task) => sql`id = ${id} AND runner = ${runner}`;
  return createWorkLoop<Task>({
    name: 'tasks',
    bus,
    topic: 'event',
    pollMilliseconds: 60_000,
    concurrency: 4,
    log: silent,
    async claim() {
      const [task] = await claim<Task>(db, {
        table: 'task',
        due: sql`SELECT id FROM task WHERE NOT done AND (leased_until IS NULL OR leased_until < now()) ORDER BY id LIMIT 1`,
        set: sql`runner = ${randomUUID()}, leased_until = ${leasedUntil}, runs = runs + 1`,
        returning: sql`task.id, runner`,
      });
      return task;
    },
    async run(task, signal) {
      await run(task, signal);
      await db.execute(sql`UPDATE task SET done = true WHERE ${isOwn(task)}`);
    },
    lease: {
      seconds: leaseSeconds,
      async renew(task) {
        const { rowCount } = await db.execute(sql`UPDATE task SET leased_until = ${leasedUntil} WHERE ${isOwn(task)}`);
        return rowCount === 0 ? 'lost' : undefined;
      },
    },
    release: (task) => db.execute(sql`UPDATE task SET leased_until = NULL WHERE ${isOwn(task)}`),
    ...options,
  });
}
