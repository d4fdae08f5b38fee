import type pg from 'pg';

/**
 * Gives back what the leases of a source that has ended did not serve, and removes them. What was not journaled was not served, so this
 * waits until all its segments are loaded. A refill meanwhile has made the rest worthless: only the present generation gets it.
 * Answers how many leases were removed, and whether that is all.
 */
export async function recoverLeases(client: pg.ClientBase, source: string): Promise<{ leases: number; is_done: boolean }> {
  const { rows } = await client.query<{ leases: number; is_done: boolean }>(
    // Quotas are locked in the order of their targets, as redirect processes lock them.
    `WITH locked AS (
        SELECT target_id FROM target_quota WHERE target_id IN (SELECT target_id FROM target_lease WHERE source = $1)
        ORDER BY target_id FOR UPDATE
      ), ended AS (
        DELETE FROM target_lease WHERE source = $1
          AND NOT EXISTS (SELECT FROM journal_segment WHERE journal_segment.source = $1 AND finished_at IS NULL)
        RETURNING target_id, generation, greatest(granted - served, 0) AS rest
      ), rests AS (
        SELECT target_id, generation, sum(rest)::integer AS rest FROM ended GROUP BY target_id, generation HAVING sum(rest) > 0
      ), given_back AS (
        UPDATE target_quota AS quota SET remaining = quota.remaining + rests.rest FROM rests JOIN locked ON locked.target_id = rests.target_id
          WHERE quota.target_id = rests.target_id AND quota.generation = rests.generation
        RETURNING quota.target_id
      ), told AS (
        INSERT INTO visit_change (kind, key)
        SELECT DISTINCT 'code', live_code.file_name FROM given_back
          JOIN live_code_target ON live_code_target.id = given_back.target_id JOIN live_code ON live_code.id = live_code_target.live_code_id
      )
      SELECT count(*)::integer AS leases, NOT EXISTS (SELECT FROM journal_segment WHERE source = $1 AND finished_at IS NULL) AS is_done FROM ended`,
    [source],
  );
  return rows[0] ?? { leases: 0, is_done: false };
}

/**
 * Sources that hold leases, but have no segment in the database and took their last lease so many seconds ago. A process opens its segment
 * before it leases anything and its loader registers that at once: one without is gone, with its journal.
 */
export async function sourcesWithoutJournal(client: pg.ClientBase, seconds: number): Promise<string[]> {
  const { rows } = await client.query<{ source: string }>(
    `SELECT source FROM target_lease WHERE NOT EXISTS (SELECT FROM journal_segment WHERE journal_segment.source = target_lease.source)
      GROUP BY source HAVING max(created_at) < now() - make_interval(secs => $1)`,
    [seconds],
  );
  return rows.map(({ source }) => source);
}

/** Removes leases that were served whole, as remain where a process gave back the rest of one after its last visit was loaded. */
export async function deleteServedLeases(client: pg.ClientBase): Promise<void> {
  await client.query('DELETE FROM target_lease WHERE served >= granted');
}
