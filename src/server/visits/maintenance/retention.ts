import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Settings } from '../../../contract/settings.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import { addDays, daysBetween } from '../../kit/visits/site-clock.ts';
import { logDaysSql } from '../../orders/quotas.public.ts';
import { noteRemoval } from '../clickhouse/copy.ts';
import { noteRemoved } from '../columns/versions.ts';
import { dropOldVisits } from './maintenance.ts';

type Options = { now: Date; settings: Pick<Settings, 'visit_retention_days' | 'membership_grace_days'> };
type Owner = { owner_id: number; days: number; emptied_until: string | null };
type Ended = { partitions: string[]; visitors: number; visits: number };

/** So many days are looked at again: a journal may have been loaded late. */
const lateDays = 3;
/** Visits that belong to nobody: to short codes, forwards, unknown addresses, and codes that are gone. */
const nobody = 0;

/**
 * Ends the retention of visits: those that nobody keeps any more go by whole partitions; of the others, each owner's go once his own days
 * are over, a day at a time.
 */
export async function endRetention(pool: pg.Pool, { now, settings }: Options): Promise<Ended> {
  const owners = await readOwners(pool, settings);
  const longest = Math.max(...owners.map(({ days }) => days));
  const ended: Ended = { ...(await dropOldVisits(pool, { now, days: longest })), visits: 0 };
  const today = now.toISOString().slice(0, 10);
  const oldest = await oldestDay(pool);
  for (const { owner_id, days: kept, emptied_until } of owners) {
    const until = addDays(today, -kept);
    if (kept === longest || oldest === null || (emptied_until ?? oldest) >= until) continue;
    const from = emptied_until === null ? oldest : addDays(emptied_until, -lateDays);
    const days = daysBetween(from, addDays(until, -1)).filter((day) => day >= oldest);
    for (const day of days) ended.visits += await emptyDay(pool, owner_id, day);
  }
  return ended;
}

async function readOwners(pool: pg.Pool, settings: Options['settings']): Promise<Owner[]> {
  const { rows } = await openDatabase(pool).execute<Owner>(sql`
    SELECT user_account.id::float8 AS owner_id, ${logDaysSql(settings)} AS days, emptied_until::text
    FROM user_account LEFT JOIN visit_retention ON owner_id = user_account.id
    WHERE EXISTS (SELECT FROM live_code WHERE live_code.owner_id = user_account.id)
      OR EXISTS (SELECT FROM short_code WHERE short_code.owner_id = user_account.id)
    UNION ALL SELECT ${nobody}::float8, ${settings.visit_retention_days}::integer,
      (SELECT emptied_until::text FROM visit_retention WHERE owner_id = ${nobody})`);
  return rows;
}

/** The first day (UTC) that there are visits or addresses of. */
async function oldestDay(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ day: string | null }>(
    `SELECT least((SELECT to_date(right(min(relname::text), 8), 'YYYYMMDD') FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'visit'::regclass),
      (SELECT min(first_at) AT TIME ZONE 'UTC' FROM visitor)::date, (SELECT min(day) FROM short_code_visitor))::text AS day`,
  );
  return rows[0]?.day ?? null;
}

/** One day of one owner, in a transaction that notes it: what was interrupted goes on there. */
async function emptyDay(pool: pg.Pool, owner_id: number, day: string): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const isOwn =
      owner_id === nobody
        ? 'NOT EXISTS (SELECT FROM live_code WHERE id = live_code_id)'
        : 'live_code_id IN (SELECT id FROM live_code WHERE owner_id = $3)';
    const parameters = [`${day}T00:00:00Z`, `${addDays(day, 1)}T00:00:00Z`, ...(owner_id === nobody ? [] : [owner_id])];
    const { rows } = await client.query<{ code: number; visits: number }>(
      `WITH gone AS (DELETE FROM visit WHERE at >= $1 AND at < $2 AND ${isOwn} RETURNING live_code_id)
        SELECT coalesce(live_code_id, 0)::float8 AS code, count(*)::float8 AS visits FROM gone GROUP BY 1`,
      parameters,
    );
    const codes = rows.map(({ code }) => code);
    if (codes.length > 0) await noteRemoved(client, day);
    if (codes.length > 0) await noteRemoval(client, { codes, from: `${day}T00:00:00Z`, before: `${addDays(day, 1)}T00:00:00Z` });
    const ofDay = [day, ...(owner_id === nobody ? [] : [owner_id])];
    const owned = (table: string) =>
      owner_id === nobody
        ? `NOT EXISTS (SELECT FROM ${table} WHERE id = ${table}_id)`
        : `${table}_id IN (SELECT id FROM ${table} WHERE owner_id = $2)`;
    await client.query(`DELETE FROM visitor WHERE day = $1 AND ${owned('live_code')}`, ofDay);
    await client.query(`DELETE FROM short_code_visitor WHERE day = $1 AND ${owned('short_code')}`, ofDay);
    await client.query(
      `INSERT INTO visit_retention (owner_id, emptied_until) VALUES ($1, $2)
       ON CONFLICT (owner_id) DO UPDATE SET emptied_until = greatest(visit_retention.emptied_until, excluded.emptied_until)`,
      [owner_id, addDays(day, 1)],
    );
    await client.query('COMMIT');
    return rows.reduce((sum, { visits }) => sum + visits, 0);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
