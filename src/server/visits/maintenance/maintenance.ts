import type pg from 'pg';
import { addDays, siteClock } from '../../kit/visits/site-clock.ts';
import { noteRemoval } from '../clickhouse/copy.ts';
import { sliceHours } from '../columns/tails.ts';
import { noteDays } from '../columns/versions.ts';
import { dropPartitionsBefore } from './partitions.ts';

/** A rollup: its key but code or target and hour, and what is summed; those over all codes have no owner. */
const rollups = [
  { table: 'visit_hour', owner: 'live_code_id', key: ['short_code_id', 'outcome'], sums: ['visits', 'ips', 'new_ips'] },
  { table: 'visit_hour_origin', owner: 'live_code_id', key: ['place_id', 'device_id'], sums: ['visits'] },
  { table: 'visit_hour_target', owner: 'target_id', key: [], sums: ['visits', 'presses'] },
  { table: 'visit_hour_key', owner: 'live_code_id', key: ['key_id'], sums: ['visits'] },
  { table: 'visit_site_hour', owner: null, key: ['outcome'], sums: ['visits', 'ips', 'new_ips'] },
  { table: 'visit_site_place', owner: null, key: ['place_id'], sums: ['visits'] },
  { table: 'visit_site_device', owner: null, key: ['device_id'], sums: ['visits'] },
] as const;

const dayRollups = [
  { table: 'visit_day_place', id: 'place_id' },
  { table: 'visit_day_device', id: 'device_id' },
] as const;

const hourMilliseconds = 3_600_000;
/** So many rows are deleted by one statement, so that none holds its locks for long. */
const piece = 20_000;
/** A place that nobody came from for so long is no news any more. */
const sourceDays = 30;
/** Any constant, as long as nothing else in the product locks it. */
export const compactionLock = 7_301_190_250;

/**
 * Merges the deltas of each hour of the last `hours` into one row a key. One statement removes and adds, so that nobody ever reads a
 * wrong sum; it sees only what is committed, so that loaders go on meanwhile and two of these at once do no harm. The hour that is
 * still running may be among them. Answers how many rows were merged into others.
 */
export async function compactRollups(pool: pg.Pool, { now, hours }: { now: Date; hours: number }): Promise<number> {
  const since = new Date(now.getTime() - hours * hourMilliseconds).toISOString();
  const { rows } = await pool.query<{ hour: Date }>(
    `SELECT hour FROM visit_hour WHERE hour >= $1 GROUP BY hour HAVING count(*) > count(DISTINCT (live_code_id, short_code_id, outcome)) ORDER BY hour`,
    [since],
  );
  let merged = 0;
  for (const { hour } of rows) merged += await compactHour(pool, hour.toISOString());
  for (const { table, id } of dayRollups) merged += await compactDays(pool, table, id, since);
  return merged;
}

/** The same for counts by day over all codes, of all days that the hours lie in. */
async function compactDays(pool: pg.Pool, table: string, id: string, since: string): Promise<number> {
  const { rows } = await pool.query<{ merged: number }>(
    `WITH several AS (
        SELECT day, ${id} FROM ${table} WHERE day > $1::timestamptz - interval '25 hours' GROUP BY day, ${id} HAVING count(*) > 1
      ), gone AS (
        DELETE FROM ${table} USING several WHERE ${table}.day = several.day AND ${table}.${id} = several.${id} RETURNING ${table}.*
      ), kept AS (
        INSERT INTO ${table} (day, ${id}, visits) SELECT day, ${id}, sum(visits) FROM gone GROUP BY day, ${id} RETURNING 1
      )
      SELECT (SELECT count(*) FROM gone)::float8 - (SELECT count(*) FROM kept)::float8 AS merged`,
    [since],
  );
  return rows[0]?.merged ?? 0;
}

/** Of the rollups by code only visit_hour can be searched by hour alone; the others are found by the codes and targets that it names. */
const ownersOfHour = {
  live_code_id: 'SELECT DISTINCT live_code_id FROM visit_hour WHERE hour = $1',
  target_id: 'SELECT id FROM live_code_target WHERE live_code_id IN (SELECT live_code_id FROM visit_hour WHERE hour = $1)',
};

async function compactHour(pool: pg.Pool, hour: string): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [compactionLock]);
    let merged = 0;
    for (const { table, owner, key, sums } of rollups) {
      const whole = owner === null ? [...key] : [owner, ...key];
      const columns = ['hour', ...whole].join(', ');
      const same = whole.map((column) => `several.${column} = ${table}.${column}`).join(' AND ');
      const { rows } = await client.query<{ merged: number }>(
        `WITH several AS (
            SELECT ${whole.join(', ')} FROM ${table} WHERE hour = $1 AND ${owner === null ? 'true' : `${owner} IN (${ownersOfHour[owner]})`}
            GROUP BY ${whole.join(', ')} HAVING count(*) > 1
          ), gone AS (
            DELETE FROM ${table} USING several WHERE ${table}.hour = $1 AND ${same} RETURNING ${table}.*
          ), kept AS (
            INSERT INTO ${table} (${columns}, ${sums.join(', ')})
            SELECT ${columns}, ${sums.map((sum) => `sum(${sum})`).join(', ')} FROM gone GROUP BY ${columns} RETURNING 1
          )
          SELECT (SELECT count(*) FROM gone)::float8 - (SELECT count(*) FROM kept)::float8 AS merged`,
        [hour],
      );
      merged += rows[0]?.merged ?? 0;
    }
    await client.query('COMMIT');
    return merged;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Ends the retention of visits: rows go by whole partitions, addresses with their days. Counts by hour stay. Afterwards an address that
 * comes again counts as new. Answers the partitions that are gone and how many days of addresses were removed.
 */
