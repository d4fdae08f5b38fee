/** Runs a statement, by name prepared once on each connection. */
export type Query = <Row extends object>(statement: { name: string; text: string; values: unknown[] }) => Promise<Row[]>;

export interface Wish {
  target_id: number;
  /** Visits that wait for it at this moment: granted as far as any are left. */
  need: number;
  /** What would be good to have: granted up to a quarter of what is left, so that the last visits are not stuck in idle processes. */
  want: number;
}

export interface Granted {
  target_id: number;
  generation: number;
  amount: number;
  remaining: number;
  lease_id: number | null;
  /** Whether other processes hold leases of the target, which may come back. */
  has_others: boolean;
}

/**
 * Takes visits from the quotas and writes who holds them, in one statement. The rows are locked in the order of their ids, so that two
 * processes asking for the same targets wait for each other instead of deadlocking; a target without a row is not answered.
 */
export function acquireLeases(query: Query, source: string, wishes: readonly Wish[]): Promise<Granted[]> {
  return query<Granted>({
    name: 'acquire_leases',
    text: `WITH wish AS (
        SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS wish (target_id, need, want)
      ), locked AS (
        SELECT quota.target_id, quota.generation, quota.remaining, wish.need, wish.want
        FROM target_quota AS quota JOIN wish ON wish.target_id = quota.target_id
        ORDER BY quota.target_id FOR UPDATE OF quota
      ), granted AS (
        SELECT target_id, generation, remaining, least(remaining, greatest(need, least(want, remaining / 4))) AS amount FROM locked
      ), taken AS (
        UPDATE target_quota AS quota SET remaining = quota.remaining - granted.amount
        FROM granted WHERE quota.target_id = granted.target_id AND granted.amount > 0
        RETURNING quota.target_id, quota.generation, granted.amount
      ), lease AS (
        INSERT INTO target_lease (target_id, generation, source, granted)
        SELECT target_id, generation, $4, amount FROM taken
        RETURNING id, target_id
      )
      SELECT granted.target_id, granted.generation, granted.amount, granted.remaining - granted.amount AS remaining, lease.id AS lease_id,
        EXISTS (SELECT FROM target_lease AS other WHERE other.target_id = granted.target_id
          AND other.generation = granted.generation AND other.source <> $4) AS has_others
      FROM granted LEFT JOIN lease ON lease.target_id = granted.target_id`,
    values: [
      wishes.map(({ target_id }) => target_id),
      wishes.map(({ need }) => need),
      wishes.map(({ want }) => Math.min(want, 1_000_000)),
      source,
    ],
  });
}

/**
 * Removes leases and adds what they did not serve to their quotas, unless those were refilled since. Leases that are gone already
 * change nothing, so that this may be repeated where its answer was lost.
 */
export async function giveBackLeases(query: Query, leases: readonly { id: number; served: number }[]): Promise<void> {
  await query({
    name: 'give_back_leases',
    text: `WITH back AS (
        SELECT * FROM unnest($1::bigint[], $2::integer[]) AS back (id, served)
      ), locked AS (
        SELECT quota.target_id FROM target_quota AS quota
        WHERE quota.target_id IN (SELECT lease.target_id FROM target_lease AS lease JOIN back ON back.id = lease.id)
        ORDER BY quota.target_id FOR UPDATE OF quota
      ), gone AS (
        DELETE FROM target_lease AS lease USING back WHERE lease.id = back.id
        RETURNING lease.target_id, lease.generation, lease.granted - back.served AS rest
      ), rests AS (
        SELECT target_id, generation, sum(rest)::integer AS rest FROM gone GROUP BY target_id, generation
      )
      UPDATE target_quota AS quota SET remaining = quota.remaining + rests.rest
      FROM rests JOIN locked ON locked.target_id = rests.target_id
      WHERE quota.target_id = rests.target_id AND quota.generation = rests.generation AND rests.rest > 0`,
    values: [leases.map(({ id }) => id), leases.map(({ served }) => served)],
  });
}

/** Ids of the leases that the database says this process holds. */
export async function readLeases(query: Query, source: string): Promise<number[]> {
  const rows = await query<{ id: number }>({
    name: 'read_leases',
    text: 'SELECT id FROM target_lease WHERE source = $1',
    values: [source],
  });
  return rows.map(({ id }) => id);
}
