import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { userStatus } from '../../contract/enums.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField, mapUniqueViolation } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { checkHost, wildcardsOver } from './domains.hosts.ts';
import { readableHost } from './domains.names.ts';
import { domain } from './domains.table.ts';

/** The host in its registered form. A host below another holder's wildcard is his: only an administrator may hand it out. */
export async function registeredHost(text: string, holder_id: number | null, { db, scope }: Context): Promise<string> {
  const checked = checkHost(text, { allowsDevelopment: scope.all });
  if ('fault' in checked) throw invalidField('host', checked.fault);
  const wildcards = wildcardsOver(checked.host);
  if (scope.all || wildcards.length === 0) return checked.host;
  const covering = and(inArray(domain.host, wildcards), sql`${domain.holder_id} IS DISTINCT FROM ${holder_id}`);
  if ((await db.$count(domain, covering)) > 0) throw invalidField('host', 'taken');
  return checked.host;
}

/** Whose domain it shall be: the caller's own, unless he may assign. */
export async function holderOf(holder_id: number | null | undefined, context: Context): Promise<number | null> {
  const holder = holder_id === undefined ? context.scope.owner_id : holder_id;
  if (holder !== context.scope.owner_id) await refuseForeignHolder(holder, context);
  return holder;
}

export async function refuseForeignHolder(holder_id: number | null, { db, actor, scope }: Context): Promise<void> {
  if (!actor.nodes.has('domain_list.assign')) throw new AppError(403, 'forbidden');
  await refuseUnknownHolder(holder_id, { db, scope });
}

export async function refuseUnknownHolder(holder_id: number | null, { db, scope }: Pick<Context, 'db' | 'scope'>): Promise<void> {
  if (holder_id === null) return;
  const known = await db.$count(
    user_account,
    and(eq(user_account.id, holder_id), eq(user_account.status, userStatus.present), scope.sees(user_account.id)),
  );
  if (known === 0) throw invalidField('holder_id', 'unknown_user');
}

/** 409 while codes use the domain: those in `among`, in the recycle bin too. The rows of `ids` must be locked by now. */
export async function refuseInUse(db: Database, ids: readonly number[], among?: SQL): Promise<void> {
  const [used] = await db
    .select({
      host: domain.host,
      count: sql<number>`count(*)`.mapWith(Number),
      removed: sql<number>`count(*) FILTER (WHERE ${live_code.removed})`.mapWith(Number),
    })
    .from(domain)
    .innerJoin(live_code, sql`${domain.id} IN (${live_code.entry_domain_id}, ${live_code.landing_domain_id})`)
    .where(and(isOneOf(domain.id, ids), among))
    .groupBy(domain.id)
    .orderBy(asc(domain.id))
    .limit(1);
  if (used) throw new AppError(409, 'domain.in_use', { params: { ...used, host: readableHost(used.host) } });
}

/** The same for short codes, whose owners `among` names by `short_code.owner_id`. */
export async function refuseShortCodes(db: Database, ids: readonly number[], among: SQL = sql`true`): Promise<void> {
  const { rows } = await db.execute<{ host: string; count: number }>(sql`
    SELECT domain.host, count(*)::float8 AS count FROM domain JOIN short_code ON short_code.domain_id = domain.id
    WHERE ${isOneOf(domain.id, ids)} AND ${among} GROUP BY domain.id ORDER BY domain.id LIMIT 1`);
  const [used] = rows;
  if (used) throw new AppError(409, 'domain.has_short_codes', { params: { ...used, host: readableHost(used.host) } });
}

/** 409 where an administrator froze one of these domains and the caller is none. */
export function refuseFrozen(rows: readonly { host: string; frozen_at: string | null }[], { scope }: Pick<Context, 'scope'>): void {
  const frozen = scope.all ? undefined : rows.find(({ frozen_at }) => frozen_at !== null);
  if (frozen) throw new AppError(409, 'domain.frozen', { params: { host: readableHost(frozen.host) } });
}

/** 400 at the host where it is taken. */
export const sayTaken = <T>(change: Promise<T>): Promise<T> => change.catch(mapUniqueViolation({ domain_host_key: 'host' }));

/** The domains of these ids that the caller may change, locked in the order of their ids, so that two batches never wait for each other. */
export function lockDomains(ids: readonly number[], { db, scope }: Context) {
  return db
    .select({
      id: domain.id,
      host: domain.host,
      type: domain.type,
      holder_id: domain.holder_id,
      enabled: domain.enabled,
      frozen_at: domain.frozen_at,
    })
    .from(domain)
    .where(and(isOneOf(domain.id, ids), scope.changes(domain.holder_id)))
    .orderBy(asc(domain.id))
    .for('update');
}
