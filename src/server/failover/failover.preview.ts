import { and, eq, sql } from 'drizzle-orm';
import type { ShieldPreview } from '../../contract/detection/shield-configuration.ts';
import { domainType } from '../../contract/enums.ts';
import { shownHost } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { codesOf, effectOf, isFree } from '../live-codes/replacement/domain-replacement.public.ts';
import { type Candidate, unfitOf } from './failover.candidates.ts';
import { type Blocked, type Decision, decide } from './failover.decision.ts';
import { pausable } from './failover.pausing.ts';
import { scopeOver } from './failover.replacing.ts';
import { ofHolder, ruleOf, usedWithin } from './failover.rules.ts';

const maxUnfit = 50;
const named = ({ host }: { host: string }) => ({ host, host_unicode: shownHost(host) });

/** What would be done about a domain if it were blocked now, by the functions that do it. */
export async function preview(domain_id: number, { db, scope }: Pick<Context, 'db' | 'scope'>): Promise<ShieldPreview> {
  const blocked = await readAsked(domain_id, { db, scope });
  const decision = await decide(blocked, db);
  const { steps, conflicts } = await stepsOf(blocked, decision, db);
  const standing = await standingOn(blocked, db);
  const isPaused = decision.handling === 'paused';
  const paused = isPaused
    ? await db.execute<{ number: number }>(sql`
    SELECT count(*)::float8 AS number FROM live_code AS code WHERE ${pausable(blocked)}`)
    : undefined;
  const isReplaced = decision.handling === 'replaced';
  return {
    domain_id,
    ...named(blocked),
    type: blocked.type,
    pool: blocked.holder_id === null,
    rule: await ruleFor(blocked, db),
    handling: decision.handling,
    reason: isReplaced ? (conflicts > 0 ? 'rest_stays' : null) : decision.reason,
    next_attempt_at: isReplaced ? null : (decision.until?.toISOString() ?? null),
    ...standing,
    paused_codes: paused?.rows[0]?.number ?? 0,
    steps,
    staying_conflicts: conflicts,
    unfit: (await unfitFor(blocked, db)).map((row) => ({ ...row, ...named(row) })),
  };
}

/** A domain that the caller sees, as if it were blocked. What is under way for it, if it is, does not count against its own limits. */
async function readAsked(domain_id: number, { db, scope }: Pick<Context, 'db' | 'scope'>): Promise<Blocked> {
  const [found] = await db
    .select({
      id: domain.id,
      host: domain.host,
      type: domain.type,
      holder_id: domain.holder_id,
      is_frozen: sql<boolean>`${domain.frozen_at} IS NOT NULL`,
      failover_id: sql<
        number | null
      >`(SELECT max(failover.id) FROM failover JOIN domain_incident AS incident ON incident.id = failover.incident_id
        WHERE failover.domain_id = domain.id AND incident.ended_at IS NULL)`,
    })
    .from(domain)
    .where(and(eq(domain.id, domain_id), scope.sees(domain.holder_id)));
  if (!found) throw invalidField('domain_id', 'unknown_domain');
  return { ...found, has_started: false, has_started_pool: false, tried: [] };
}

/** Each domain with what it would get of what the ones before it could not take. */
async function stepsOf(from: Blocked, decision: Decision, db: Database): Promise<{ steps: ShieldPreview['steps']; conflicts: number }> {
  const steps: ShieldPreview['steps'] = [];
  if (decision.handling !== 'replaced') return { steps, conflicts: 0 };
  const access = { db, scope: scopeOver(from.holder_id) };
  let [among, conflicts] = [sql`true`, 0];
  for (const to of decision.to) {
    const effect = await effectOf({ from, to }, access, among);
    const { live_codes, removed_live_codes, short_codes, owners } = effect;
    const isFirst = steps.length === 0;
    const { forwards, staying_forwards } = isFirst ? effect : { forwards: 0, staying_forwards: 0 };
    conflicts = effect.conflicts;
    const counts = { live_codes, removed_live_codes, short_codes, owners, forwards, staying_forwards };
    if (isFirst || live_codes + short_codes > 0) steps.push({ domain_id: to.id, ...named(to), pool: to.holder_id === null, ...counts });
    if (conflicts === 0) break;
    among = sql`${among} AND NOT ${isFree(to.id)}`;
  }
  return { steps, conflicts };
}

async function standingOn({ id, type, holder_id }: Candidate, db: Database) {
  const { table, column } = codesOf(type);
  const { rows } = await db.execute<{ codes: number; foreign: number; forwards: number }>(sql`
    SELECT count(*)::float8 AS codes, count(*) FILTER (WHERE code.owner_id <> ${holder_id}::bigint)::float8 AS foreign,
      (SELECT count(*) FROM forward WHERE domain_id = ${id})::float8 AS forwards
    FROM ${table} AS code WHERE ${column} = ${id}`);
  const { codes, foreign, forwards } = rows[0] ?? { codes: 0, foreign: 0, forwards: 0 };
  const isShort = type === domainType.short;
  return { live_codes: isShort ? 0 : codes, short_codes: isShort ? codes : 0, forwards, staying_foreign: foreign };
}

async function ruleFor({ holder_id, type, failover_id }: Blocked, db: Database): Promise<ShieldPreview['rule']> {
  const rule = await ruleOf(holder_id, type, db);
  const pool = await ruleOf(null, type, db);
  const { enabled, replace_own, replace_pool, otherwise, max_per_hour, checked_minutes, low_water } = rule;
  const besides = sql`failover.id IS DISTINCT FROM ${failover_id}::bigint`;
  const used = await usedWithin({ type, max: max_per_hour, where: sql`${ofHolder(holder_id)} AND ${besides}` }, db);
  const ofPool = await usedWithin({ type, max: pool.max_per_hour, where: sql`${ofHolder(null)} AND ${besides}` }, db);
  return {
    scope: rule.pool ? 'pool' : rule.owner_id === null ? 'default' : 'own',
    ...{ enabled, replace_own, replace_pool, otherwise, max_per_hour, checked_minutes, low_water },
    used: used.used,
    pool_max_per_hour: pool.max_per_hour,
    pool_used: ofPool.used,
  };
}

async function unfitFor({ id, holder_id, type }: Blocked, db: Database) {
  const rule = await ruleOf(holder_id, type, db);
  const pool = await ruleOf(null, type, db);
  const wanted = { type, besides: [id] };
  const own = holder_id !== null && rule.replace_own ? await unfitOf({ ...wanted, holder_id, minutes: rule.checked_minutes }, db) : [];
  const ofPool = rule.replace_pool ? await unfitOf({ ...wanted, holder_id: null, minutes: pool.checked_minutes }, db) : [];
  return [...own, ...ofPool].slice(0, maxUnfit);
}
