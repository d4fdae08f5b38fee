import { type SQL, sql } from 'drizzle-orm';
import { platformOwners } from '../detection/detection.public.ts';
import { emitEvents } from '../kit/messages/events.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isHealthyNow, isLost, knownOfDomain } from './failover.candidates.ts';
import type { DomainType } from './failover.rules.ts';

type Level = { holder_id: number | null; type: DomainType; healthy: number };

/**
 * Counts each holder's healthy domains, and tells of those that have become fewer than his rules ask for, once each time. A holder of whom
 * nothing was known yet is told nothing: new domains are unchecked at first. To be called in a transaction.
 * @param type only these, for a look right after one was blocked
 */
export async function noteLevels(db: Database, type?: DomainType): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('failover_level'))`);
  const fallen = await fallenLevels(type === undefined ? sql`true` : sql`domain.type = ${type}`, db);
  if (fallen.length === 0) return;
  const administrators = fallen.some(({ holder_id }) => holder_id === null) ? await platformOwners(db) : [];
  await emitEvents(
    db,
    fallen.flatMap((level) =>
      (level.holder_id === null ? administrators : [level.holder_id]).map((owner_id) => ({
        type: 'domain.pool_low' as const,
        owner_id,
        data: level,
      })),
    ),
  );
}

/** Each holder's healthy domains of a type, whether one of them was lost, and whether they are fewer than his rule asks for. */
const judgedLevels = (which: SQL): SQL => sql`
  level AS MATERIALIZED (
    SELECT domain.holder_id, domain.type, count(*) FILTER (WHERE ${isHealthyNow})::integer AS healthy, bool_or(${isLost}) AS lost
    FROM domain ${knownOfDomain} WHERE ${which} GROUP BY domain.holder_id, domain.type
  ), judged AS MATERIALIZED (
    SELECT level.*, level.healthy < (
        SELECT low_water FROM shield_rule AS rule WHERE rule.type = level.type AND (
          CASE WHEN level.holder_id IS NULL THEN rule.pool ELSE NOT rule.pool AND (rule.owner_id IS NULL OR rule.owner_id = level.holder_id) END)
        ORDER BY rule.owner_id NULLS LAST LIMIT 1) AS low
    FROM level
  )`;

async function fallenLevels(which: SQL, db: Database): Promise<Level[]> {
  const { rows } = await db.execute<Level>(sql`
    WITH ${judgedLevels(which)}, before AS MATERIALIZED (SELECT * FROM failover_level), noted AS (
      INSERT INTO failover_level (holder_id, type, healthy, low) SELECT holder_id, type, healthy, low FROM judged
      ON CONFLICT (holder_id, type) DO UPDATE SET healthy = excluded.healthy, low = excluded.low
      WHERE (failover_level.healthy, failover_level.low) IS DISTINCT FROM (excluded.healthy, excluded.low)
    )
    SELECT judged.holder_id::float8 AS holder_id, judged.type::integer AS type, judged.healthy
    FROM judged JOIN before ON before.holder_id IS NOT DISTINCT FROM judged.holder_id AND before.type = judged.type
    WHERE judged.low AND NOT before.low`);
  return rows;
}

/** The types of which the platform's pool has lost domains and has fewer healthy ones than its rule asks for, the fewest first. */
export async function lowPools(db: Database): Promise<Omit<Level, 'holder_id'>[]> {
  const { rows } = await db.execute<Omit<Level, 'holder_id'>>(sql`
    WITH ${judgedLevels(sql`domain.holder_id IS NULL`)}
    SELECT type::integer AS type, healthy FROM judged WHERE low AND lost ORDER BY healthy, type`);
  return rows;
}
