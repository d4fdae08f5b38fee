import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { holdDomain } from '../../contract/domains/hold-domain.ts';
import { blockStatus } from '../../contract/enums.ts';
import { settingsOf } from '../../contract/settings.ts';
import { monitorLimits } from '../detection/monitor-limits.public.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { contains, isOneOf, list } from '../kit/rows/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { logDaysSql } from '../orders/quotas.public.ts';
import { role } from '../roles/roles.table.ts';
import { setting } from '../settings/settings.table.ts';
import { user_account } from '../users/users.table.ts';
import { tellFormerHolders, tellOfDomains } from './domains.events.ts';
import { quotaSql, refuseBeyondQuota } from './domains.quota.ts';
import { lockDomains, refuseInUse, refuseShortCodes, refuseUnknownHolder } from './domains.rules.ts';
import { domain } from './domains.table.ts';

/** The numbers of domains, of each kind and state. */
const counts = sql.raw(`count(*)::float8 AS domains, count(*) FILTER (WHERE type = 1)::float8 AS entry,
  count(*) FILTER (WHERE type = 2)::float8 AS landing, count(*) FILTER (WHERE type = 3)::float8 AS short,
  count(*) FILTER (WHERE NOT enabled)::float8 AS disabled_domains, count(*) FILTER (WHERE block_status = ${blockStatus.blocked})::float8 AS blocked`);
type Counts = Record<'domains' | 'entry' | 'landing' | 'short' | 'disabled_domains' | 'blocked', number>;

const heldJoin = [
  sql`(SELECT holder_id, ${counts} FROM domain WHERE holder_id IS NOT NULL GROUP BY holder_id) held`,
  sql`held.holder_id = ${user_account.id}`,
] as const;
const roleJoin = [role, eq(role.id, user_account.role_id)] as const;
const held = (column: keyof Counts): SQL<number> => sql<number>`coalesce(held.${sql.identifier(column)}, 0)`.mapWith(Number);

/** Gives domains to a user, or to the pool: all of them, or none where one is on codes that would lose it. */
async function giveTo(ids: readonly number[], holder_id: number | null, context: Context): Promise<{ affected: number }> {
  const { db } = context;
  await refuseUnknownHolder(holder_id, context);
  const rows = (await lockDomains(ids, context)).filter((row) => row.holder_id !== holder_id);
  const changed = rows.map(({ id }) => id);
  await refuseBeyondQuota(holder_id, changed.length, db);
  if (holder_id !== null) {
    await refuseInUse(db, changed, sql`${live_code.owner_id} <> ${holder_id}`);
    await refuseShortCodes(db, changed, sql`short_code.owner_id <> ${holder_id}`);
  }
  await db.update(domain).set({ holder_id, updated_at: sql`now()` }).where(isOneOf(domain.id, changed));
  context.audit({ before: rows.map(({ id, host, holder_id: before }) => ({ id, host, holder_id: before })), after: { holder_id } });
  await tellFormerHolders(rows, context);
  await tellOfDomains(
    'domain.changed',
    rows.map((row) => ({ ...row, holder_id })),
    context,
  );
  return { affected: rows.length };
}

type Quotas = Partial<Pick<typeof user_account.$inferSelect, 'domain_quota' | 'monitor_quota' | 'monitor_minimum_seconds' | 'log_days'>>;

async function setQuotas(ids: readonly number[], quotas: Quotas, { db, scope, audit }: Context): Promise<{ affected: number }> {
  const { id, account, domain_quota, monitor_quota, monitor_minimum_seconds, log_days } = user_account;
  const before = await db
    .select({ id, account, domain_quota, monitor_quota, monitor_minimum_seconds, log_days })
    .from(user_account)
    .where(and(isOneOf(id, ids), scope.changes(id)))
    .orderBy(id)
    .for('no key update');
  if (before.length === 0) throw notFound();
  const found = before.map((row) => row.id);
  await db
    .update(user_account)
    .set({ ...quotas, updated_at: sql`now()` })
    .where(isOneOf(id, found));
  audit({ before, after: quotas });
  return { affected: before.length };
}

export const holdDomainService: Service<typeof holdDomain> = {
  async inquire({ search, holding, full, ...input }, { db }) {
    const settings = settingsOf(await db.select().from(setting));
    const limit = quotaSql(settings.domain_quota);
    return list(db, input, {
      fields: {
        id: user_account.id,
        account: user_account.account,
        name: user_account.name,
        role_name: sql<string>`${role.name}`,
        disabled: sql<boolean>`${user_account.disabled}`,
        domains: held('domains'),
        entry: held('entry'),
        landing: held('landing'),
        short: held('short'),
        disabled_domains: held('disabled_domains'),
        blocked: held('blocked'),
        domain_quota: user_account.domain_quota,
        limit,
        monitors: sql<number>`(SELECT count(*) FROM domain_monitor WHERE owner_id = ${user_account.id} AND domain_id IS NULL)`.mapWith(
          Number,
        ),
        monitor_quota: user_account.monitor_quota,
        monitor_minimum_seconds: user_account.monitor_minimum_seconds,
        ...monitorLimits(settings),
        log_days: user_account.log_days,
        kept_days: logDaysSql(settings),
      },
      from: user_account,
      joins: [heldJoin, roleJoin],
      where: and(
        contains([user_account.account, user_account.name], search),
        holding === undefined ? undefined : sql`(held.holder_id IS NOT NULL) = ${holding}`,
        full === undefined ? undefined : sql`coalesce(${held('domains')} >= ${limit}, false) = ${full}`,
      ),
      sorts: { id: user_account.id, account: user_account.account, domains: held('domains') },
      key: user_account.id,
    });
  },

  async pool(_input, { db }) {
    const read = async (isPool: boolean) => {
      const { rows } = await db.execute<Counts & { holders: number }>(
        sql`SELECT ${counts}, count(DISTINCT holder_id)::float8 AS holders FROM domain WHERE (holder_id IS NULL) = ${isPool}`,
      );
      if (!rows[0]) throw new Error('an aggregate without groups always has a row');
      return rows[0];
    };
    const all = await read(false);
    return { pool: await read(true), held: all, holders: all.holders };
  },

  assign: ({ ids, holder_id }, context) => giveTo(ids, holder_id, context),
  take_back: ({ ids }, context) => giveTo(ids, null, context),

  quota: ({ ids, ...quotas }, context) => setQuotas(ids, quotas, context),
  monitor_quota: ({ ids, ...quotas }, context) => setQuotas(ids, quotas, context),
  log_days: ({ ids, ...quotas }, context) => setQuotas(ids, quotas, context),
};
