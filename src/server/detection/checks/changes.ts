import { sql } from 'drizzle-orm';
import { blockStatus } from '../../../contract/enums.ts';
import { socketTypes } from '../../../contract/socket.ts';
import { type DomainEvent, emitEvents } from '../../kit/messages/events.ts';
import { pushToPages } from '../../kit/messages/push.ts';
import { publish } from '../../kit/postgres/bus.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { platformOwners } from '../detection.public.ts';
import type { Outcome } from './outcomes.ts';

type LockedDomain = { id: number; type: number };

/** The registered domains among those whose status changes, locked. */
export async function lockDomains(tx: Database, changed: readonly Outcome[]): Promise<Map<number, LockedDomain>> {
  const ids = changed.flatMap(({ monitor }) => monitor.domain_id ?? []);
  if (ids.length === 0) return new Map();
  const { rows } = await tx.execute<LockedDomain>(sql`
    SELECT id::float8 AS id, type FROM domain WHERE id = ANY(${sql.param(ids)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
  return new Map(rows.map((row) => [row.id, row]));
}

type Changes = {
  changed: readonly Outcome[];
  domains: ReadonlyMap<number, LockedDomain>;
  /** By the monitor's id. */
  verdicts: ReadonlyMap<number, number>;
  at: string;
};

/**
 * Follows changes of status: the domain shows it, which the visit path hears of; times of being blocked begin and end; those whom it
 * concerns are told. A status that cannot be told any more, or is told for the first time, is no news.
 */
export async function tellChanges(tx: Database, changes: Changes): Promise<void> {
  const { changed, domains, verdicts } = changes;
  const registered = changed.flatMap(({ monitor, status }) =>
    monitor.domain_id !== null && domains.has(monitor.domain_id)
      ? [{ id: monitor.domain_id, status, verdict_id: verdicts.get(monitor.id) ?? null }]
      : [],
  );
  if (registered.length > 0)
    await tx.execute(sql`
      UPDATE domain SET block_status = given.status
      FROM jsonb_to_recordset(${JSON.stringify(registered)}::jsonb) AS given (id bigint, status smallint) WHERE domain.id = given.id`);
  const blocked = changed.filter(({ status }) => status === blockStatus.blocked);
  const unblocked = changed.filter(({ before, status }) => before === blockStatus.blocked && status === blockStatus.normal);
  await openIncidents(
    tx,
    registered.filter(({ status }) => status === blockStatus.blocked),
    changes.at,
  );
  await closeIncidents(
    tx,
    unblocked.flatMap(({ monitor }) => monitor.domain_id ?? []),
  );
  await tell(tx, [...blocked, ...unblocked], changes);
}

type Blocked = { id: number; verdict_id: number | null };

/** A suspicion that was confirmed is one no more. */
async function openIncidents(tx: Database, blocked: readonly Blocked[], at: string): Promise<void> {
  if (blocked.length === 0) return;
  const ids = sql.param(blocked.map(({ id }) => id));
  await tx.execute(
    sql`UPDATE domain_incident SET ended_at = ${at} WHERE domain_id = ANY(${ids}::bigint[]) AND kind = 'suspected' AND ended_at IS NULL`,
  );
  await tx.execute(sql`
    INSERT INTO domain_incident (domain_id, kind, verdict_id, began_at, handling)
    SELECT id, 'blocked', verdict_id, ${at}, 'waiting'
    FROM jsonb_to_recordset(${JSON.stringify(blocked)}::jsonb) AS given (id bigint, verdict_id bigint) ORDER BY id
    ON CONFLICT (domain_id, kind) WHERE ended_at IS NULL DO NOTHING`);
  await publish(tx, 'domain_incident', null);
}

async function closeIncidents(tx: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    UPDATE domain_incident SET ended_at = now(), handling = CASE WHEN handling = 'waiting' THEN 'over' ELSE handling END
    WHERE domain_id = ANY(${sql.param([...ids])}::bigint[]) AND ended_at IS NULL`);
  await publish(tx, 'domain_incident', null);
}

async function tell(tx: Database, changed: readonly Outcome[], { domains, verdicts, at }: Changes): Promise<void> {
  if (changed.length === 0) return;
  const platform = changed.some(({ monitor }) => monitor.owner_id === null) ? await platformOwners(tx) : [];
  const events = changed.flatMap(({ monitor, before, status, findings }): DomainEvent[] => {
    const isBlocked = status === blockStatus.blocked;
    const saying = findings.filter(({ answer }) => answer === (isBlocked ? 'blocked' : 'normal'));
    const data = {
      id: monitor.domain_id,
      monitor_id: monitor.id,
      host: monitor.host,
      type: domains.get(monitor.domain_id ?? 0)?.type ?? null,
      block_status: status,
      before,
      since: at,
      verdict_id: verdicts.get(monitor.id) ?? null,
      detectors: saying.map(({ detector }) => detector),
      reason: saying.map(({ title, text }) => [title, text].filter(Boolean).join(' – ')).find(Boolean) ?? '',
    };
    const owners = monitor.owner_id === null ? platform : [monitor.owner_id];
    return owners.map((owner_id) => ({ type: isBlocked ? 'domain.blocked' : 'domain.unblocked', owner_id, data }));
  });
  await emitEvents(tx, events);
  await pushStatuses(tx, changed, platform);
}

/** Open pages of those whose they are look at them anew. */
async function pushStatuses(tx: Database, changed: readonly Outcome[], platform: readonly number[]): Promise<void> {
  const user_ids = [...new Set([...platform, ...changed.flatMap(({ monitor }) => monitor.owner_id ?? [])])];
  await pushToPages(tx, { to: { user_ids }, type: socketTypes.domain_status });
}
