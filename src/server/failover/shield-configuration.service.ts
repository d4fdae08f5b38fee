import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { RuleScope, ShieldRule, shieldConfiguration } from '../../contract/detection/shield-configuration.ts';
import { replacedAtOnce } from '../../contract/domains/domain-replacement.ts';
import { domainTypes } from '../../contract/enums.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/kit/call.ts';
import { domain_replacement } from '../domains/replacements.table.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { publish } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { undo as undoReplacement } from '../live-codes/replacement/domain-replacement.public.ts';
import { isFit, knownOfDomain } from './failover.candidates.ts';
import { log, seenBy } from './failover.log.ts';
import { preview } from './failover.preview.ts';
import { type DomainType, ofHolder, ruleOf, usedWithin } from './failover.rules.ts';
import { failover, shield_rule } from './failover.table.ts';

type Calls = (typeof shieldConfiguration)['calls'];

/** The rules as their owner sees them: with what they stand on now. */
async function readRule(scope: RuleScope, type: DomainType, { db, scope: own }: Pick<Context, 'db' | 'scope'>): Promise<ShieldRule> {
  const holder_id = scope === 'own' ? own.owner_id : null;
  const rule = scope === 'default' ? await defaultRule(type, db) : await ruleOf(holder_id, type, db);
  const { enabled, replace_own, replace_pool, otherwise, max_per_hour, checked_minutes, low_water } = rule;
  return {
    ...{ scope, type, enabled, replace_own, replace_pool, otherwise, max_per_hour, checked_minutes, low_water },
    inherited: scope === 'own' && rule.owner_id === null,
    ...(scope === 'default' ? { domains: 0, healthy: 0, used: 0, blocks: 0, lasts_days: null } : await standing(holder_id, type, rule, db)),
  };
}

async function defaultRule(type: DomainType, db: Database) {
  const [rule] = await db
    .select()
    .from(shield_rule)
    .where(and(isNull(shield_rule.owner_id), eq(shield_rule.pool, false), eq(shield_rule.type, type)));
  if (!rule) throw new Error("the migration makes the platform's rules");
  return rule;
}

async function standing(
  holder_id: number | null,
  type: DomainType,
  { checked_minutes, max_per_hour }: { checked_minutes: number; max_per_hour: number },
  db: Database,
): Promise<Pick<ShieldRule, 'domains' | 'healthy' | 'used' | 'blocks' | 'lasts_days'>> {
  const { rows } = await db.execute<{ domains: number; healthy: number; days: number | null }>(sql`
    SELECT count(*)::float8 AS domains, count(*) FILTER (WHERE ${isFit(checked_minutes)})::float8 AS healthy,
      extract(epoch FROM now() - min(domain.created_at))::float8 / 86400 AS days FROM domain ${knownOfDomain}
    WHERE domain.holder_id IS NOT DISTINCT FROM ${holder_id}::bigint AND domain.type = ${type}`);
  const { used } = await usedWithin({ type, max: max_per_hour, where: ofHolder(holder_id) }, db);
  const { domains = 0, healthy = 0, days = null } = rows[0] ?? {};
  const blocks = await blockedWithin(holder_id, type, db);
  // Of who began a week ago a week is looked at.
  const perDay = blocks / Math.min(rateDays, Math.max(1, days ?? rateDays));
  return { domains, healthy, used, blocks, lasts_days: blocks === 0 ? null : Math.floor(healthy / perDay) };
}

/** The rate of blocks is that of so many days. */
const rateDays = 30;

async function blockedWithin(holder_id: number | null, type: DomainType, db: Database): Promise<number> {
  const { rows } = await db.execute<{ blocks: number }>(sql`
    SELECT count(DISTINCT host)::float8 AS blocks FROM failover
    WHERE holder_id IS NOT DISTINCT FROM ${holder_id}::bigint AND type = ${type} AND began_at > now() - make_interval(days => ${rateDays})`);
  return rows[0]?.blocks ?? 0;
}

const scopesOf = ({ scope }: Pick<Context, 'scope'>): readonly RuleScope[] => (scope.all ? ['default', 'pool'] : ['own']);

async function rules(context: Context): Promise<OutputOf<Calls['rules']>> {
  const content: ShieldRule[] = [];
  for (const scope of scopesOf(context)) for (const type of domainTypes) content.push(await readRule(scope, type, context));
  return { content };
}

async function update({ scope, type, ...fields }: ParsedInputOf<Calls['update']>, context: Context): Promise<ShieldRule> {
  const { db } = context;
  if (!scopesOf(context).includes(scope)) throw new AppError(403, 'forbidden');
  if (type === 3 && fields.otherwise === 'pause') throw invalidField('otherwise', 'invalid');
  const before = await readRule(scope, type, context);
  const owner_id = scope === 'own' ? context.scope.owner_id : null;
  const values = { ...fields, replace_own: fields.replace_own && scope !== 'pool' };
  await db
    .insert(shield_rule)
    .values({ owner_id, pool: scope === 'pool', type, ...values })
    .onConflictDoUpdate({
      target: [shield_rule.owner_id, shield_rule.pool, shield_rule.type],
      set: { ...values, updated_at: sql`now()` },
    });
  const after = await readRule(scope, type, context);
  context.audit({ before, after });
  await handleAnew(type, concernedBy(scope, owner_id), db);
  return after;
}

