import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Log } from '../kit/calls/context.ts';
import { every, type Repeated } from '../kit/jobs/every.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { recordsStatements } from './statements.ts';

const lookMilliseconds = 2_000;
/** Shorter waits are how a database works, and seen by chance only. */
const shortestSeconds = 1;
/** Hundreds that wait for one are told well enough by these. */
const maxAtOnce = 100;
const statementLength = 4000;
/** What the screens look back, and a little more. */
const keptHours = 25;

const sessionOf = (
  name: SQL,
) => sql`jsonb_build_object('id', ${name}.pid, 'user', coalesce(${name}.usename, ''), 'application', ${name}.application_name,
  'address', host(${name}.client_addr), 'state', coalesce(${name}.state, ''), 'statement', left(${name}.query, ${statementLength}))`;

/** Writes down who waits for a lock at this moment, and for whom. Any number of workers may do so: an episode has one row. */
export async function recordLocks(db: Database): Promise<void> {
  await db.execute(sql`
    INSERT INTO lock_episode (session_id, session_began_at, began_at, seen_at, lock, waiter, holder)
    SELECT waiter.pid, waiter.backend_start, wait.waitstart, clock_timestamp(), wait.mode || ' on ' || wait.object,
      ${sessionOf(sql`waiter`)}, CASE WHEN holder.pid IS NOT NULL THEN ${sessionOf(sql`holder`)} END
    FROM pg_stat_activity AS waiter
    CROSS JOIN LATERAL (
      SELECT waitstart, mode, coalesce(relation::regclass::text, locktype) AS object FROM pg_locks
      WHERE pg_locks.pid = waiter.pid AND NOT granted AND waitstart < clock_timestamp() - make_interval(secs => ${shortestSeconds}) LIMIT 1
    ) AS wait
    LEFT JOIN pg_stat_activity AS holder ON holder.pid = (pg_blocking_pids(waiter.pid))[1]
    WHERE waiter.datname = current_database() AND waiter.backend_type = 'client backend' AND waiter.wait_event_type = 'Lock'
    ORDER BY wait.waitstart LIMIT ${maxAtOnce}
    ON CONFLICT (session_id, session_began_at, began_at) DO UPDATE SET seen_at = excluded.seen_at`);
}

/** Does so every other second until it is stopped. */
export function startLockWatch(pool: pg.Pool, log: Log): Repeated {
  const db = openDatabase(pool);
  return every(lookMilliseconds, () => recordLocks(db), { log, failure: 'locks of the database could not be looked at' });
}

/** Keeps what the statements have cost so far, and forgets what no screen looks back to. */
export async function recordStatements(db: Database): Promise<void> {
  if (await recordsStatements(db))
    await db.execute(sql`
      INSERT INTO statement_sample (at, id, calls, total_ms, rows, pages_hit, pages_read)
      SELECT now(), queryid::text, sum(calls), sum(total_exec_time), sum(rows), sum(shared_blks_hit), sum(shared_blks_read)
      FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND queryid IS NOT NULL
      GROUP BY queryid`);
  await db.execute(sql`DELETE FROM statement_sample WHERE at < now() - make_interval(hours => ${keptHours})`);
  await db.execute(sql`DELETE FROM lock_episode WHERE seen_at < now() - make_interval(hours => ${keptHours})`);
}

export const databaseJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'database.history', everyMinutes: 10, offsetMinutes: 3, run: () => recordStatements(openDatabase(pool)) },
];
