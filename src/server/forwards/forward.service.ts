import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { Forward, forwards } from '../../contract/links/forward.ts';
import { isNamed, readableHost, unicodeOf } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { forwardAddress, forwardPaths } from '../kit/visits/forwards.ts';
import { user_account } from '../users/users.table.ts';
import { checkRule, findHost, readAddress, rulesOf, sentPath } from './forwards.rules.ts';
import { forward } from './forwards.table.ts';

const offeredDomains = 50;
/** Every redirect process holds all rules, and reads them anew when one changes. */
export const mostPerDomain = 2000;
const hits = sql<number>`coalesce(total.hits, 0)`.mapWith(Number);
const last_hit_at = sql<string | null>`to_char(total.last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const fields = {
  id: forward.id,
  path: forward.path,
  url: forward.url,
  status: forward.status,
  keep_query: forward.keep_query,
  enabled: forward.enabled,
  sort: forward.sort,
  remark: forward.remark,
  domain_id: forward.domain_id,
  host: sql<string>`${domain.host}`,
  host_unicode: unicodeOf(domain.host),
  owner_id: forward.owner_id,
  owner_account: sql<string | null>`${user_account.account}`,
  serves: sql<boolean>`${domain.enabled} AND (${domain.holder_id} IS NULL OR ${domain.holder_id} = ${forward.owner_id})`,
  hits,
  last_hit_at,
  created_at: forward.created_at,
  updated_at: forward.updated_at,
};
const total = sql`forward_total total`;
const joins = [
  [domain, eq(domain.id, forward.domain_id)],
  [user_account, eq(user_account.id, forward.owner_id)],
  [total, sql`total.forward_id = ${forward.id}`],
] as const;

async function read(db: Database, id: number): Promise<Forward> {
  const { content } = await list(
    db,
    { page_size: 1 },
    { fields, from: forward, joins, where: eq(forward.id, id), sorts: {}, key: forward.id },
  );
  if (!content[0]) throw notFound();
  return content[0];
}

/** The domain, locked, where the caller may put rules on it. */
async function lockDomain(id: number, { db, scope }: Context) {
  const [found] = await db
    .select({ id: domain.id, host: domain.host, holder_id: domain.holder_id })
    .from(domain)
    .where(and(eq(domain.id, id), scope.changes(domain.holder_id)))
    .for('no key update');
  return found;
}

async function sayTaken<T>(statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (violatedConstraint(error) === 'forward_domain_id_path_key') throw invalidField('path', 'taken');
    throw error;
  }
}

export const forwardService: Service<typeof forwards> = {
  inquire: async ({ search, domain_id, enabled, owner_id, ...input }, { db, scope }) =>
    list(db, input, {
      fields,
      from: forward,
      joins,
      where: and(
        scope.sees(forward.owner_id),
        or(await isNamed(db, search), contains([forward.path, forward.url, forward.remark], search)),
        equals(forward.domain_id, domain_id),
        equals(forward.enabled, enabled),
        equals(forward.owner_id, owner_id),
      ),
      sorts: { ...forward, host: domain.host, hits, last_hit_at: sql`total.last_at` },
      key: forward.id,
    }),

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
      SELECT file_name AS name FROM live_code WHERE file_name = ${name} AND NOT removed AND ${scope.sees(sql`live_code.owner_id`) ?? sql`true`}
      UNION ALL SELECT short FROM short_code WHERE domain_id = ${host.id} AND short = ${name} AND ${scope.sees(sql`short_code.owner_id`) ?? sql`true`}
      LIMIT 1`);
    return { outcome: rows[0] ? ('code' as const) : ('none' as const), ...none, code: rows[0]?.name ?? null };
  },

  async add({ domain_id, ...input }, context) {
    const { db, scope, settings } = context;
    const host = await lockDomain(domain_id, context);
    if (!host) throw invalidField('domain_id', 'unknown_domain');
    if ((await db.$count(forward, eq(forward.domain_id, domain_id))) >= mostPerDomain) {
      throw new AppError(409, 'forward.too_many', { params: { host: readableHost(host.host), count: mostPerDomain } });
    }
    const values = { keep_query: true, ...input, path: sentPath(input.path) };
    await checkRule(db, host, values, { schemes: (await settings()).jump_schemes });
    const owner_id = host.holder_id ?? scope.owner_id;
    const [added] = await sayTaken(
      db
        .insert(forward)
        .values({ ...values, owner_id, domain_id })
        .returning(),
    );
    if (!added) throw new Error('the forward row was not returned');
    context.audit({ after: { ...added, host: host.host } });
    return read(db, added.id);
  },

  async update({ id, ...input }, context) {
    const { db, scope, settings } = context;
    const [before] = await db
      .select()
      .from(forward)
      .where(and(eq(forward.id, id), scope.changes(forward.owner_id)))
      .for('update');
    if (!before) throw notFound();
    const [host] = await db.select().from(domain).where(eq(domain.id, before.domain_id));
    if (!host) throw notFound();
    const after = { ...before, ...input, path: input.path === undefined ? before.path : sentPath(input.path) };
    await checkRule(db, host, after, { schemes: (await settings()).jump_schemes, present: before });
    const { path, url, status, keep_query, enabled, sort, remark } = after;
    const values = { path, url, status, keep_query, enabled, sort, remark };
    await sayTaken(
      db
        .update(forward)
        .set({ ...values, updated_at: sql`now()` })
        .where(eq(forward.id, id)),
    );
    context.audit(changesBetween(before, after));
    return read(db, id);
  },

  async update_enabled({ ids, enabled }, { db, scope, audit }) {
    const where = and(isOneOf(forward.id, ids), scope.changes(forward.owner_id));
    if ((await db.$count(forward, where)) < new Set(ids).size) throw notFound();
    const changed = await db
      .update(forward)
      .set({ enabled, updated_at: sql`now()` })
      .where(and(where, eq(forward.enabled, !enabled)))
      .returning({ id: forward.id });
    audit({ after: { ids: changed.map(({ id }) => id), enabled } });
    return { affected: changed.length };
  },

  async remove({ ids }, { db, scope, audit }) {
    const removed = await db
      .delete(forward)
      .where(and(isOneOf(forward.id, ids), scope.changes(forward.owner_id)))
      .returning();
    if (removed.length < new Set(ids).size) throw notFound();
    await db.execute(sql`DELETE FROM forward_total WHERE forward_id = ANY(${sql.param([...ids])}::bigint[])`);
    audit({ before: removed });
    return { affected: removed.length };
  },
};
