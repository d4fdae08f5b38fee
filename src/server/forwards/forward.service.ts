import { and, asc, eq, getTableColumns, isNotNull, or, sql } from 'drizzle-orm';
import type { forwards } from '../../contract/links/forward.ts';
import { isNamed, readableHost, unicodeOf } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { contains, matches } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { forwardAddress, forwardPaths } from '../kit/visits/forwards.ts';
import { user_account } from '../users/users.table.ts';
import { checkRule, findHost, readAddress, rulesOf, sentPath } from './forwards.rules.ts';
import { forward } from './forwards.table.ts';

const offeredDomains = 50;
/** Every redirect process holds all rules, and reads them anew when one changes. */
export const maxPerDomain = 2000;
const hits = sql<number>`coalesce(total.hits, 0)`.mapWith(Number);
const last_hit_at = sql<string | null>`to_char(total.last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const fields = {
  ...getTableColumns(forward),
  host: sql<string>`${domain.host}`,
  host_unicode: unicodeOf(domain.host),
  owner_account: sql<string | null>`${user_account.account}`,
  serves: sql<boolean>`${domain.enabled} AND (${domain.holder_id} IS NULL OR ${domain.holder_id} = ${forward.owner_id})`,
  hits,
  last_hit_at,
};
const total = sql`forward_total total`;
const joins = [
  [domain, eq(domain.id, forward.domain_id)],
  [user_account, eq(user_account.id, forward.owner_id)],
  [total, sql`total.forward_id = ${forward.id}`],
] as const;

/** The domain, locked, where the caller may put rules on it. */
async function lockDomain(id: number, { db, scope }: Context) {
  const [found] = await db
    .select({ id: domain.id, host: domain.host, holder_id: domain.holder_id })
    .from(domain)
    .where(and(eq(domain.id, id), scope.changes(domain.holder_id)))
    .for('no key update');
  return found;
}

const rows = rowsOf(forward, {
  fields,
  joins,
  scope: forward.owner_id,
  unique: { forward_domain_id_path_key: 'path' },
  async check(input, { db, settings }, before) {
    const [host] = await db
      .select()
      .from(domain)
      .where(eq(domain.id, before?.domain_id ?? input.domain_id ?? 0));
    if (!host) throw notFound();
    const { path = '', url = '', keep_query = true } = { ...before, ...input };
    const rule = { id: before?.id, path: sentPath(path), url, keep_query };
    await checkRule(db, host, rule, { schemes: (await settings()).jump_schemes, present: before });
    return { path: rule.path };
  },
});

/** All of these rules, locked. */
async function lockAll(ids: readonly number[], context: Context): Promise<void> {
  if ((await rows.lock(ids, context)).length < new Set(ids).size) throw notFound();
}

export const forwardService: Service<typeof forwards> = {
  inquire: async ({ search, domain_id, enabled, owner_id, ...input }, context) => {
    const found = or(await isNamed(context.db, search), contains([forward.path, forward.url, forward.remark], search));
    return rows.page(input, context, and(found, matches(forward, { domain_id, enabled, owner_id })));
  },

  async domains({ search }, { db, scope }) {
    const content = await db
      .select({ id: domain.id, host: domain.host, host_unicode: unicodeOf(domain.host) })
      .from(domain)
      .where(and(scope.changes(domain.holder_id), scope.all ? undefined : isNotNull(domain.holder_id), await isNamed(db, search)))
      .orderBy(asc(domain.host))
      .limit(offeredDomains);
    return { content };
  },

  async test({ url }, { db, scope }) {
    const none = { forward: null, location: null, status: null, code: null };
    const address = readAddress(url);
    const host = address === null ? undefined : await findHost(db, address.host);
    // Other users' hosts are unknown to him.
    if (address === null || host === undefined || !(scope.all || host.holder_id === null || host.holder_id === scope.owner_id)) {
      return { outcome: 'unknown_host' as const, ...none };
    }
    if (address.pathname.startsWith('/~')) return { outcome: 'reserved' as const, ...none };
    const found = forwardPaths(await rulesOf(db, host)).find(address.pathname);
    if (found) {
      const { rule, rest } = found;
      const location = forwardAddress(rule, rest, address.search.slice(1));
      return { outcome: 'forwarded' as const, forward: { id: rule.id, path: rule.path }, location, status: rule.status, code: null };
    }
    const name = address.pathname.replace(/\/$/, '').slice(1).toLowerCase();
    const { rows } = await db.execute<{ name: string }>(sql`
      SELECT key AS name FROM live_code_key JOIN live_code ON live_code.id = live_code_key.live_code_id
      WHERE key = ${name} AND NOT removed AND ${scope.sees(sql`live_code.owner_id`) ?? sql`true`}
      UNION ALL SELECT short FROM short_code WHERE domain_id = ${host.id} AND short = ${name} AND ${scope.sees(sql`short_code.owner_id`) ?? sql`true`}
      LIMIT 1`);
    return { outcome: rows[0] ? ('code' as const) : ('none' as const), ...none, code: rows[0]?.name ?? null };
  },

  async add(input, context) {
    const host = await lockDomain(input.domain_id, context);
    if (!host) throw invalidField('domain_id', 'unknown_domain');
    if ((await context.db.$count(forward, eq(forward.domain_id, host.id))) >= maxPerDomain) {
      throw new AppError(409, 'forward.too_many', { params: { host: readableHost(host.host), count: maxPerDomain } });
    }
    const added = await rows.add({ ...input, owner_id: host.holder_id ?? context.scope.owner_id }, context);
    context.audit({ after: added });
    return added;
  },
  update: rows.change,

  async update_enabled(input, context) {
    await lockAll(input.ids, context);
    return rows.setEnabled(input, context);
  },

  async remove(input, context) {
    await lockAll(input.ids, context);
    const removed = await rows.remove(input, context);
    await context.db.execute(sql`DELETE FROM forward_total WHERE forward_id = ANY(${sql.param([...input.ids])}::bigint[])`);
    return removed;
  },
};
