import { sql } from 'drizzle-orm';
import { keptBeats } from '../../../contract/detection/domain-monitor.ts';
import { type Database, transactAgain } from '../../kit/postgres/database.ts';
import { latencyStep, latencySteps } from '../detectors/findings.ts';
import { lockDomains, tellChanges } from './changes.ts';
import type { Outcome } from './outcomes.ts';

/**
 * Writes what checks came to, all of a portion in one transaction of a few statements. What is no longer claimed by this worker is another
 * one's, or the address has another name by now: then nothing is written of it.
 */
export async function writeOutcomes(db: Database, own: string, outcomes: readonly Outcome[], now: Date): Promise<void> {
  const at = now.toISOString();
  await transactAgain(db, async (tx) => {
    const changed = outcomes.filter(({ status, before, state }) => state !== null && status !== before);
    // Domains before their monitors, as every change of a domain locks them.
    const domains = await lockDomains(tx, changed);
    const ours = await lockMonitors(tx, own, outcomes);
    const written = outcomes.filter(({ monitor }) => ours.has(monitor.id));
    const found = written.filter(({ state }) => state !== null);
    const verdicts = await writeVerdicts(tx, found, at);
    await updateMonitors(tx, { written, verdicts, at });
    await countHours(tx, found);
    await tellChanges(tx, { changed: changed.filter(({ monitor }) => ours.has(monitor.id)), domains, verdicts, at });
  });
}

async function lockMonitors(tx: Database, own: string, outcomes: readonly Outcome[]): Promise<Set<number>> {
  const ids = sql.param(outcomes.map(({ monitor }) => monitor.id));
  const { rows } = await tx.execute<{ id: number }>(sql`
    SELECT id::float8 AS id FROM domain_monitor WHERE id = ANY(${ids}::bigint[]) AND claim = ${own} ORDER BY id FOR NO KEY UPDATE`);
  return new Set(rows.map(({ id }) => id));
}

/** A check that found what the one before it did lengthens its verdict; another one is a verdict of its own. By the monitor's id. */
async function writeVerdicts(tx: Database, found: readonly Outcome[], at: string): Promise<Map<number, number>> {
  const isSame = ({ monitor, digest }: Outcome) => monitor.verdict_id !== null && monitor.digest === digest;
  const [same, other] = [found.filter(isSame), found.filter((one) => !isSame(one))];
  if (same.length > 0)
    await tx.execute(sql`
      UPDATE domain_verdict SET last_at = ${at}, checks = checks + 1 WHERE id = ANY(${sql.param(same.map(({ monitor }) => monitor.verdict_id))}::bigint[])`);
  const ids = new Map(same.map(({ monitor }) => [monitor.id, monitor.verdict_id ?? 0]));
  if (other.length === 0) return ids;
  const given = other.map(({ monitor, status, state, findings, digest }) => ({
    monitor_id: monitor.id,
    block_status: status,
    state,
    findings,
    digest,
  }));
  const { rows } = await tx.execute<{ id: number; monitor_id: number }>(sql`
    INSERT INTO domain_verdict (monitor_id, block_status, state, findings, digest, first_at, last_at)
    SELECT monitor_id, block_status, state, findings, decode(digest, 'hex'), ${at}, ${at}
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS given (monitor_id bigint, block_status smallint, state text, findings jsonb, digest text)
    RETURNING id::float8 AS id, monitor_id::float8 AS monitor_id`);
  for (const { id, monitor_id } of rows) ids.set(monitor_id, id);
  return ids;
}

type Written = { written: readonly Outcome[]; verdicts: ReadonlyMap<number, number>; at: string };

async function updateMonitors(tx: Database, { written, verdicts, at }: Written): Promise<void> {
  const given = written.map(({ monitor, status, state, known, disputed, latency_ms, seconds }) => ({
    id: monitor.id,
    block_status: status,
    pending: known,
    disputed,
    beat: state && { at, state, latency_ms },
    verdict_id: verdicts.get(monitor.id) ?? null,
    seconds,
    urgent: monitor.urgent,
  }));
  const isBlocked = sql`given.block_status IS NOT DISTINCT FROM 2`;
  // What a user asked for while this check was under way is checked once more: he may have mended something after it began.
  await tx.execute(sql`
    UPDATE domain_monitor SET claim = NULL, claimed_until = NULL, urgent = domain_monitor.urgent AND NOT given.urgent, due_at = now() + make_interval(secs => given.seconds),
      block_status = given.block_status, pending = given.pending, disputed = given.disputed,
      status_since = CASE WHEN domain_monitor.block_status IS DISTINCT FROM given.block_status THEN ${at}::timestamptz ELSE status_since END,
      suspected_since = CASE WHEN ${isBlocked} THEN NULL ELSE suspected_since END,
      verdict_id = coalesce(given.verdict_id, domain_monitor.verdict_id),
      checked_at = CASE WHEN given.beat IS NULL OR given.beat = 'null' THEN checked_at ELSE ${at}::timestamptz END,
      beats = CASE WHEN given.beat IS NULL OR given.beat = 'null' THEN beats
        WHEN jsonb_array_length(beats) >= ${keptBeats} THEN (beats - 0) || given.beat ELSE beats || given.beat END
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      AS given (id bigint, block_status smallint, pending jsonb, disputed boolean, beat jsonb, verdict_id bigint, seconds float8, urgent boolean)
    WHERE domain_monitor.id = given.id`);
}

/** Of which a share of time is made: a suspicion is none yet. */
const countedAs = { normal: 'normal', suspected: 'normal', blocked: 'blocked', down: 'down', failed: 'failed' } as const;

async function countHours(tx: Database, found: readonly Outcome[]): Promise<void> {
  if (found.length === 0) return;
  const given = found.map(({ monitor, state, latency_ms }) => {
    const latencies = Array.from({ length: latencySteps }, () => 0);
    if (latency_ms !== null) latencies[latencyStep(latency_ms)] = 1;
    return { monitor_id: monitor.id, normal: 0, blocked: 0, down: 0, failed: 0, ...(state ? { [countedAs[state]]: 1 } : {}), latencies };
  });
  await tx.execute(sql`
    INSERT INTO domain_monitor_hour (monitor_id, hour, normal, blocked, down, failed, latencies)
    SELECT monitor_id, date_trunc('hour', now()), normal, blocked, down, failed, latencies FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      AS given (monitor_id bigint, normal int, blocked int, down int, failed int, latencies int[])
    ON CONFLICT (monitor_id, hour) DO UPDATE SET normal = domain_monitor_hour.normal + excluded.normal,
      blocked = domain_monitor_hour.blocked + excluded.blocked, down = domain_monitor_hour.down + excluded.down,
      failed = domain_monitor_hour.failed + excluded.failed, latencies = ARRAY(
        SELECT one + other FROM unnest(domain_monitor_hour.latencies, excluded.latencies) WITH ORDINALITY AS sums (one, other, place) ORDER BY place)`);
}
