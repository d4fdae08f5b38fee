import { type SQL, sql } from 'drizzle-orm';
import type { ById } from '../columns/columns.ts';
import type { Family } from '../statistics/workbench/dimensions.ts';

type Numbers = { join: (separator: string) => string };
/** Of tens of thousands: the driver would look at each of them for what has to be escaped. */
const list = (numbers: Numbers): SQL => sql`${`{${numbers.join(',')}}`}`;

/** What was answered, as a relation for PostgreSQL to name: numbers of a dictionary or hours, and how many visits each has. */
export function relationOf(family: Family, [keys = [], visits = []]: readonly Numbers[]): SQL {
  // Sums of whole numbers below 2^53 are exact, and many times quicker than those of bigint, which are numeric.
  const found = sql`unnest(${list(keys)}::bigint[], ${list(visits)}::float8[]) AS found (key, visits)`;
  if (family === 'time') return sql`(SELECT 0 AS id, to_timestamp(key) AS at, visits FROM ${found})`;
  // Counts by id do not tell when; the column is one of every relation of counts.
  const columns = sql`SELECT ${family === 'outcome' ? sql`key` : sql`nullif(key, 0)`} AS id, NULL::timestamptz AS at, visits FROM ${found}`;
  if (family === 'device')
    return sql`(SELECT agent.device_id AS id, found.at, found.visits FROM (${columns}) AS found JOIN visit_agent AS agent ON agent.id = found.id)`;
  if (family === 'target') return sql`(${columns} WHERE key IN (SELECT live_code_target.id FROM live_code_target))`;
  return sql`(${columns})`;
}

/** Sums by code as a relation with the columns live_code_id, visits, ips, new_ips and refused, each told as ids and sums. */
export function relationOfSums(lists: readonly ById[]): SQL {
  const byCode = new Map<number, number[]>();
  for (const [column, [ids, sums = []]] of lists.entries())
    for (let place = 0; place < ids.length; place += 1) {
      const id = ids[place] ?? 0;
      const own = byCode.get(id) ?? [0, 0, 0, 0];
      own[column] = sums[place] ?? 0;
      byCode.set(id, own);
    }
  const rows = [...byCode.values()];
  const columns = lists.map((_, column) => sql`${list(rows.map((row) => row[column] ?? 0))}::float8[]`);
  return sql`(SELECT * FROM unnest(${list([...byCode.keys()])}::bigint[], ${sql.join(columns, sql`, `)}) AS summed (live_code_id, visits, ips, new_ips, refused))`;
}
