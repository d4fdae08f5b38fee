import { sql } from 'drizzle-orm';
import type { HandlingReason } from '../../contract/detection/shield-configuration.ts';
import { domainType } from '../../contract/enums.ts';
import type { Database } from '../kit/postgres/database.ts';
import { codesOf } from '../live-codes/replacement/domain-replacement.public.ts';
import { type Candidate, candidatesOf } from './failover.candidates.ts';
import { ofHolder, type Rule, ruleOf, usedWithin } from './failover.rules.ts';

/** The domain that is blocked, or is asked about, and what has been done about it already. */
export type Blocked = Candidate & {
  is_frozen: boolean;
  failover_id: number | null;
  /** It counts against its holder's limit already, and against the pool's. */
  has_started: boolean;
  has_started_pool: boolean;
  /** Domains that it was replaced by already: what is on it still cannot go there. */
  tried: readonly number[];
};

/** Which domains take its place, the next one first; or what else is done, and why. */
export type Decision =
  | { handling: 'replaced'; to: readonly Candidate[] }
  | { handling: 'waiting' | 'paused' | 'left'; reason: HandlingReason; until: Date | null };

const nothingElse = (handling: 'waiting' | 'paused' | 'left', reason: HandlingReason, until: Date | null = null): Decision => ({
  handling,
  reason,
  until,
});

/** What is done about a blocked domain. Writes nothing: the dry run asks the same. */
export async function decide(blocked: Blocked, db: Database): Promise<Decision> {
  const { holder_id, type } = blocked;
  const rule = await ruleOf(holder_id, type, db);
  if (!rule.enabled) return nothingElse('left', 'disabled');
  // What an administrator froze its owner must not get around; nor does the product.
  if (blocked.is_frozen) return nothingElse('waiting', 'frozen');
  if (!(await hasAnything(blocked, db))) return nothingElse('left', 'empty');
  const holder = await usedWithin({ type, max: rule.max_per_hour, where: besides(blocked, ofHolder(holder_id)) }, db);
  const isLimited = holder.used >= rule.max_per_hour && !blocked.has_started;
  const found = await inOrder(blocked, rule, db);
  if (found.to.length > 0) return isLimited ? nothingElse('waiting', 'limit', holder.free_at) : { handling: 'replaced', to: found.to };
  if (found.pool_free_at) return nothingElse('waiting', 'pool_limit', found.pool_free_at);
  const canPause = rule.otherwise === 'pause' && type !== domainType.short;
  const reason = blocked.tried.length > 0 ? 'conflicts' : 'nothing_healthy';
  return nothingElse(canPause ? 'paused' : 'waiting', reason);
}

/** The holder's own domains by their turns, then the pool's, each as its rules allow. */
async function inOrder(
  { id, holder_id, type, tried, failover_id, has_started_pool }: Blocked,
  rule: Rule,
  db: Database,
): Promise<{ to: Candidate[]; pool_free_at: Date | null }> {
  const wanted = { type, besides: [id, ...tried] };
  const own = holder_id !== null && rule.replace_own ? await candidatesOf({ ...wanted, holder_id, minutes: rule.checked_minutes }, db) : [];
  if (!rule.replace_pool) return { to: own, pool_free_at: null };
  const poolRule = holder_id === null ? rule : await ruleOf(null, type, db);
  const pool = await candidatesOf({ ...wanted, holder_id: null, minutes: poolRule.checked_minutes }, db);
  // A pool's own domain is held by its limit as every holder's is.
  if (holder_id === null || has_started_pool || pool.length === 0) return { to: [...own, ...pool], pool_free_at: null };
  const where = besides({ failover_id }, ofHolder(null));
  const { used, free_at } = await usedWithin({ type, max: poolRule.max_per_hour, where }, db);
  return used >= poolRule.max_per_hour ? { to: own, pool_free_at: free_at } : { to: [...own, ...pool], pool_free_at: null };
}

const besides = ({ failover_id }: Pick<Blocked, 'failover_id'>, where: ReturnType<typeof ofHolder>) =>
  sql`${where} AND failover.id IS DISTINCT FROM ${failover_id}::bigint`;

/** Whether anything stands on the domain that would move: codes of those whom it serves, the recycle bin's too, or forwards at first. */
async function hasAnything({ id, holder_id, type, tried }: Blocked, db: Database): Promise<boolean> {
  const { table, column } = codesOf(type);
  const isConcerned = holder_id === null ? sql`true` : sql`code.owner_id = ${holder_id}`;
  const { rows } = await db.execute<{ has: boolean }>(sql`
    SELECT EXISTS (SELECT FROM ${table} AS code WHERE ${column} = ${id} AND ${isConcerned})
      OR ${tried.length === 0} AND EXISTS (SELECT FROM forward WHERE domain_id = ${id}) AS has`);
  return rows[0]?.has ?? false;
}
