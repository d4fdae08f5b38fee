import type pg from 'pg';
import { gauge, type Metric } from '../metrics/metrics.ts';

/** What waits and what is late, as the database knows it; the same from every worker. */
export async function readWorkMetrics(pool: pg.Pool): Promise<Metric[]> {
  const jobs = await pool.query<{ name: string; late: number; failed: number }>(
    `SELECT name, greatest(0, extract(epoch FROM now() - next_at))::float8 AS late, (error IS NOT NULL)::integer AS failed FROM recurring_job ORDER BY name`,
  );
  const operations = await pool.query<{ state: string; count: number }>(
    `SELECT state, count(*)::float8 AS count FROM async_operation WHERE state IN ('waiting', 'running') GROUP BY state`,
  );
  const size = await pool.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes');
  const samples = (of: (row: (typeof jobs.rows)[number]) => number) =>
    jobs.rows.map((row) => ({ labels: { job: row.name }, value: of(row) }));
  return [
    { name: 'job_late_seconds', help: 'How long a recurring job has been due.', type: 'gauge', samples: samples(({ late }) => late) },
    { name: 'job_failed', help: 'Whether its last run failed.', type: 'gauge', samples: samples(({ failed }) => failed) },
    {
      name: 'operations',
      help: 'Operations that users asked for and that are not done.',
      type: 'gauge',
      samples: operations.rows.map(({ state, count }) => ({ labels: { state }, value: count })),
    },
    gauge('database_bytes', 'Size of the database.', size.rows[0]?.bytes ?? 0),
  ];
}
