import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { IncidentReplacement, ShieldIncident, shieldConfiguration } from '../../contract/detection/shield-configuration.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { Page } from '../../contract/kit/page.ts';
import { shownHost, unicodeOf } from '../domains/domains.public.ts';
import type { Context, Scope } from '../kit/calls/context.ts';
import { contains, equals, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { failover } from './failover.table.ts';

type Input = ParsedInputOf<(typeof shieldConfiguration)['calls']['inquire']>;

const isoOf = (column: SQL): SQL => sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Replacements that a condition on their owners allows: all of them have to be allowed. */
const allOwners = (condition: Scope['changes']): SQL => {
  const allowed = condition(sql`owner.id`);
  return sql`(replacement.owner_ids <> '{}' AND NOT EXISTS (SELECT FROM unnest(replacement.owner_ids) AS owner (id) WHERE NOT (${allowed ?? sql`true`})))`;
};

/** What became of a domain of the pool concerns those whose codes stood on it, as far as their own codes go. */
const concernsPoolUser = (scope: Scope): SQL => sql`(${failover.holder_id} IS NULL AND EXISTS (
  SELECT FROM domain_replacement AS replacement, unnest(replacement.owner_ids) AS owner (id)
  WHERE replacement.failover_id = ${failover.id} AND ${scope.sees(sql`owner.id`) ?? sql`true`}))`;

/** The rows that the caller may see. */
export function seenBy(scope: Scope): SQL | undefined {
  const held = scope.sees(failover.holder_id);
  return held && sql`(${held} OR ${concernsPoolUser(scope)})`;
}

/** Where codes are everybody's, a caller sees the number of his own. */
function codesOf(table: 'live_code' | 'short_code', all: SQL, scope: Scope): SQL {
  if (scope.all) return all;
  return sql`CASE WHEN ${failover.holder_id} IS NOT NULL THEN ${all} ELSE (
    SELECT count(*) FROM domain_replacement_code AS noted JOIN ${sql.identifier(table)} AS code ON code.id = noted.code_id
    WHERE noted.replacement_id = replacement.id AND ${scope.sees(sql`code.owner_id`) ?? sql`true`}) END`;
}
const ownOnly = (all: SQL, scope: Scope): SQL =>
  scope.all ? all : sql`CASE WHEN ${failover.holder_id} IS NOT NULL THEN ${all} ELSE 0 END`;

/** Of one `replacement`, what the caller may know of. */
export const codesMoved = (scope: Scope): SQL =>
  sql`(${codesOf('live_code', sql`replacement.live_codes`, scope)} + ${codesOf('short_code', sql`replacement.short_codes`, scope)})`;

const replacementsOf = (scope: Scope) =>
  sql<IncidentReplacement[]>`coalesce((
    SELECT jsonb_agg(jsonb_build_object('id', replacement.id, 'to_domain_id', replacement.to_domain_id, 'to_host', replacement.to_host,
      'live_codes', ${codesOf('live_code', sql`replacement.live_codes`, scope)},
      'short_codes', ${codesOf('short_code', sql`replacement.short_codes`, scope)},
      'forwards', ${ownOnly(sql`replacement.forwards`, scope)}, 'undone_codes', ${ownOnly(sql`replacement.undone_codes`, scope)},
      'created_at', ${isoOf(sql`replacement.created_at`)}, 'undone_at', ${isoOf(sql`replacement.undone_at`)},
      'undoable', replacement.undone_at IS NULL AND replacement.from_domain_id IS NOT NULL AND replacement.to_domain_id IS NOT NULL
        AND ${allOwners(scope.changes)}) ORDER BY replacement.id)
    FROM domain_replacement AS replacement WHERE replacement.failover_id = ${failover.id} AND replacement.owner_ids <> '{}'), '[]')`.mapWith(
    (rows: Omit<IncidentReplacement, 'to_host_unicode'>[]) => rows.map((row) => ({ ...row, to_host_unicode: shownHost(row.to_host) })),
  );

/** Of a removed domain the incident is gone, too. */
export const handling = sql<ShieldIncident['handling']>`coalesce(incident.handling, CASE WHEN EXISTS (
  SELECT FROM domain_replacement WHERE domain_replacement.failover_id = ${failover.id}) THEN 'replaced' ELSE 'over' END)`;
const isOpen = sql`(incident.id IS NOT NULL AND incident.ended_at IS NULL)`;
const time = (column: SQL) => sql<string | null>`${column}`.mapWith((value: string) => new Date(value).toISOString());

const fieldsFor = (scope: Scope) => ({
  id: failover.id,
  domain_id: failover.domain_id,
  host: failover.host,
  host_unicode: unicodeOf(failover.host),
  type: failover.type,
  holder_id: failover.holder_id,
  holder_account: sql<string | null>`${user_account.account}`,
  began_at: failover.began_at,
  ended_at: time(sql`incident.ended_at`),
  handling,
  reason: sql<ShieldIncident['reason']>`incident.reason`,
  next_attempt_at: time(sql`CASE WHEN ${isOpen} AND incident.handling IN ('waiting', 'paused') THEN incident.next_attempt_at END`),
  handled_at: time(sql`incident.handled_at`),
  replacements: replacementsOf(scope),
  paused_codes: sql<number>`${ownOnly(sql`${failover.paused_codes}`, scope)}`.mapWith(Number),
  reopened_codes: sql<number>`${ownOnly(sql`${failover.reopened_codes}`, scope)}`.mapWith(Number),
  monitor_id: sql<number | null>`(SELECT id FROM domain_monitor WHERE domain_monitor.domain_id = ${failover.domain_id})`,
  verdict_id: sql<number | null>`incident.verdict_id`,
  retryable: sql<boolean>`(${isOpen} AND ${scope.changes(failover.holder_id) ?? sql`true`}) IS TRUE`,
});

/** What was blocked and what was done, of what the caller may see. */
export async function log(
  { search, handling: wanted, type, open, pool, holder_id, domain_id, ...input }: Input,
  { db, scope }: Pick<Context, 'db' | 'scope'>,
): Promise<Page<ShieldIncident>> {
  const { content, ...page } = await list(db, input, {
    fields: fieldsFor(scope),
    from: failover,
    joins: [
      [user_account, eq(user_account.id, failover.holder_id)],
      [sql`domain_incident incident`, sql`incident.id = ${failover.incident_id}`],
    ],
    where: and(
      seenBy(scope),
      contains(failover.host, search),
      wanted === undefined ? undefined : sql`${handling} = ${wanted}`,
      equals(failover.type, type),
      open === undefined ? undefined : sql`${isOpen} = ${open}`,
      pool === undefined ? undefined : sql`(${failover.holder_id} IS NULL) = ${pool}`,
      equals(failover.holder_id, holder_id),
      equals(failover.domain_id, domain_id),
    ),
    sorts: { id: failover.id, host: failover.host, began_at: failover.began_at, ended_at: sql`incident.ended_at` },
    key: failover.id,
  });
  const rows = content.map((row) => ({ ...row, undoable: row.replacements.some(({ undoable }) => undoable) }));
  return { content: rows, ...page };
}
