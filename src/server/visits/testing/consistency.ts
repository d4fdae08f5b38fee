import type pg from 'pg';
import { unpacked } from '../statistics/hour-counts.ts';

const ofCodes = (visitor: string, total: string, code: string): Record<string, [rollup: string, rows: string]> => ({
  [visitor]: [
    `SELECT ${code}, ip, day, visits, first_at, last_at FROM ${visitor}`,
    `SELECT ${code}, ip, (at AT TIME ZONE $zone)::date, count(*), min(at), max(at) FROM visit WHERE outcome = 0 AND ${code} > 0 GROUP BY 1, 2, 3`,
  ],
  [`first visits of a day, ${visitor}`]: [
    `SELECT ${code}, ip, day, 1 FROM ${visitor}`,
    `SELECT ${code}, ip, (at AT TIME ZONE $zone)::date, count(*) FROM visit WHERE unique_ip AND ${code} > 0 GROUP BY 1, 2, 3`,
  ],
  [`first visits ever, ${visitor}`]: [
    `SELECT DISTINCT ${code}, ip, 1 FROM ${visitor}`,
    `SELECT ${code}, ip, count(*) FROM visit WHERE first_visit AND unique_ip AND ${code} > 0 GROUP BY 1, 2`,
  ],
  [total]: [
    `SELECT ${code}, visits, ips FROM ${total}`,
    `SELECT ${code}, count(*), count(*) FILTER (WHERE unique_ip) FROM visit WHERE outcome = 0 AND ${code} > 0 GROUP BY 1`,
  ],
});

