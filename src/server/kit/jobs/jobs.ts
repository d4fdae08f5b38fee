import { PgBoss } from 'pg-boss';
import type { Log } from '../calls/context.ts';

/** Work that comes round by the clock. Of any number of workers one does it, and never two at once. */
export type RecurringJob = { name: string /** Five-field cron, in UTC. */; cron: string; run: () => Promise<unknown> };

const slowMilliseconds = 5_000;

/** Starts the queue in its own schema of the database and the schedules of these jobs. A failed run is logged and tried at its next time. */
export async function startJobs(url: string, jobs: readonly RecurringJob[], log: Log): Promise<{ stop: () => Promise<void> }> {
  const boss = new PgBoss({ connectionString: url, max: 4, application_name: 'livecode jobs' });
  boss.on('error', (error) => log.warn({ error: error.message }, 'the job queue met an error'));
  await boss.start();
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: 'singleton', retryLimit: 0, deleteAfterSeconds: 86_400 });
    await boss.work(job.name, { pollingIntervalSeconds: 5 }, async () => {
      const startedAt = performance.now();
      const result = await job.run();
      const milliseconds = Math.round(performance.now() - startedAt);
      if (milliseconds >= slowMilliseconds) log.info({ job: job.name, milliseconds, result }, 'a job took long');
    });
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' });
  }
  const wanted = new Set(jobs.map((job) => job.name));
  for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name);
  return { stop: () => boss.stop({ graceful: true, timeout: 8_000 }) };
}
