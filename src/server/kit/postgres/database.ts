import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { databaseCode } from '../calls/errors.ts';

/** Drizzle over a pool, or over one transaction of it; `execute(sql...)` runs plain SQL. */
export type Database = Omit<NodePgDatabase, '$withAuth'>;

// COUNT and SUM answer bigint and numeric as text; every count of this product fits a safe integer.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** An idle pool's connections are made within so long, and so long a caller waits for one that is free. */
const connectMilliseconds = 4_000;
const silenceCheckMilliseconds = 250;

/** A pool whose idle clients' errors are logged instead of ending the process. */
export function openPool(url: string, log: { warn: (details: object, message: string) => void }, size = 10): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
  });
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection failed'));
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ error: error.message }, 'a database connection failed')));
  return pool;
}

/** What `pg` and `pg-pool` use of a client without naming it in their types. */
type Wired = { connection?: { stream: { destroy: (error: Error) => void } } };

/**
 * Ends all connections of a pool while the database is silent, frozen or behind a network that swallows everything, and makes no others.
 * What runs on them fails with 503; a limit on the time of each query would end long ones, too, that a living database works on.
 * Afterwards no dead one is left, and the database does not find hundreds that nobody waits for any more.
 * @returns stops looking
 */
export function endSilentConnections(pool: pg.Pool, isSilent: () => boolean): () => void {
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  const connect = pool.connect.bind(pool);
  type Callback = Parameters<typeof connect>[0];
  // The two forms that `pg` declares: with a callback, and with a promise.
  pool.connect = ((callback?: Callback) => {
    if (!isSilent()) return callback ? connect(callback) : connect();
    if (!callback) return Promise.reject(silence());
    setImmediate(() => callback(silence(), undefined, () => {}));
  }) as typeof pool.connect;
  const timer = setInterval(() => {
    if (!isSilent()) return;
    for (const client of clients) (client as Wired).connection?.stream.destroy(silence());
    clients.clear();
  }, silenceCheckMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

const silence = () => Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' });

/** Runs the work in one transaction, for calls that are not `writes`: they have to do something that no refusal may roll back. */
export const transact = <T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> =>
  db.transaction((tx) => work(tx as unknown as Database));

const retriedTimes = 5;
const isRetriable = (error: unknown): boolean => ['40001', '40P01'].includes(databaseCode(error) ?? '');

/** The same, tried again after a serialization failure or a deadlock: the work must leave nothing outside of the transaction. */
export async function transactAgain<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(db, work);
    } catch (error) {
      if (!isRetriable(error) || attempt === retriedTimes) throw error;
    }
  }
}

export const openDatabase = (pool: pg.Pool): Database => drizzle({ client: pool });