async function reset({ type }: ParsedInputOf<Calls['reset']>, context: Context): Promise<ShieldRule> {
  const { db, scope } = context;
  if (!scopesOf(context).includes('own')) throw new AppError(403, 'forbidden');
  const before = await readRule('own', type, context);
  await db.delete(shield_rule).where(and(eq(shield_rule.owner_id, scope.owner_id), eq(shield_rule.type, type)));
  const after = await readRule('own', type, context);
  context.audit({ before, after });
  await handleAnew(type, concernedBy('own', scope.owner_id), db);
  return after;
}

/** Whose blocked domains a rule may decide about. What users are given of the pool is bounded by its rule, too. */
function concernedBy(scope: RuleScope, owner_id: number | null): SQL {
  if (scope === 'pool') return sql`true`;
  return scope === 'own' ? sql`failover.holder_id = ${owner_id}` : sql`failover.holder_id IS NOT NULL`;
}

/** What waits, and what a rule had left, is looked at again. */
async function handleAnew(type: DomainType, concerned: SQL, db: Database): Promise<void> {
  await db.execute(sql`
    UPDATE domain_incident AS incident SET next_attempt_at = now(), attempts = 0,
      handling = CASE incident.handling WHEN 'left' THEN 'waiting' ELSE incident.handling END
    FROM failover WHERE failover.incident_id = incident.id AND failover.type = ${type} AND ${concerned} AND incident.ended_at IS NULL
      AND (incident.handling IN ('waiting', 'paused') OR incident.handling = 'left' AND incident.reason = 'disabled')`);
  await publish(db, 'domain_incident', null);
}

/** Only those that the caller may change; of one that was replaced or undone before, the limits count anew. */
async function retry({ ids }: ParsedInputOf<Calls['retry']>, context: Context): Promise<OutputOf<Calls['retry']>> {
  const { db, scope } = context;
  const { rows } = await db.execute<{ id: number; host: string }>(sql`
    UPDATE domain_incident AS incident SET next_attempt_at = now(), attempts = 0, reason = NULL,
      handling = CASE incident.handling WHEN 'paused' THEN 'paused' ELSE 'waiting' END
    FROM failover WHERE failover.incident_id = incident.id AND failover.id = ANY(${sql.param(ids)}::bigint[])
      AND ${scope.changes(sql`failover.holder_id`) ?? sql`true`} AND incident.ended_at IS NULL
    RETURNING failover.id::float8 AS id, failover.host`);
  const own = rows.map(({ id }) => id);
  await db
    .update(failover)
    .set({ started_at: null, onto_pool: false })
    .where(and(isOneOf(failover.id, own), isNull(failover.replacement_id)));
  context.audit({ after: { domains: rows } });
  await publish(db, 'domain_incident', null);
  return { affected: rows.length };
}

type ToUndo = { id: number; codes: number };

/** The newest first, so that codes that went on from one domain to the next come back over both. */
async function undoableOf(ids: readonly number[], { db, scope }: Context): Promise<ToUndo[]> {
  const allowed = scope.changes(sql`owner.id`) ?? sql`true`;
  const { live_codes, short_codes, owner_ids, from_domain_id, to_domain_id, undone_at } = domain_replacement;
  return db
    .select({ id: domain_replacement.id, codes: sql<number>`${live_codes} + ${short_codes}` })
    .from(domain_replacement)
    .where(
      and(
        inArray(domain_replacement.failover_id, [...ids]),
        isNull(undone_at),
        sql`${owner_ids} <> '{}' AND ${from_domain_id} IS NOT NULL AND ${to_domain_id} IS NOT NULL
          AND NOT EXISTS (SELECT FROM unnest(${owner_ids}) AS owner (id) WHERE NOT (${allowed}))`,
      ),
    )
    .orderBy(sql`${domain_replacement.id} DESC`);
}

async function undo({ ids }: ParsedInputOf<Calls['undo']>, context: Context): Promise<OutputOf<Calls['undo']>> {
  const { db, actor, language } = context;
  const seen = await db.$count(failover, and(isOneOf(failover.id, ids), seenBy(context.scope)));
  if (seen === 0) throw notFound();
  const rows = await undoableOf(ids, context);
  if (rows.length === 0) throw new AppError(409, 'domain.undone_already');
  const done = { undone: rows.length, codes: 0, forwards: 0, operation_ids: [] as number[] };
  let room = replacedAtOnce;
  for (const { id, codes } of rows) {
    room -= codes;
    if (room < 0) {
      done.operation_ids.push(await startOperation(db, { kind: 'domain_replace_undo', input: { id }, actor, language }));
      continue;
    }
    const { affected, forwards } = await undoReplacement({ id }, context);
    done.codes += affected;
    done.forwards += forwards;
  }
  return done;
}

export const shieldConfigurationService: Service<typeof shieldConfiguration> = {
  inquire: log,
  rules: (_input, context) => rules(context),
  update,
  reset,
  preview: ({ domain_id }, context) => preview(domain_id, context),
  undo,
  retry,
};
