import { type SQL, sql } from 'drizzle-orm';
import type { QuotaKind } from '../../contract/money/vip-combo.ts';
import type { Settings } from '../../contract/settings.ts';
import { AppError } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';

export type Quota = { account: string; limit: number; held: number; left: number };

/** The site's settings for whom neither a combo nor an administrator said anything; 0 is no limit. */
const settingKeys = {
  live_codes: 'code_quota',
  domains: 'domain_quota',
  short_codes: 'short_code_quota',
  monitors: 'monitor_quota',
} as const;

/** What administrators gave a user himself. */
const ownLimits: Record<QuotaKind, SQL> = {
  live_codes: sql`NULL::integer`,
  domains: sql`user_account.domain_quota`,
  short_codes: sql`NULL::integer`,
  monitors: sql`user_account.monitor_quota`,
};

/** What a user has of each. */
export const counts: Record<QuotaKind, (user_id: SQL) => SQL> = {
  live_codes: (user_id) => sql`(SELECT count(*) FROM live_code WHERE owner_id = ${user_id} AND NOT removed)`,
  domains: (user_id) => sql`(SELECT count(*) FROM domain WHERE holder_id = ${user_id})`,
  short_codes: (user_id) => sql`(SELECT count(*) FROM short_code WHERE owner_id = ${user_id})`,
  // Registered domains are watched in any case.
  monitors: (user_id) => sql`(SELECT count(*) FROM domain_monitor WHERE owner_id = ${user_id} AND domain_id IS NULL)`,
};

/**
 * The quotas of the combo that a user has now: the one bought last of those that have begun, while he is a member. Null: none.
 * @param graceDays days after the end in which they hold still
 */
export const comboQuotasSql = (user: SQL, graceDays = 0): SQL => sql`(
  SELECT combo -> 'quotas' FROM combo_order
  WHERE combo_order.user_id = ${user}.id AND combo_order.state = 'paid' AND combo_order.replaced_by IS NULL AND combo_order.begins_at <= now()
    AND (${user}.member_expires_at IS NULL OR ${user}.member_expires_at + make_interval(days => ${graceDays}) > now())
  ORDER BY combo_order.begins_at DESC, combo_order.id DESC LIMIT 1)`;

/** The limits of a user as they would be under a combo: its own number, unless an administrator gave him another; null is no limit. */
export const limitUnderSql = (kind: QuotaKind, quota: SQL): SQL<number | null> => sql<number | null>`CASE
  WHEN ${ownLimits[kind]} IS NOT NULL THEN ${ownLimits[kind]} WHEN role.kind IN ('super', 'administrator') THEN NULL ELSE ${quota} END`;

/**
 * How many a user may have, in SQL, of a row of `user_account` and his role's: what an administrator gave him, no limit for administrators,
 * his combo's, the site's. Null is no limit.
 * @param usual what the setting says; null is no limit
 */
export const limitSql = (kind: QuotaKind, usual: SQL): SQL<number | null> => {
  const combo = comboQuotasSql(sql`user_account`);
  return limitUnderSql(
    kind,
    sql`(SELECT CASE WHEN bought IS NULL THEN ${usual} ELSE (bought ->> ${kind})::integer END FROM (SELECT ${combo} AS bought) AS combo)`,
  );
};

export const usualSql = (kind: QuotaKind): SQL => sql`(
  SELECT nullif(value::text::integer, 0) FROM setting WHERE key = ${settingKeys[kind]} AND jsonb_typeof(value) = 'number')`;

/** What a user has of a kind and may have; undefined is no limit. */
export async function quotaOf(db: Database, user_id: number | null, kind: QuotaKind): Promise<Quota | undefined> {
  if (user_id === null) return undefined;
  const limited = await db.execute<{ account: string; limit: number | null }>(sql`
    SELECT account, ${limitSql(kind, usualSql(kind))} AS limit
    FROM user_account JOIN role ON role.id = user_account.role_id WHERE user_account.id = ${user_id}`);
  const found = limited.rows[0];
  if (!found || found.limit === null) return undefined;
  const { rows } = await db.execute<{ held: number }>(sql`SELECT ${counts[kind](sql`${user_id}`)} AS held`);
  const held = rows[0]?.held ?? 0;
  return { account: found.account, limit: found.limit, held, left: Math.max(0, found.limit - held) };
}

/**
 * The same; who has a limit stays locked until the transaction ends, so that two additions at once cannot both take the last place. Who
 * has none waits for nobody.
 */
export async function lockQuota(db: Database, user_id: number | null, kind: QuotaKind): Promise<Quota | undefined> {
  if ((await quotaOf(db, user_id, kind)) === undefined) return undefined;
  await db.execute(sql`SELECT FROM user_account WHERE id = ${user_id} FOR NO KEY UPDATE`);
  return quotaOf(db, user_id, kind);
}

const exceededCode = (kind: QuotaKind): string => (kind === 'domains' ? 'domain.quota_exceeded' : `quota.${kind}`);

/** The name of the cheapest combo on sale that has so many of a kind. */
export async function sufficientCombo(db: Database, kind: QuotaKind, wanted: number): Promise<string | null> {
  const { rows } = await db.execute<{ name: string }>(sql`
    SELECT name FROM vip_combo
    WHERE on_sale AND coalesce((quotas ->> ${kind})::integer, ${wanted}) >= ${wanted} ORDER BY price, id LIMIT 1`);
  return rows[0]?.name ?? null;
}

/** Says what a user has, what he may have, and which combo on sale would be enough. */
async function exceeded(db: Database, kind: QuotaKind, { account, limit, held }: Omit<Quota, 'left'>, wanted: number): Promise<AppError> {
  const combo = await sufficientCombo(db, kind, wanted);
  const params = { account, limit, held };
  if (combo === null) return new AppError(409, exceededCode(kind), { params });
  return new AppError(409, `${exceededCode(kind)}_buy`, { params: { ...params, combo } });
}

/** 409 where a user would have more than he may with so many more. */
export async function refuseBeyondQuota(db: Database, user_id: number | null, kind: QuotaKind, more: number): Promise<void> {
  const quota = await lockQuota(db, user_id, kind);
  if (quota && more > 0 && quota.left < more) throw await exceeded(db, kind, quota, quota.held + more);
}

/** 409 where a user has more than he may, for additions of this transaction whose number is known afterwards only. */
export async function refuseOverQuota(db: Database, user_id: number, kind: QuotaKind, added: number): Promise<void> {
  if (added === 0) return;
  const quota = await lockQuota(db, user_id, kind);
  if (quota && quota.held > quota.limit) throw await exceeded(db, kind, { ...quota, held: quota.held - added }, quota.held);
}

type Retention = Pick<Settings, 'visit_retention_days' | 'membership_grace_days'>;

/**
 * Days that visits to a user's codes are kept, in SQL over a row of `user_account`: what an administrator gave him, his combo's, the
 * site's. What is deleted does not come back: a combo's days hold through the grace after its end.
 */
export const logDaysSql = ({
  visit_retention_days,
  membership_grace_days,
}: Retention): SQL<number> => sql<number>`coalesce(user_account.log_days,
  (${comboQuotasSql(sql`user_account`, membership_grace_days)} ->> 'log_days')::integer, ${visit_retention_days}::integer)`;

export async function logDaysOf(db: Database, user_id: number, settings: Retention): Promise<number> {
  const { rows } = await db.execute<{ days: number }>(sql`SELECT ${logDaysSql(settings)} AS days FROM user_account WHERE id = ${user_id}`);
  return rows[0]?.days ?? settings.visit_retention_days;
}
