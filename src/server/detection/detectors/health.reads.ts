import { sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { medianLatency } from './findings.ts';

type Counts = { checks: number; normal: number; blocked: number; failed: number; latency_ms: number | null; used_today: number };
const none: Counts = { checks: 0, normal: 0, blocked: 0, failed: 0, latency_ms: null, used_today: 0 };

/** How detectors did in the last 24 hours, and what they used of their limits of the day. */
export async function readHealth(db: Database, ids: readonly number[]): Promise<{ of: (id: number) => Counts }> {
  const given = sql`${sql.param([...ids])}::bigint[]`;
  const { rows } = await db.execute<
    Omit<Counts, 'checks' | 'latency_ms' | 'used_today'> & { id: number; down: number; latencies: number[] }
  >(sql`
    SELECT detector_id::float8 AS id, sum(normal)::float8 AS normal, sum(blocked)::float8 AS blocked, sum(down)::float8 AS down,
      sum(failed)::float8 AS failed, ARRAY(
        SELECT sum(step.number)::float8 FROM detector_hour AS own, unnest(own.latencies) WITH ORDINALITY AS step (number, place)
        WHERE own.detector_id = detector_hour.detector_id AND own.hour > now() - interval '24 hours' GROUP BY step.place ORDER BY step.place
      ) AS latencies
    FROM detector_hour WHERE detector_id = ANY(${given}) AND hour > now() - interval '24 hours' GROUP BY detector_id`);
  const { rows: uses } = await db.execute<{ id: number; uses: number }>(sql`
    SELECT detector_id::float8 AS id, sum(uses)::float8 AS uses FROM detector_use
    WHERE detector_id = ANY(${given}) AND day = (now() AT TIME ZONE 'UTC')::date GROUP BY detector_id`);
  const used = new Map(uses.map((row) => [row.id, row.uses]));
  const counted = new Map(
    rows.map(({ id, normal, blocked, down, failed, latencies }) => [
      id,
      { checks: normal + blocked + down + failed, normal, blocked: blocked + down, failed, latency_ms: medianLatency(latencies) },
    ]),
  );
  return { of: (id) => ({ ...none, ...counted.get(id), used_today: used.get(id) ?? 0 }) };
}