/** What must be the same: a rollup, and the same figures counted from rows. `$zone` stands for the site's time zone. */
const comparisons: Record<string, [rollup: string, rows: string]> = {
  visit_hour: [
    `SELECT live_code_id, short_code_id, hour, outcome, sum(visits), sum(ips), sum(new_ips) FROM (
      SELECT live_code_id, short_code_id, hour, outcome, visits, ips, new_ips FROM visit_hour
      UNION ALL SELECT live_code_id, 0, hour, outcome, visits, ips, new_ips FROM (${unpacked('visit_hour', 'visit_hour_packed AS packed')}) AS counts
    ) AS counts GROUP BY 1, 2, 3, 4`,
    `SELECT coalesce(live_code_id, 0), coalesce(short_code_id, 0), date_trunc('hour', at, $zone), outcome, count(*), count(*) FILTER (WHERE unique_ip), count(*) FILTER (WHERE first_visit)
      FROM visit GROUP BY 1, 2, 3, 4`,
  ],
  visit_hour_origin: [
    `SELECT live_code_id, hour, place_id, device_id, sum(visits) FROM (TABLE visit_hour_origin
      UNION ALL ${unpacked('visit_hour_origin', 'visit_hour_origin_packed AS packed')}) AS counts GROUP BY 1, 2, 3, 4 HAVING sum(visits) <> 0`,
    `SELECT live_code_id, date_trunc('hour', at, $zone), place_id, device_id, count(*) FROM visit JOIN visit_agent ON visit_agent.id = agent_id
      WHERE outcome = 0 AND live_code_id > 0 GROUP BY 1, 2, 3, 4`,
  ],
  visit_site_hour: [
    'SELECT hour, outcome, sum(visits), sum(ips), sum(new_ips) FROM visit_site_hour GROUP BY 1, 2',
    `SELECT date_trunc('hour', at, $zone), outcome, count(*), count(*) FILTER (WHERE unique_ip), count(*) FILTER (WHERE first_visit)
      FROM visit WHERE short_code_id IS NULL OR outcome NOT IN (0, 15, 16) GROUP BY 1, 2`,
  ],
  visit_site_slice: [
    'SELECT starts_at, sum(visits) FROM visit_site_slice GROUP BY 1',
    `SELECT date_bin('2 seconds', at, '2000-01-01'), count(*) FROM visit WHERE short_code_id IS NULL OR outcome NOT IN (0, 15, 16) GROUP BY 1`,
  ],
  visit_site_place: [
    'SELECT hour, place_id, sum(visits) FROM visit_site_place GROUP BY 1, 2',
    `SELECT date_trunc('hour', at, $zone), place_id, count(*) FROM visit WHERE outcome = 0 AND live_code_id > 0 GROUP BY 1, 2`,
  ],
  visit_site_device: [
    'SELECT hour, device_id, sum(visits) FROM visit_site_device GROUP BY 1, 2 HAVING sum(visits) <> 0',
    `SELECT date_trunc('hour', at, $zone), device_id, count(*) FROM visit JOIN visit_agent ON visit_agent.id = agent_id
      WHERE outcome = 0 AND live_code_id > 0 GROUP BY 1, 2`,
  ],
  visit_day_place: [
    'SELECT day, place_id, sum(visits) FROM visit_day_place GROUP BY 1, 2',
    `SELECT date_trunc('day', at, $zone), place_id, count(*) FROM visit WHERE outcome = 0 AND live_code_id > 0 GROUP BY 1, 2`,
  ],
  visit_day_device: [
    'SELECT day, device_id, sum(visits) FROM visit_day_device GROUP BY 1, 2 HAVING sum(visits) <> 0',
    `SELECT date_trunc('day', at, $zone), device_id, count(*) FROM visit JOIN visit_agent ON visit_agent.id = agent_id
      WHERE outcome = 0 AND live_code_id > 0 GROUP BY 1, 2`,
  ],
  visit_hour_target: [
    `SELECT target_id, hour, sum(visits) FROM (SELECT target_id, hour, visits FROM visit_hour_target
      UNION ALL SELECT target_id, hour, visits FROM (${unpacked('visit_hour_target', 'visit_hour_target_packed AS packed')}) AS counts) AS counts GROUP BY 1, 2`,
    `SELECT target_id, date_trunc('hour', at, $zone), count(*) FROM visit WHERE outcome = 0 AND target_id IS NOT NULL GROUP BY 1, 2`,
  ],
  // Rows tell a key by their path; of keys that are gone nobody knows which they were.
  visit_hour_key: [
    'SELECT key_id, hour, sum(visits) FROM visit_hour_key WHERE key_id IN (SELECT id FROM live_code_key) GROUP BY 1, 2',
    `SELECT live_code_key.id, date_trunc('hour', at, $zone), count(*) FROM visit JOIN visit_text ON visit_text.id = path_id
      JOIN live_code_key ON live_code_key.live_code_id = visit.live_code_id AND key = lower(trim(BOTH '/' FROM text)) AND NOT own
      WHERE outcome = 0 GROUP BY 1, 2`,
  ],
  ...ofCodes('visitor', 'live_code_total', 'live_code_id'),
  ...ofCodes('short_code_visitor', 'short_code_total', 'short_code_id'),
  target_total: [
    'SELECT target_id, visits FROM target_total',
    'SELECT target_id, count(*) FROM visit WHERE outcome = 0 AND target_id IS NOT NULL GROUP BY 1',
  ],
  forward_total: [
    'SELECT forward_id, hits, last_at FROM forward_total',
    'SELECT forward_id, count(*), max(at) FROM visit WHERE forward_id IS NOT NULL GROUP BY 1',
  ],
  'visits reach one thing': ['SELECT 0 WHERE false', 'SELECT 1 FROM visit WHERE num_nonnulls(live_code_id, short_code_id, forward_id) > 1'],
  'one row a visit': ['SELECT id, 1 FROM visit', 'SELECT id, count(*) FROM visit GROUP BY id'],
};

/** Compares everything that is counted with the rows, where every visit kept its row. Answers what differs, one line each; none is right. */
export async function inconsistencies(client: pg.ClientBase, zone = 'Asia/Shanghai'): Promise<string[]> {
  const found: string[] = [];
  for (const [name, [rollup, rows]] of Object.entries(comparisons)) {
    const [left, right] = [rollup, rows].map((query) => query.replaceAll('$zone', `'${zone}'`));
    const { rows: differing } = await client.query<{ side: string; row: string }>(
      `(SELECT 'only counted' AS side, counted::text AS row FROM (${left} EXCEPT ALL ${right}) AS counted LIMIT 3)
        UNION ALL (SELECT 'only in rows', stored::text FROM (${right} EXCEPT ALL ${left}) AS stored LIMIT 3)`,
    );
    for (const { side, row } of differing) found.push(`${name}: ${side}: ${row}`);
  }
  return found;
}
