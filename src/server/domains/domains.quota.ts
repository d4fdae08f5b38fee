import { eq, sql } from 'drizzle-orm';
import { settingsOf } from '../../contract/settings.ts';
import { AppError } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { role } from '../roles/roles.table.ts';
import { setting } from '../settings/settings.table.ts';
import { user_account } from '../users/users.table.ts';
import { domain } from './domains.table.ts';

/**
 * How many more domains a user may hold; undefined is no limit. The user stays locked until the transaction ends, so that two additions
 * at once cannot both take the last place.
 */
export async function placesLeft(holder_id: number | null, db: Database): Promise<Quota | undefined> {
  if (holder_id === null) return undefined;
  const [holder] = await db
    .select({ account: user_account.account, quota: user_account.domain_quota, kind: role.kind })
    .from(user_account)
    .innerJoin(role, eq(role.id, user_account.role_id))
    .where(eq(user_account.id, holder_id))
    .for('no key update', { of: user_account });
  if (!holder) return undefined;
  const limit = await quotaOf(holder, db);
  if (limit === undefined) return undefined;
  const held = await db.$count(domain, eq(domain.holder_id, holder_id));
  return { account: holder.account, limit, held, left: Math.max(0, limit - held) };
}

export type Quota = { account: string; limit: number; held: number; left: number };

/** What a user's own quota, his role and the site's setting make of it; undefined is no limit. */
async function quotaOf({ quota, kind }: { quota: number | null; kind: string }, db: Database): Promise<number | undefined> {
  if (quota !== null) return quota;
  if (kind === 'super' || kind === 'administrator') return undefined;
  // Over the transaction's own connection: waiting for another one while a row is locked could wait for ever.
  return settingsOf(await db.select().from(setting)).domain_quota || undefined;
}

/** 409 where a user would hold more than he may. */
export async function refuseBeyondQuota(holder_id: number | null, more: number, db: Database): Promise<void> {
  const quota = await placesLeft(holder_id, db);
  if (quota && quota.left < more) throw quotaExceeded(quota);
}

const quotaExceeded = ({ account, limit, held }: Quota): AppError =>
  new AppError(409, 'domain.quota_exceeded', { params: { account, limit, held } });

/** The quota as it applies, in SQL: null is no limit. */
export const quotaSql = (setting: number) =>
  sql<
    number | null
  >`coalesce(${user_account.domain_quota}, CASE WHEN ${role.kind} NOT IN ('super', 'administrator') THEN ${setting || null}::integer END)`;
