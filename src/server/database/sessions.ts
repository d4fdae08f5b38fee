import { setTimeout as delay } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { type DatabasePart, type DatabaseSession, databaseParts, visitParts } from '../../contract/system/database-session.ts';
import type { LockedSession } from '../../contract/system/mysql-lock.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';

const statementLength = 4000;

/** What our parts call themselves towards the server, such as `livecode worker`. */
export const partOf = (application: string): DatabasePart =>
  databaseParts.find((part) => part !== 'other' && application === `livecode ${part}`) ?? 'other';

/** A moment as every call answers it, from a statement that answers JSON. */
const moment = (value: SQL) => sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type Row = Omit<DatabaseSession, 'part'> & { blocked_by: number[]; lock: string };

/** The sessions of this database but the caller's own. `pg_blocking_pids` halts all locks for a moment: it is only asked for those that wait. */
async function readSessions(db: Database, where: SQL): Promise<Row[]> {
  const { rows } = await db.execute<Row>(sql`
    SELECT pid AS id, ${moment(sql`backend_start`)} AS began_at, coalesce(usename, '') AS user, application_name AS application,
      host(client_addr) AS address, coalesce(state, '') AS state, left(query, ${statementLength}) AS statement,
      ${moment(sql`query_start`)} AS statement_at, ${moment(sql`xact_start`)} AS transaction_at,
      CASE WHEN wait_event_type = 'Lock' THEN pg_blocking_pids(pid) ELSE '{}' END AS blocked_by,
      CASE WHEN wait_event_type = 'Lock' THEN coalesce((
        SELECT mode || ' on ' || coalesce(relation::regclass::text, locktype) FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid AND NOT granted LIMIT 1
      ), '') ELSE '' END AS lock
    FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND ${where}
    ORDER BY xact_start NULLS LAST, pid`);
  return rows;
}

const shown = ({ blocked_by: _, lock: __, ...row }: Row): DatabaseSession => ({ ...row, part: partOf(row.application) });

/**
 * Who waits, each below the one that holds it up: the whole chain, the longest transaction first. A session that waits for several stands
 * below the first of them; a circle, which the server resolves by itself after a second, begins at its oldest.
 */
export async function readLocks(db: Database): Promise<LockedSession[]> {
  const rows = await readSessions(db, sql`true`);
  const known = new Map(rows.map((row) => [row.id, row]));
  // Parallel workers of one statement are told as 0, those of other databases are not known here.
  const blockers = (row: Row) => [...new Set(row.blocked_by)].filter((id) => known.has(id));
  const waiting = (id: number) => rows.filter((row) => blockers(row)[0] === id);
  const seen = new Set<number>();
  const below = (row: Row, depth: number): LockedSession[] => {
    if (seen.has(row.id)) return [];
    seen.add(row.id);
    const held = waiting(row.id).flatMap((next) => below(next, depth + 1));
    return [{ ...shown(row), blocked_by: blockers(row), depth, holds_up: held.length, lock: row.lock }, ...held];
  };
  const holders = rows.filter((row) => blockers(row).length === 0 && waiting(row.id).length > 0);
  const trees = [...holders, ...rows.filter((row) => blockers(row).length > 0)].map((row) => below(row, 0));
  return trees.flat();
}

export async function readLongSessions(db: Database, seconds: number): Promise<DatabaseSession[]> {
  const long = sql`state <> 'idle' AND application_name <> 'livecode bus'
    AND coalesce(xact_start, query_start) < clock_timestamp() - make_interval(secs => ${seconds})`;
  return (await readSessions(db, long)).map(shown);
}

type Named = { id: number; began_at: string };
const cancelMilliseconds = 2_000;
const lookMilliseconds = 100;

/** What is left of these sessions and still does what it did; statistics are held still within a transaction. */
async function stillAtWork(db: Database, sessions: readonly Row[]): Promise<Row[]> {
  await db.execute(sql`SELECT pg_stat_clear_snapshot()`);
  const now = new Map((await readSessions(db, sql`true`)).map((row) => [row.id, row]));
  return sessions.filter((before) => {
    const after = now.get(before.id);
    return after?.began_at === before.began_at && after.transaction_at === before.transaction_at && after.state !== 'idle';
  });
}

/**
 * Cancels the statements of these sessions, and terminates those that hold on: one that is idle in its transaction has nothing to cancel.
 * Sessions that visits need are left alone unless the caller says that he means them.
 */
export async function releaseSessions(named: readonly Named[], withVisits: boolean, { db, audit }: Context) {
  const rows = await readSessions(db, sql`true`);
  const chosen = rows.filter((row) => named.some(({ id, began_at }) => row.id === id && row.began_at === began_at));
  if (!withVisits && chosen.some(({ application }) => visitParts.includes(partOf(application))))
    throw new AppError(409, 'database.visit_sessions');
  audit({ before: chosen.map(({ id, user, application, state, statement }) => ({ id, user, application, state, statement })) });
  for (const { id } of chosen) await db.execute(sql`SELECT pg_cancel_backend(${id}::integer)`);
  let left = chosen;
  for (let waited = 0; left.some(({ state }) => state === 'active') && waited < cancelMilliseconds; waited += lookMilliseconds) {
    await delay(lookMilliseconds);
    left = await stillAtWork(db, left);
  }
  left = await stillAtWork(db, left);
  for (const { id } of left) await db.execute(sql`SELECT pg_terminate_backend(${id}::integer)`);
  const terminated = new Set(left.map(({ id }) => id));
  const found = new Set(chosen.map(({ id }) => id));
  const outcomeOf = (id: number) =>
    terminated.has(id) ? ('terminated' as const) : found.has(id) ? ('cancelled' as const) : ('gone' as const);
  return { affected: chosen.length, sessions: named.map(({ id }) => ({ id, outcome: outcomeOf(id) })) };
}
