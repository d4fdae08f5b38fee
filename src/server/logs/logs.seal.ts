import { setTimeout as delay } from 'node:timers/promises';
import { desc, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Log } from '../kit/calls/context.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import {
  type ChainedRow,
  chainedColumns,
  entriesOf,
  genesis,
  hashOfSeal,
  heaviestPortion,
  packEntries,
  signatureOf,
  weightBefore,
} from './logs.chain.ts';
import { log_seal } from './logs.table.ts';

const sealMilliseconds = 2000;
const waitMilliseconds = 100;
const rowsPerSeal = 1000;

/** Held by the worker that extends the chain or removes rows; writers go on meanwhile. */
export const lockChain = (tx: Database) => tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode log chain'))`);

export async function lastSeal(db: Database): Promise<{ id: number; last_id: number; hash: Buffer }> {
  const [last] = await db
    .select({ id: log_seal.id, last_id: log_seal.last_id, hash: log_seal.hash })
    .from(log_seal)
    .orderBy(desc(log_seal.last_id))
    .limit(1);
  return last ?? { id: 0, last_id: 0, hash: genesis };
}

/** Transactions that may have taken an id and not committed yet: a transaction that inserts into the log holds this lock until it ends. */
async function writers(db: Database): Promise<Set<string>> {
  const { rows } = await db.execute<{ transaction: string }>(sql`
    SELECT virtualtransaction AS transaction FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'log'::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  return new Set(rows.map((row) => row.transaction));
}

export type Frontier = { id: number; writers: ReadonlySet<string> };

/**
 * The highest id that is visible, and the transactions whose end makes it final: an id at or below it belongs to a row that is visible by
 * then or to none, because a later transaction can only get a higher one. Undefined where nothing is new.
 */
export async function newFrontier(db: Database): Promise<Frontier | undefined> {
  const { last_id } = await lastSeal(db);
  const { rows } = await db.execute<{ id: number | null }>(sql`SELECT max(id) AS id FROM log WHERE id > ${last_id}`);
  const id = rows[0]?.id;
  return id ? { id, writers: await writers(db) } : undefined;
}

/** Whether every transaction of the frontier has ended. */
export async function isFinal(db: Database, frontier: Frontier): Promise<boolean> {
  if (frontier.writers.size === 0) return true;
  const present = await writers(db);
  return [...frontier.writers].every((transaction) => !present.has(transaction));
}

/** Seals up to the final id of a row, a thousand rows at a time. @returns the number of rows */
export async function sealUpTo(db: Database, vault: Vault, id: number): Promise<number> {
  let sealed = 0;
  for (;;) {
    const number = await transact(db, (tx) => sealOnce(tx, vault, id));
    if (number === undefined) return sealed;
    sealed += number;
  }
}

/** @returns undefined when nothing is left up to the id */
async function sealOnce(tx: Database, vault: Vault, final_id: number): Promise<number | undefined> {
  await lockChain(tx);
  const last = await lastSeal(tx);
  if (last.last_id >= final_id) return undefined;
  const { rows } = await tx.execute<ChainedRow>(
    sql`
    SELECT ${chainedColumns} FROM log WHERE id IN (
      SELECT id FROM (
        SELECT id, ${weightBefore(sql`id`)} AS weight FROM log WHERE id > ${last.last_id} AND id <= ${final_id} ORDER BY id LIMIT ${rowsPerSeal}
      ) AS next WHERE weight < ${heaviestPortion}
    ) ORDER BY id`,
  );
  const entries = entriesOf(last.hash, rows);
  const lastEntry = entries.at(-1);
  if (!lastEntry) return undefined;
  const seal = {
    id: last.id + 1,
    first_id: last.last_id + 1,
    last_id: lastEntry.id,
    number: rows.length,
    entries: packEntries(entries),
  };
  const hash = hashOfSeal(last.hash, seal);
  await tx.insert(log_seal).values({ ...seal, hash, signature: signatureOf(vault, hash) });
  await countTypes(tx, seal);
  return rows.length;
}

const countTypes = (tx: Database, { first_id, last_id }: { first_id: number; last_id: number }) =>
  tx.execute(sql`
    INSERT INTO log_type (type, number, last_at)
    SELECT type, count(*), max(at) FROM log WHERE id BETWEEN ${first_id} AND ${last_id} GROUP BY type ORDER BY type
    ON CONFLICT (type) DO UPDATE SET number = log_type.number + excluded.number, last_at = greatest(log_type.last_at, excluded.last_at)`);

/** Seals whatever is written by now; waits for the transactions that are writing. For tests and tools. */
export async function sealAll(db: Database, vault: Vault): Promise<number> {
  const frontier = await newFrontier(db);
  if (!frontier) return 0;
  while (!(await isFinal(db, frontier))) await delay(waitMilliseconds);
  return sealUpTo(db, vault, frontier.id);
}

/** Seals the log every few seconds until it is stopped. One that waits for a long transaction goes on waiting for the same one. */
export function startLogSealer({ pool, vault, log }: { pool: pg.Pool; vault: Vault; log: Log }): { stop: () => Promise<void> } {
  const db = openDatabase(pool);
  const stopping = new AbortController();
  let frontier: Frontier | undefined;

  async function step(): Promise<number> {
    frontier ??= await newFrontier(db);
    if (!frontier || !(await isFinal(db, frontier))) return frontier ? waitMilliseconds : sealMilliseconds;
    await sealUpTo(db, vault, frontier.id);
    frontier = undefined;
    return sealMilliseconds;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await step().catch((error) => {
        frontier = undefined;
        log.warn({ error: String(error) }, 'the log could not be sealed; it is tried again');
        return sealMilliseconds;
      });
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
