import pg from 'pg';
import { counter, gauge, type Metric } from '../../kit/metrics/metrics.ts';

/** What all loaders have done, for metrics; over a connection of its own, which does not wait for a batch. */
export async function readProgress(url: string): Promise<Metric[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 800,
    query_timeout: 800,
    application_name: 'livecode metrics',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ records: number; damaged: number; open: number }>(
      `SELECT coalesce(sum(loaded_records), 0)::float8 AS records, coalesce(sum(damaged_bytes), 0)::float8 AS damaged,
        count(*) FILTER (WHERE finished_at IS NULL)::float8 AS open FROM journal_segment`,
    );
    const [row] = rows;
    return [
      counter('loader_records_total', 'Records of the journals that were loaded, of all hosts.', row?.records ?? 0),
      counter('loader_damaged_bytes_total', 'Bytes of the journals that could not be read.', row?.damaged ?? 0),
      gauge('loader_open_segments', 'Segments that are not loaded whole.', row?.open ?? 0),
    ];
  } finally {
    await client.end().catch(() => {});
  }
}