export async function dropOldVisits(
  pool: pg.Pool,
  { now, days }: { now: Date; days: number },
): Promise<{ partitions: string[]; visitors: number }> {
  if (!Number.isInteger(days) || days < 1) throw new RangeError(`A retention of ${days} days is none.`);
  const firstKept = addDays(now.toISOString().slice(0, 10), -days);
  const client = await pool.connect();
  try {
    const partitions = await dropPartitionsBefore(client, firstKept);
    const visitors = await deleteVisitorsBefore(client, 'visitor', firstKept);
    return { partitions, visitors: visitors + (await deleteVisitorsBefore(client, 'short_code_visitor', firstKept)) };
  } finally {
    client.release();
  }
}

async function deleteVisitorsBefore(client: pg.ClientBase, table: 'visitor' | 'short_code_visitor', day: string): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rowCount } = await client.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE day < $1::date LIMIT $2))`,
      [day, piece],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < piece) return deleted;
  }
}

/**
 * Deletes the rows that given-up clearings hid, with their addresses, in pieces. Days around the clearing keep their addresses: figures of
 * the visible part need them. Answers how many rows are gone.
 */
export async function emptyGivenUpHistories(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string; live_code_id: string; cleared_at: Date }>(
    'SELECT id, live_code_id, cleared_at FROM access_clearing WHERE given_up_at IS NOT NULL AND emptied_at IS NULL ORDER BY id',
  );
  let deleted = 0;
  for (const { id, live_code_id, cleared_at } of rows) {
    const before = cleared_at.toISOString();
    for (let last = piece; last === piece; deleted += last) last = await emptyPiece(pool, live_code_id, before);
    await pool.query('DELETE FROM visitor WHERE live_code_id = $1 AND day < $2::timestamptz::date - 1', [live_code_id, before]);
    await noteRemoval(pool, { codes: [Number(live_code_id)], from: null, before });
    await pool.query('UPDATE access_clearing SET emptied_at = now() WHERE id = $1', [id]);
  }
  return deleted;
}

/** Removes some of the rows, and tells of their days. Answers how many are gone. */
async function emptyPiece(pool: pg.Pool, live_code_id: string, before: string): Promise<number> {
  const { rows } = await pool.query<{ visits: number }>(
    `WITH hidden AS (SELECT id, at FROM visit WHERE live_code_id = $1 AND at < $2 LIMIT $3),
      gone AS (DELETE FROM visit USING hidden WHERE visit.id = hidden.id AND visit.at = hidden.at RETURNING visit.at),
      noted AS (${noteDays(`SELECT DISTINCT (at AT TIME ZONE 'UTC')::date FROM gone ORDER BY 1`)})
      SELECT count(*)::integer AS visits FROM gone`,
    [live_code_id, before, piece],
  );
  return rows[0]?.visits ?? 0;
}

/**
 * Removes what was needed for a while only: changes that every redirect process has read (one that was away for half an hour reads
 * everything anew), and tickets and attempts that have expired. Nobody else removes them.
 */
export async function purgeExpired(
  pool: pg.Pool,
): Promise<Record<'visit_change' | 'used_ticket' | 'attempt' | 'visit_source' | 'visit_site_slice' | 'visit_unlogged_code', number>> {
  const purge = async (statement: string) => (await pool.query(statement)).rowCount ?? 0;
  return {
    visit_change: await purge(`DELETE FROM visit_change WHERE at < now() - interval '1 hour'`),
    used_ticket: await purge(`DELETE FROM used_ticket WHERE expires_at < now() - interval '5 minutes'`),
    attempt: await purge('DELETE FROM attempt WHERE window_ends_at < now()'),
    visit_site_slice: await purge(`DELETE FROM visit_site_slice WHERE starts_at < now() - make_interval(hours => ${sliceHours})`),
    visit_unlogged_code: await purge(`DELETE FROM visit_unlogged_code WHERE hour < now() - make_interval(hours => ${sliceHours + 1})`),
    visit_source: await purge(`DELETE FROM visit_source WHERE last_at < now() - make_interval(days => ${sourceDays})`),
  };
}

/**
 * Sets targets with a refill hour back to their threshold, each once a day at or after that hour of the site's clock, also late where
 * nobody was there to do it. A target begins to be refilled at the first such hour after it was made. The condition on `refilled_at`
 * decides: a second worker finds it done. Answers how many targets were refilled.
 */
export async function refillDueTargets(pool: pg.Pool, { now, time_zone }: { now: Date; time_zone: string }): Promise<number> {
  const clock = siteClock(time_zone);
  const today = clock.dayOf(now.getTime());
  const latest = Array.from({ length: 24 }, (_, hour) => {
    const start = clock.startOf(today, hour);
    return new Date(start <= now.getTime() ? start : clock.startOf(addDays(today, -1), hour)).toISOString();
  });
  const { rowCount } = await pool.query(
    `WITH due AS (
        UPDATE live_code_target SET refilled_at = $1
        WHERE refill_hour IS NOT NULL AND threshold IS NOT NULL
          AND coalesce(refilled_at, created_at) < ($2::timestamptz[])[refill_hour + 1]
        RETURNING id, threshold
      )
      INSERT INTO target_quota AS quota (target_id, remaining) SELECT id, threshold FROM due ORDER BY id
      ON CONFLICT (target_id) DO UPDATE SET remaining = excluded.remaining, generation = quota.generation + 1`,
    [now.toISOString(), latest],
  );
  return rowCount ?? 0;
}
