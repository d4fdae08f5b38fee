import { getPriority } from 'node:os';
import type { SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { databaseCode } from '../calls/errors.ts';
import { standBack } from '../niceness.ts';

/** Drizzle over a pool, or over one transaction of it; `execute(sql...)` runs plain SQL. */
export type Database = Omit<NodePgDatabase, '$withAuth'>;

// COUNT and SUM answer bigint and numeric as text; every count of this product fits a safe integer.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** An idle pool's connections are made within so long, and so long a caller waits for one that is free. */
const connectMilliseconds = 4_000;
const silenceCheckMilliseconds = 250;

/**
 * A pool whose idle clients' errors are logged instead of ending the process.
 * @param name what it calls itself towards the server, where administrators see it
 * @param statementMilliseconds how long the server works on one statement, where that is bounded
 */
export function openPool(
  url: string,
  log: { warn: (details: object, message: string) => void },
  size = 10,
  name = 'livecode',
  statementMilliseconds?: number,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    ...(statementMilliseconds !== undefined && { statement_timeout: statementMilliseconds }),
  });
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection failed'));
  pool.on('connect', (client) => client.on('error', (error) => log.warn({ error: error.message }, 'a database connection failed')));
  if (process.env.LIVECODE_OWN_POSTGRES) standBackTogether(pool);
  return pool;
}

/** What `pg` knows of a connection without naming it in its types. */
type Connected = { processID?: number | null };

/** The server's processes stand back as far as the process that they work for: else the back office's statements would hold visits up. */
function standBackTogether(pool: pg.Pool): void {
  const known = new WeakMap<object, number>();
  pool.on('acquire', (client) => {
    const niceness = getPriority();
    const { processID } = client as Connected;
    if (niceness === (known.get(client) ?? 0) || !processID) return;
    if (standBack(processID, niceness)) known.set(client, niceness);
  });
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

/**
 * The same for work that is found undone and done again after a crash: its commit waits for no disk, and a crash of the server, the only thing
 * that could undo it, undoes it whole. What is committed after it in the ordinary way has it on the disk, too, so that nobody outside is ever
 * told what a crash takes back.
 */
export const transactRedoable = <T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> =>
  transactAgain(db, async (tx) => {
    await tx.execute('SET LOCAL synchronous_commit = off');
    return work(tx);
  });

/** Drizzle's own `transaction` of a pool keeps its connection for ever where BEGIN fails: ten of those, and no call is answered any more. */
export function openDatabase(pool: pg.Pool): Database {
  const db = drizzle({ client: pool });
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle({ client }).transaction(work, config);
    } finally {
      // One that is broken the pool does not take back.
      client.release();
    }
  };
  return db;
}

const dialect = new PgDialect();

/**
 * A statement that every call runs: each connection plans it once, which otherwise takes longer than running it.
 * @param name one that no other statement has
 * @returns runs it with the values of its placeholders
 */
export function prepareStatement<Row extends object>(db: Database, name: string, statement: SQL) {
  const prepared = db._.session.prepareQuery<{ execute: { rows: Row[] }; all: never; values: never }>(
    dialect.sqlToQuery(statement),
    undefined,
    name,
    false,
  );
  return async (values: Record<string, unknown>): Promise<Row[]> => (await prepared.execute(values)).rows;
}
