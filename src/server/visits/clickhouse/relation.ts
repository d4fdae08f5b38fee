import { type SQL, sql } from 'drizzle-orm';
import type { Family } from '../statistics/workbench/dimensions.ts';

type Numbers = { join: (separator: string) => string };
/** Of tens of thousands: the driver would look at each of them for what has to be escaped. */
const list = (numbers: Numbers): SQL => sql`${`{${numbers.join(',')}}`}`;

/** What was answered, as a relation for PostgreSQL to name: numbers of a dictionary or hours, and how many visits each has. */
export function relationOf(family: Family, [keys, visits]: [Numbers, Numbers]): SQL {
  // Sums of whole numbers below 2^53 are exact, and many times quicker than those of bigint, which are numeric.
  const found = sql`unnest(${list(keys)}::bigint[], ${list(visits)}::float8[]) AS found (key, visits)`;
  if (family === 'time') return sql`(SELECT 0 AS id, to_timestamp(key) AS at, visits FROM ${found})`;
  const id = family === 'device' ? sql`agent.device_id` : sql`nullif(key, 0)`;
  // Counts by id do not tell when; the column is one of every relation of counts.
  const columns = sql`SELECT ${family === 'outcome' ? sql`key` : id} AS id, NULL::timestamptz AS at, visits FROM ${found}`;
  if (family === 'device') return sql`(${columns} JOIN visit_agent AS agent ON agent.id = key)`;
  if (family === 'target') return sql`(${columns} WHERE key IN (SELECT live_code_target.id FROM live_code_target))`;
  return sql`(${columns})`;
}
