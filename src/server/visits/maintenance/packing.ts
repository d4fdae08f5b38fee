import type pg from 'pg';
import { inTransaction } from '../clickhouse/copy.ts';
import { countColumns, type HourTable, hourTables, quarterSeconds, settledMilliseconds, unpacked } from '../statistics/hour-counts.ts';
import { compactionLock } from './maintenance.ts';

/** So many counts are packed by one statement, or those of one code, so that none holds its locks for long. */
const piece = 50_000;

/** Where single counts of live codes stand, and whose they are. Those of short codes, and of visits that reached nothing, stay single. */
const singles: Record<HourTable, { from: string; code: string; are: string }> = {
  visit_hour: { from: 'visit_hour AS single', code: 'single.live_code_id', are: 'single.live_code_id > 0 AND single.short_code_id = 0' },
  visit_hour_origin: { from: 'visit_hour_origin AS single', code: 'single.live_code_id', are: 'true' },
  visit_hour_target: {
    from: 'visit_hour_target AS single, live_code_target AS target',
    code: 'target.live_code_id',
    are: 'target.id = single.target_id',
  },
};

/** A day or a month, and a query for how many counts each code has that are to be packed within it. */
type Period = { from: Date; to: Date; codes: string };

const periodsOf = async (pool: pg.Pool, query: string, before: string): Promise<{ from: Date; to: Date }[]> =>
  (await pool.query<{ from: Date; to: Date }>(query, [before])).rows;

/**
 * Packs the counts by hour of days that are over into a row a code and day, and those of months into a row a code and month (both UTC). One
 * statement removes and adds, so that nobody ever reads a wrong sum. Counts that come late are single until they are packed with the
 * others. Answers how many single counts were packed.
 */
export async function packCounts(pool: pg.Pool, { now }: { now: Date }): Promise<number> {
  const settled = new Date(now.getTime() - settledMilliseconds).toISOString();
  let packed = 0;
  for (const table of Object.keys(hourTables) as HourTable[]) {
    const { from, code, are } = singles[table];
    const days = await periodsOf(
      pool,
      `SELECT day AS from, day + interval '24 hours' AS to FROM (
        SELECT DISTINCT date_bin('1 day', single.hour, '2000-01-01 00:00Z'::timestamptz) AS day FROM ${from} WHERE ${are} AND single.hour < date_trunc('day', $1::timestamptz, 'UTC')
      ) AS days ORDER BY day`,
      settled,
    );
    const ofDay = `SELECT ${code} AS code, count(*) AS counts FROM ${from} WHERE ${are} AND single.hour >= $1 AND single.hour < $2 GROUP BY 1 ORDER BY 1`;
    for (const day of days) packed += await packPeriod(pool, table, { ...day, codes: ofDay });
    const months = await periodsOf(
      pool,
      `SELECT month AS from, date_trunc('month', month + interval '32 days', 'UTC') AS to FROM (
        SELECT DISTINCT date_trunc('month', starts_at, 'UTC') AS month FROM ${table}_packed
        WHERE ends_at - starts_at <= interval '1 day' AND starts_at < date_trunc('month', $1::timestamptz, 'UTC')
      ) AS months ORDER BY month`,
      settled,
    );
    const ofMonth = `SELECT live_code_id AS code, sum(cardinality(quarter)) AS counts FROM ${table}_packed
      WHERE starts_at >= $1 AND starts_at < $2 GROUP BY 1 HAVING bool_or(ends_at - starts_at <= interval '1 day') ORDER BY 1`;
    for (const month of months) packed += await packPeriod(pool, table, { ...month, codes: ofMonth });
  }
  return packed;
}

async function packPeriod(pool: pg.Pool, table: HourTable, { from, to, codes }: Period): Promise<number> {
  const span = [from.toISOString(), to.toISOString()];
  const { rows } = await pool.query<{ code: string; counts: string }>(codes, span);
  let packed = 0;
  let [some, counts]: [string[], number] = [[], 0];
  for (const [index, row] of rows.entries()) {
    some.push(row.code);
    counts += Number(row.counts);
    if (counts < piece && index < rows.length - 1) continue;
    packed += await packCodes(pool, table, [...span, some]);
    [some, counts] = [[], 0];
  }
  return packed;
}

async function packCodes(pool: pg.Pool, table: HourTable, values: unknown[]): Promise<number> {
  const { from, code, are } = singles[table];
  const [target, using = ''] = from.split(', ');
  const { key, sums } = hourTables[table];
  const [columns, keys] = [countColumns(table), ['hour', ...key].join(', ')];
  const client = await pool.connect();
  try {
    const { rows } = await inTransaction(client, async () => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [compactionLock]);
      return client.query<{ packed: number }>(
        `WITH taken AS (
          DELETE FROM ${target} ${using && `USING ${using}`} WHERE ${are} AND ${code} = ANY ($3::bigint[]) AND single.hour >= $1 AND single.hour < $2
          RETURNING ${code} AS live_code_id, single.hour, ${columns.map((column) => `single.${column}`).join(', ')}
        ), known AS (
          DELETE FROM ${table}_packed WHERE live_code_id = ANY ($3::bigint[]) AND starts_at >= $1 AND starts_at < $2 AND ends_at <= $2 RETURNING *
        ), counts AS (
          SELECT live_code_id, ${keys}, ${sums.map((sum) => `sum(${sum})::integer AS ${sum}`).join(', ')}
          FROM (SELECT * FROM taken UNION ALL ${unpacked(table, 'known AS packed')}) AS parts
          GROUP BY live_code_id, ${keys} HAVING ${sums.map((sum) => `sum(${sum}) <> 0`).join(' OR ')} ORDER BY live_code_id, ${keys}
        ), made AS (
          INSERT INTO ${table}_packed (live_code_id, starts_at, ends_at, quarter, ${columns.join(', ')})
          SELECT live_code_id, $1::timestamptz, $2::timestamptz, array_agg((extract(epoch FROM hour - $1::timestamptz) / ${quarterSeconds})::smallint), ${columns.map((column) => `array_agg(${column})`).join(', ')}
          FROM counts GROUP BY live_code_id
        )
        SELECT count(*)::float8 AS packed FROM taken`,
        values,
      );
    });
    return rows[0]?.packed ?? 0;
  } finally {
    client.release();
  }
}
