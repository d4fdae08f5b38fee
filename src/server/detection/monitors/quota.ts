import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Settings } from '../../../contract/settings.ts';
import type { Context } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { sufficientCombo } from '../../orders/quotas.public.ts';
import { role } from '../../roles/roles.table.ts';
import { user_account } from '../../users/users.table.ts';
import { domain_monitor } from '../detection.table.ts';
import { monitorLimits } from '../monitor-limits.public.ts';

export type Quota = {
  /** Addresses that are none of our domains; null is no limit. */
  limit: number | null;
  left: number | null;
  /** The combo on sale that has more; null: none has. */
  combo: string | null;
  /** Between two checks of an address; null is no limit. */
  minimum_seconds: number | null;
};

const limitsOf = (settings: Settings, db: Database) => {
  const { monitor_limit, monitor_minimum } = monitorLimits(settings);
  return db
    .select({ id: user_account.id, account: user_account.account, limit: monitor_limit, minimum_seconds: monitor_minimum })
    .from(user_account)
    .innerJoin(role, eq(role.id, user_account.role_id));
};

/** What a user may watch still. */
export async function quotaOf(user_id: number, { db, settings }: Pick<Context, 'db' | 'settings'>): Promise<Quota> {
  const [found] = await limitsOf(await settings(), db).where(eq(user_account.id, user_id));
  const { limit, minimum_seconds } = found ?? { limit: null, minimum_seconds: null };
  if (limit === null) return { limit, left: null, combo: null, minimum_seconds };
  const watched = await db.$count(domain_monitor, and(eq(domain_monitor.owner_id, user_id), isNull(domain_monitor.domain_id)));
  const combo = await sufficientCombo(db, 'monitors', limit + 1);
  return { limit, left: Math.max(0, limit - watched), combo, minimum_seconds };
}

/** The same, for an addition: the user stays locked until the transaction ends, so that of two at once only one takes the last place. */
export async function lockQuota(user_id: number, context: Pick<Context, 'db' | 'settings'>): Promise<Quota> {
  await context.db.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, user_id)).for('no key update');
  return quotaOf(user_id, context);
}

/** Of these users, the one whose addresses may be checked least often. */
export async function strictestOf(
  user_ids: readonly (number | null)[],
  { db, settings }: Pick<Context, 'db' | 'settings'>,
): Promise<{ account: string; minimum_seconds: number } | undefined> {
  const ids = [...new Set(user_ids)].filter((id) => id !== null);
  if (ids.length === 0) return undefined;
  const found = await limitsOf(await settings(), db).where(inArray(user_account.id, ids));
  return found
    .flatMap(({ account, minimum_seconds }) => (minimum_seconds === null ? [] : [{ account, minimum_seconds }]))
    .sort((one, other) => other.minimum_seconds - one.minimum_seconds)[0];
}

/** The time between two checks that counts for a row of `domain_monitor`: its own, or else the setting; never less than its owner may have. */
export const effectiveSeconds = (settings: Settings): SQL<number> =>
  sql<number>`greatest(coalesce(domain_monitor.interval_seconds, ${settings.monitor_seconds}::integer), (
    SELECT ${monitorLimits(settings).monitor_minimum} FROM ${user_account} JOIN ${role} ON ${role.id} = ${user_account.role_id}
    WHERE ${user_account.id} = domain_monitor.owner_id))`;

/** The same for these rows, by their ids. */
export async function intervalsOf(ids: readonly number[], settings: Settings, db: Database): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.execute<{ id: number; seconds: number }>(sql`
    SELECT id::float8 AS id, ${effectiveSeconds(settings)} AS seconds FROM domain_monitor WHERE id = ANY(${sql.param([...ids])}::bigint[])`);
  return new Map(rows.map(({ id, seconds }) => [id, seconds]));
}
