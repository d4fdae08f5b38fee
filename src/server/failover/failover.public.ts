import { and, sql } from 'drizzle-orm';
import { namedNeeds, type Replaced } from '../../contract/content/home.ts';
import type { Handling, HandlingReason } from '../../contract/detection/shield-configuration.ts';
import { shownHost } from '../domains/domains.public.ts';
import type { Context } from '../kit/calls/context.ts';
import type { Database } from '../kit/postgres/database.ts';
import { codesMoved, seenBy } from './failover.log.ts';
import { failover } from './failover.table.ts';

export { lowPools } from './failover.levels.ts';

/** A replacement that somebody takes back stays undone: its domain is left alone until it was normal once, or its owner says otherwise. */
export async function leaveUndone(failover_id: number, db: Database): Promise<void> {
  await db.execute(sql`
    UPDATE domain_incident AS incident SET handling = 'left', reason = 'undone', handled_at = now(), claim = NULL, claimed_until = NULL
    FROM failover WHERE failover.id = ${failover_id} AND incident.id = failover.incident_id AND incident.ended_at IS NULL`);
}

/** What was done about these domains, of those that are blocked. */
export async function handlingOf(
  domain_ids: readonly number[],
  db: Database,
): Promise<ReadonlyMap<number, { handling: Handling; reason: HandlingReason | null }>> {
  const { rows } = await db.execute<{ id: number; handling: Handling; reason: HandlingReason | null }>(sql`
    SELECT domain_id::float8 AS id, handling, reason FROM domain_incident
    WHERE domain_id = ANY(${sql.param([...domain_ids])}::bigint[]) AND kind = 'blocked' AND ended_at IS NULL`);
  return new Map(rows.map(({ id, ...handled }) => [id, handled]));
}

/** Replacements of the last day that the caller may see, the newest first. */
export async function recentlyReplaced({ db, scope }: Pick<Context, 'db' | 'scope'>): Promise<Replaced[]> {
  const rows = await db
    .select({
      id: failover.id,
      host: failover.host,
      to_host: sql<string>`replacement.to_host`,
      codes: sql<number>`${codesMoved(scope)}`.mapWith(Number),
      at: sql<string>`replacement.created_at`.mapWith((value: string) => new Date(value).toISOString()),
    })
    .from(failover)
    .innerJoin(sql`domain_replacement replacement`, sql`replacement.failover_id = ${failover.id}`)
    .where(
      and(
        seenBy(scope),
        sql`replacement.undone_at IS NULL AND replacement.owner_ids <> '{}' AND replacement.created_at > now() - interval '1 day'`,
      ),
    )
    .orderBy(sql`replacement.id DESC`)
    .limit(namedNeeds);
  return rows.map((row) => ({ ...row, host_unicode: shownHost(row.host), to_host_unicode: shownHost(row.to_host) }));
}
