import pg from 'pg';
import type { Query } from '../rotation/leases.queries.ts';

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

/** From its call on, the wait for a connection included: with the rest of a visit it stays below two seconds. */
const visitMilliseconds = 1500;

/** The database did not answer in time. What it was asked may still be done. */
export class LateAnswer extends Error {
  override name = 'LateAnswer';
}

const cancelledCode = '57014';

/** Runs statements that visits wait for. One that is late fails, whatever becomes of it; what a database that stopped owes is never waited for. */
export function withDeadline(query: Query, onLate: () => void): Query {
  return async <Row extends object>(statement: Parameters<Query>[0]) => {
    let timer: NodeJS.Timeout | undefined;
    const lateness = () => new LateAnswer(`no answer within ${visitMilliseconds} ms`);
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(lateness()), visitMilliseconds);
    });
    try {
      return await Promise.race([query<Row>(statement), late]);
    } catch (error) {
      // A server that only waits for locks gives up at the same moment as we do.
      const isCancelled = error instanceof Error && 'code' in error && error.code === cancelledCode;
      if (!isCancelled && !(error instanceof LateAnswer)) throw error;
      onLate();
      throw isCancelled ? lateness() : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

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
