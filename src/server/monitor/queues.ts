import { sql } from 'drizzle-orm';
import type { FailedJob, Queue, QueueKind } from '../../contract/system/monitor.ts';
import type { Database } from '../kit/postgres/database.ts';

/** Where what waits stands, and since when it is due. */
const queues: Record<QueueKind, { from: string; since: string }> = {
  operations: { from: `async_operation WHERE state IN ('waiting', 'running')`, since: 'created_at' },
  pushes: { from: `push_delivery WHERE state = 'waiting'`, since: 'next_attempt_at' },
  webhooks: { from: `webhook_delivery WHERE state = 'waiting'`, since: 'next_attempt_at' },
  domain_checks: { from: 'domain_check WHERE due_at <= now()', since: 'due_at' },
  monitors: { from: 'domain_monitor WHERE NOT paused AND due_at <= now()', since: 'due_at' },
  payments: { from: `tron_send WHERE state IN ('queued', 'signed', 'broadcast')`, since: 'due_at' },
  jobs: { from: 'recurring_job WHERE next_at <= now()', since: 'next_at' },
};

export async function readQueues(db: Database): Promise<Queue[]> {
  const counts = Object.entries(queues).map(
    ([kind, { from, since }]) =>
      `SELECT '${kind}' AS kind, count(*)::integer AS waiting,
        greatest(0, extract(epoch FROM now() - min(${since})))::integer AS late_seconds FROM ${from}`,
  );
  const { rows } = await db.execute<Queue>(sql.raw(counts.join(' UNION ALL ')));
  return rows.map((row) => ({ ...row, late_seconds: row.late_seconds ?? 0 }));
}

/** Jobs whose last run failed, the one that failed last first. */
export async function readFailedJobs(db: Database): Promise<FailedJob[]> {
  const { rows } = await db.execute<{ name: string; ran_at: string | Date; error: string }>(
    sql`SELECT name, ran_at, error FROM recurring_job WHERE error IS NOT NULL AND ran_at IS NOT NULL ORDER BY ran_at DESC, name`,
  );
  return rows.map((row) => ({ ...row, ran_at: new Date(row.ran_at).toISOString() }));
}
