import { sql } from 'drizzle-orm';
import type { Log } from '../calls/context.ts';
import type { Bus } from '../postgres/bus.ts';
import type { Database } from '../postgres/database.ts';
import { leasedRows } from './leased-rows.ts';
import { createWorkLoop, type WorkLoop } from './work-loop.ts';

/**
 * Work that comes round by the clock, every so many minutes of the hour, in UTC. Of any number of workers one does it, and never two at
 * once. A time that passed while no worker ran is made up for once; a run that fails is logged and tried at its next time.
 */
export type RecurringJob = {
  name: string;
  /** Divides the hour. */
  everyMinutes: number;
  /** Minutes that it comes later than the full hour, so that not everything comes at once. */
  offsetMinutes?: number;
  run: () => Promise<unknown>;
};

/** A job of a worker that was killed is begun again after this. */
export const jobLeaseSeconds = 30;
/** Less than a worker has database connections: leases are renewed on them, too. */
const maxAtOnce = 4;
const pollMilliseconds = 5_000;
const slowMilliseconds = 5_000;

type Claimed = { name: string; runner: string };
const leased = leasedRows<Claimed>('recurring_job', {
  key: 'name',
  seconds: jobLeaseSeconds,
  columns: { claim: 'runner', until: 'leased_until' },
});

const nextTime = ({ everyMinutes, offsetMinutes = 0 }: RecurringJob) => {
  const interval = sql`make_interval(mins => ${everyMinutes})`;
  return sql`date_bin(${interval}, now(), '2000-01-01 00:00Z'::timestamptz + make_interval(mins => ${offsetMinutes})) + ${interval}`;
};

type JobsOptions = { db: Database; bus: Bus; log: Log; jobs: readonly RecurringJob[]; concurrency?: number };

/** Does these jobs at their times until it is stopped. */
export async function startJobs({ db, bus, log, jobs, concurrency = maxAtOnce }: JobsOptions): Promise<WorkLoop> {
  const byName = new Map(jobs.map((job) => [job.name, job]));
  for (const job of jobs)
    await db.execute(sql`
      INSERT INTO recurring_job (name, every_minutes, next_at) VALUES (${job.name}, ${job.everyMinutes}, ${nextTime(job)})
      ON CONFLICT (name) DO UPDATE SET every_minutes = excluded.every_minutes, next_at = least(recurring_job.next_at, excluded.next_at)`);

  return createWorkLoop<Claimed>({
    name: 'recurring jobs',
    bus,
    pollMilliseconds,
    concurrency,
    log,
    async claim() {
      const [claimed] = await leased.claim(db, {
        due: sql`SELECT name FROM recurring_job WHERE name = ANY(${sql.param([...byName.keys()])}::text[]) AND next_at <= now()
          AND ${leased.isFree} ORDER BY next_at, name LIMIT 1`,
      });
      return claimed;
    },
    async run(claimed) {
      const job = byName.get(claimed.name);
      if (!job) return;
      const error = await runJob(job, log);
      await leased.release(db, claimed, sql`ran_at = now(), error = ${error}, next_at = ${nextTime(job)}`);
    },
    lease: leased.lease(db),
    release: (claimed) => leased.release(db, claimed),
  });
}

/** Runs a job and answers what to write of its failure. */
async function runJob({ name: job, run }: RecurringJob, log: Log): Promise<string | null> {
  const startedAt = performance.now();
  try {
    const result = await run();
    const milliseconds = Math.round(performance.now() - startedAt);
    if (milliseconds >= slowMilliseconds) log.info({ job, milliseconds, result }, 'a job took long');
    return null;
  } catch (error) {
    log.warn({ job, error: String(error) }, 'a job failed; it is tried at its next time');
    return String(error);
  }
}
