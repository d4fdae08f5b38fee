import { sql } from 'drizzle-orm';
import type { HandlingReason } from '../../contract/detection/shield-configuration.ts';
import { leasedRows } from '../kit/jobs/leased-rows.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Blocked } from './failover.decision.ts';

/** An incident under a lease: whoever names its claim works on it. */
export type Claimed = { id: number; claim: string };
/** An incident as it stands, with its domain and what was begun for it. */
export type Incident = Omit<Blocked, 'tried'> & { failover_id: number; is_over: boolean; is_waiting: boolean; has_paused: boolean };

/** An incident of a worker that was killed is taken up again after this. */
export const incidents = leasedRows<Claimed>('domain_incident', { seconds: 30 });

/** Blocked domains that wait, and those that are normal again and have left something to be ended: a replacement half-way, paused codes. */
export async function claimIncident(db: Database): Promise<Claimed | undefined> {
  const [claimed] = await incidents.claim(db, {
    due: sql`SELECT id FROM domain_incident WHERE kind = 'blocked' AND ${incidents.isFree} AND (
        (ended_at IS NULL AND handling IN ('waiting', 'paused') AND next_attempt_at <= now())
        OR id IN (SELECT incident_id FROM failover WHERE replacement_id IS NOT NULL)
        OR (ended_at IS NOT NULL AND id IN (
          SELECT incident_id FROM failover JOIN failover_paused_code ON failover_paused_code.failover_id = failover.id)))
      ORDER BY next_attempt_at, id LIMIT 1`,
  });
  return claimed;
}

/** The incident, if this claim still holds it; locked with its domain, the domain first, as those do who change a domain's status. */
export async function readIncident(claimed: Claimed, db: Database): Promise<Incident | undefined> {
  await db.execute(sql`SELECT FROM domain WHERE id = (SELECT domain_id FROM domain_incident WHERE id = ${claimed.id}) FOR SHARE`);
  const { rows } = await db.execute<Incident>(sql`
    SELECT domain.id::float8 AS id, domain.host, domain.type::integer AS type, domain.holder_id::float8 AS holder_id,
      domain.frozen_at IS NOT NULL AS is_frozen, failover.id::float8 AS failover_id,
      failover.started_at IS NOT NULL AS has_started, failover.started_at IS NOT NULL AND failover.onto_pool AS has_started_pool,
      incident.ended_at IS NOT NULL AS is_over, incident.handling IN ('waiting', 'paused') AS is_waiting,
      EXISTS (SELECT FROM failover_paused_code WHERE failover_id = failover.id) AS has_paused
    FROM domain_incident AS incident JOIN domain ON domain.id = incident.domain_id JOIN failover ON failover.incident_id = incident.id
    WHERE incident.id = ${claimed.id} AND incident.claim = ${claimed.claim} FOR UPDATE OF incident`);
  return rows[0];
}

type Outcome = { handling: 'waiting' | 'paused' | 'left' | 'replaced'; reason: HandlingReason | null; until?: Date | null };

/** Writes what came of it, and gives the incident back. What waits is looked at again, ever later, at a time, or as soon as it may go on. */
export async function settle(claimed: Claimed, { handling, reason, until = null }: Outcome, db: Database): Promise<void> {
  await db.execute(sql`
    UPDATE domain_incident SET handling = ${handling}, reason = ${reason}, attempts = attempts + 1,
      handled_at = CASE WHEN ${handling === 'waiting'} THEN handled_at ELSE now() END,
      next_attempt_at = coalesce(${until?.toISOString() ?? null}::timestamptz, now() + make_interval(secs => least(600, 30 * 2 ^ least(attempts, 5))))
    WHERE ${incidents.isOwn(claimed)} AND ended_at IS NULL AND handling IN ('waiting', 'paused')`);
  await db.execute(sql`UPDATE failover SET tried_at = now() WHERE incident_id = ${claimed.id}`);
  await incidents.release(db, claimed);
}

/** What waits for a healthy domain is due at once where one became so since it was tried. */
export async function wakeWaiting(db: Database): Promise<void> {
  await db.execute(sql`
    UPDATE domain_incident AS incident SET next_attempt_at = now() FROM failover JOIN domain AS blocked ON blocked.id = failover.domain_id
    WHERE failover.incident_id = incident.id AND incident.kind = 'blocked' AND incident.ended_at IS NULL
      AND incident.handling IN ('waiting', 'paused') AND incident.reason IN ('nothing_healthy', 'conflicts') AND incident.next_attempt_at > now()
      AND EXISTS (
        SELECT FROM domain JOIN domain_monitor AS monitor ON monitor.domain_id = domain.id
        WHERE domain.type = blocked.type AND domain.id <> blocked.id AND domain.enabled AND domain.block_status = 1
          AND (domain.holder_id IS NULL OR domain.holder_id = blocked.holder_id)
          AND greatest(monitor.status_since, domain.updated_at) > failover.tried_at)`);
}
