import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../kit/postgres/database.ts';

// Targets are as many as visits may be: what is counted of tens of thousands goes from one to the other as lists, and is ranked here.

/** The visits of each id, of what was counted. */
export async function visitsById(db: Database, found: SQL): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ ids: number[]; visits: number[] }>(sql`
    SELECT coalesce(json_agg(id), '[]') AS ids, coalesce(json_agg(visits), '[]') AS visits FROM (
      SELECT id, sum(visits)::float8 AS visits FROM ${found} AS found WHERE id IS NOT NULL GROUP BY id
    ) AS summed`);
  const { ids = [], visits = [] } = rows[0] ?? {};
  return new Map(ids.map((id, place) => [id, visits[place] ?? 0]));
}

/** The ids with most visits, the most visited first; of the same number, the smaller. */
export function mostVisited(visits: ReadonlyMap<number, number>, number: number): number[] {
  const counts = new Float64Array(visits.size);
  let place = 0;
  for (const count of visits.values()) {
    counts[place] = count;
    place += 1;
  }
  const least = counts.sort().at(-number) ?? 0;
  const first: [id: number, count: number][] = [];
  for (const [id, count] of visits) if (count >= least) first.push([id, count]);
  return first
    .sort(([id, count], [otherId, other]) => other - count || id - otherId)
    .slice(0, number)
    .map(([id]) => id);
}

/** As `mostVisited`, of targets that are still there: only the first are looked up. */
export async function mostVisitedTargets(db: Database, visits: ReadonlyMap<number, number>, number: number): Promise<number[]> {
  for (let looked = 2 * number; ; looked *= 10) {
    const ids = mostVisited(visits, looked);
    const gone = new Set(await goneTargets(db, ids));
    const there = ids.filter((id) => !gone.has(id));
    if (there.length >= number || ids.length === visits.size) return there.slice(0, number);
  }
}

/** Which of these targets are gone. */
export async function goneTargets(db: Database, ids: Iterable<number>): Promise<number[]> {
  // One text: the driver would look at each number for what has to be escaped.
  const { rows } = await db.execute<{ ids: number[] }>(sql`
    SELECT coalesce(json_agg(id), '[]') AS ids FROM unnest(${`{${[...ids].join(',')}}`}::bigint[]) AS found (id)
    WHERE NOT EXISTS (SELECT FROM live_code_target AS target WHERE target.id = found.id)`);
  return rows[0]?.ids ?? [];
}
