import pg from 'pg';
import type { Query } from './leases.queries.ts';

// COUNT and bigint keys answer as text otherwise; every one of this product fits a safe integer.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Visits wait for the database at most so long; the server gives up first, so that nothing happens after we stopped listening. */
const statementMilliseconds = 1500;
const queryMilliseconds = 2000;
const connectMilliseconds = 2000;

export const connectionOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: connectMilliseconds,
  query_timeout: queryMilliseconds,
  statement_timeout: statementMilliseconds,
  keepAlive: true,
  application_name: 'livecode redirect',
});

export interface QueryPool {
  query: Query;
  close(): Promise<void>;
}

/** A few connections for codes, leases and tickets. A broken one is replaced; what ran on it fails, and its caller decides. */
export function openQueryPool(url: string, onError: (error: Error) => void, size = 4): QueryPool {
  const pool = new pg.Pool({ ...connectionOptions(url), max: size, idleTimeoutMillis: 60_000 });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return {
    query: async <Row extends object>(statement: { name: string; text: string; values: unknown[] }) =>
      (await pool.query<Row>(statement)).rows,
    close: () => pool.end(),
  };
}
