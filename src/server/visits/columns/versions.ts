import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Database } from '../../kit/postgres/database.ts';
import type { HourCounts } from './parts.ts';
import { type SliceCounts, sliceHours } from './tails.ts';

/** So long after its end batches that began within a day may still come without telling its version. */
export const settledMinutes = 10;
/** Any constant, as long as nothing else in the product locks it. Batches hold it while they write. */
export const visitorLock = 7_301_190_247;

type Day = { day: string; from: number; to: number };

/** Without partitions a day has no rows, while what was counted of it stays. One that is not over has its hours so far, and the slices of the last ones. */
export type Version = { version: string; has_rows: boolean; has_counts: boolean; hours: HourCounts[] | null; slices: SliceCounts[] };

/**
 * The versions of days, and which database they are of. A version is one of the day and its neighbours, because a change of the
 * time zone moves days, and of the partitions its rows are in. Which days are over the database's clock decides, as it does for batches.
 */
export async function versionsOf(
  db: Database,
  days: readonly Day[],
  now = sql`statement_timestamp()`,
): Promise<{ database: string; versions: Map<string, Version> }> {
  const text = (of: (day: Day) => string, type: string) => sql`${sql.param(days.map(of))}::${sql.raw(type)}[]`;
  const goesOn = sql`over_at + make_interval(mins => ${settledMinutes}) >= ${now}`;
  const utcDay = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
  const { rows } = await db.execute<Version & { day: string; database: string }>(sql`
    SELECT asked.day::text, (SELECT system_identifier FROM pg_control_system()) || '.' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,
      coalesce((SELECT string_agg(version::text, '_' ORDER BY day) FROM visit_day_version AS known WHERE known.day BETWEEN asked.day - 1 AND asked.day + 1), '0')
        || '-' || array_to_string(partitions, '-', '') AS version,
      array_remove(partitions, NULL) <> '{}' AS has_rows,
      EXISTS (SELECT FROM visit_site_hour WHERE hour >= begun_at AND hour < over_at) AS has_counts,
      CASE WHEN ${goesOn} THEN (
        SELECT coalesce(json_agg(json_build_array(extract(epoch FROM hour) * 1000, counts) ORDER BY hour), '[]') FROM (
          SELECT hour, concat_ws('-', sum(visits), sum(ips), sum(new_ips)) AS counts FROM visit_site_hour WHERE hour >= begun_at AND hour < over_at GROUP BY hour
        ) AS of_hours) END AS hours,
      (SELECT coalesce(json_agg(json_build_array(extract(epoch FROM starts_at) * 1000, visits, unlogged) ORDER BY starts_at), '[]') FROM (
          SELECT starts_at, sum(visits) AS visits, CASE WHEN count(unlogged) = count(*) THEN sum(unlogged) END AS unlogged FROM visit_site_slice
          WHERE ${goesOn} AND starts_at >= greatest(begun_at, ${now} - make_interval(hours => ${sliceHours - 1})) AND starts_at < over_at GROUP BY starts_at
        ) AS of_slices) AS slices
    FROM unnest(${text(({ day }) => day, 'date')}, ${text(({ from }) => new Date(from).toISOString(), 'timestamptz')}, ${text(({ to }) => new Date(to).toISOString(), 'timestamptz')}, ${text(({ from }) => utcDay(from), 'text')}, ${text(({ from, to }) => utcDay((from + to) / 2), 'text')}, ${text(({ to }) => utcDay(to - 1), 'text')})
      AS asked (day, begun_at, over_at, first, midst, last)
    CROSS JOIN LATERAL (SELECT ARRAY[to_regclass('visit_' || first)::oid, to_regclass('visit_' || midst)::oid, to_regclass('visit_' || last)::oid]) AS own (partitions)`);
  return { database: rows[0]?.database ?? '', versions: new Map(rows.map(({ day, database: _database, ...version }) => [day, version])) };
}

/** Gives days another version; `days` is a query for them, in order. */
export const noteDays = (days: string): string =>
  `INSERT INTO visit_day_version AS known (day, version) SELECT day, floor(random() * 9e15)::bigint FROM (${days}) AS changed (day)
    ON CONFLICT (day) DO UPDATE SET version = excluded.version`;

type Queries = Pick<pg.ClientBase, 'query'>;

/** Tells that rows of these days of the site came, of those that are over; within the transaction that adds them, after the lock of batches. */
export async function noteLate(client: Queries, days: ReadonlyMap<string, number>): Promise<void> {
  const names = [...days.keys()].sort();
  await client.query({
    name: 'note_late',
    text: noteDays(`SELECT day FROM unnest($1::date[], $2::timestamptz[]) AS touched (day, over_at)
      WHERE over_at + make_interval(mins => ${settledMinutes}) <= clock_timestamp() ORDER BY day`),
    values: [names, names.map((day) => new Date(days.get(day) ?? 0).toISOString())],
  });
}

/** Tells that rows of a day (UTC) were removed; the days of the site that it is a part of are its neighbours. */
export async function noteRemoved(client: Queries, day: string): Promise<void> {
  await client.query(noteDays('SELECT $1::date'), [day]);
}
