import type pg from 'pg';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import { readSettings } from '../../settings/settings.public.ts';

/** Visitors may invent codes; whoever names them looks at the frequent ones. */
const maxUnknown = 2_000;
const countedDays = 30;

/** Counts the codes that visits brought and nobody knows, and refreshes the counts of those that were named. Answers how many there are. */
export async function countUnknownModels(pool: pg.Pool): Promise<number> {
  const counted = await pool.query(
    `WITH counted AS (
        SELECT upper(model) AS code, max(brand) AS brand, min(left(user_agent, 1024)) AS sample, sum(visitor.visits) AS visits, max(visitor.last_at) AS last_at
        FROM visitor JOIN visit_agent ON visit_agent.id = visitor.agent_id JOIN visit_device ON visit_device.id = visit_agent.device_id
        WHERE visitor.day > current_date - $1::integer AND model <> ''
          AND (model_name = '' OR upper(model) IN (SELECT code FROM device_model WHERE named_at IS NOT NULL))
        GROUP BY 1 ORDER BY 4 DESC LIMIT $2
      )
      INSERT INTO device_model AS known (code, brand, sample, visits, last_at) SELECT code, brand, sample, visits, last_at FROM counted
      ON CONFLICT (code) DO UPDATE SET sample = excluded.sample, visits = excluded.visits, last_at = excluded.last_at`,
    [countedDays, maxUnknown],
  );
  // What a newer dictionary knows, or came no more, is nothing to name.
  await pool.query(
    `DELETE FROM device_model WHERE named_at IS NULL AND (last_at IS NULL OR last_at < now() - make_interval(days => $1)
      OR NOT EXISTS (SELECT FROM visit_agent WHERE upper(visit_agent.model) = device_model.code AND model_name = ''))`,
    [countedDays],
  );
  return counted.rowCount ?? 0;
}

/**
 * Moves what rollups count of renamed user agents to the device of their new brand, in one statement for all: negative counts of the old
 * device, the same of the new one. No visit comes to these user agents any more. Visits that kept no row stay where they were counted.
 */
export async function moveRenamedAgents(pool: pg.Pool, time_zone: string): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Whoever names one of them anew meanwhile waits.
    const { rows } = await client.query<{ id: number }>('SELECT id FROM visit_agent WHERE next_device_id IS NOT NULL FOR UPDATE');
    if (rows.length > 0) {
      const ids = rows.map(({ id }) => id);
      await client.query(
        `WITH moved AS (
            SELECT live_code_id, date_trunc('hour', at, $2) AS hour, place_id, agent_id, count(*)::integer AS visits FROM visit
            WHERE agent_id = ANY ($1::integer[]) AND outcome = 0 AND live_code_id > 0 GROUP BY 1, 2, 3, 4
          ), parts AS (
            SELECT live_code_id, hour, place_id, device, n FROM moved JOIN visit_agent ON visit_agent.id = agent_id
              CROSS JOIN LATERAL (VALUES (device_id, -visits), (next_device_id, visits)) AS part (device, n)
          ), of_site AS (
            INSERT INTO visit_site_device (hour, device_id, visits) SELECT hour, device, sum(n) FROM parts GROUP BY 1, 2 HAVING sum(n) <> 0
          ), of_days AS (
            INSERT INTO visit_day_device (day, device_id, visits) SELECT date_trunc('day', hour, $2), device, sum(n) FROM parts GROUP BY 1, 2 HAVING sum(n) <> 0
          )
          INSERT INTO visit_hour_origin (live_code_id, hour, place_id, device_id, visits)
          SELECT live_code_id, hour, place_id, device, sum(n) FROM parts GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0`,
        [ids, time_zone],
      );
      await client.query('UPDATE visit_agent SET device_id = next_device_id, next_device_id = NULL WHERE id = ANY ($1::integer[])', [ids]);
    }
    await client.query('COMMIT');
    return rows.length;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

export const deviceModelJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'visits.unknown_models', everyMinutes: 60, offsetMinutes: 7, run: () => countUnknownModels(pool) },
  { name: 'visits.renamed_models', everyMinutes: 1, run: async () => moveRenamedAgents(pool, (await readSettings(pool)).time_zone) },
];
