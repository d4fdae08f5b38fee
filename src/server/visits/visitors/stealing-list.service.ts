import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { stealingList, VisitSourceRow } from '../../../contract/visits/stealing-list.ts';
import { asRegistered, unicodeOf } from '../../domains/domains.public.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, notFound } from '../../kit/calls/errors.ts';
import { canonicalIp } from '../../kit/network/ip.ts';
import { contains, equals, isOneOf, list } from '../../kit/rows/list.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { short_code } from '../../short-codes/short-codes.table.ts';
import { user_account } from '../../users/users.table.ts';
import { visit_source, visit_source_rule } from '../visits.table.ts';
import { blacklistedState, protecting } from './blacklist.ts';
import { blockAddresses } from './visitor.service.ts';

/** What the list calls the code: that of a live code or of a short code, whose ids are of one sequence. */
const codeId = sql<number | null>`coalesce(${visit_source.live_code_id}, ${visit_source.short_code_id})::float8`;

type SourceRow = { id: number; owner_id: number | null; host: string };

/** A rule on the host itself or on one above it: subdomains are refused with it. */
const isBlocked = sql<boolean>`EXISTS (SELECT FROM visit_source_rule AS rule WHERE rule.owner_id = ${visit_source.owner_id}
  AND rule.action = 'block' AND ${visit_source.host} <> '' AND (rule.host = ${visit_source.host} OR right(${visit_source.host}, length(rule.host) + 1) = '.' || rule.host))`;

type Names = Pick<VisitSourceRow, 'is_short_code' | 'code' | 'code_name' | 'owner_account' | 'blocked' | 'blacklisted'>;
/** Of a row that was removed while it was read. */
const unnamed: Names = { is_short_code: false, code: '', code_name: '', owner_account: null, blocked: false, blacklisted: null };

/**
 * What the rows of one page are called, and what was decided on them: asked for them only, because a list may have many pages. A code that
 * is another's by now is not named: the rows of its former owner stay his.
 */
async function namesOf(ids: readonly number[], { db, actor, scope, now }: Context): Promise<Map<number, Names>> {
  const blacklisted = actor.nodes.has('stealing_list.blacklist')
    ? sql`CASE WHEN ${visit_source.ip} IS NOT NULL THEN ${blacklistedState(sql`${visit_source.ip}`, now)} END`
    : sql`NULL`;
  const { rows } = await db.execute<Names & { id: number }>(sql`
    SELECT ${visit_source.id}::float8 AS id, short_code.id IS NOT NULL AS is_short_code,
      coalesce(${live_code.file_name}, short_code.short, short_code.platform_url, '') AS code,
      coalesce(${live_code.name}, short_code.remark, '') AS code_name,
      ${user_account.account} AS owner_account, ${isBlocked} AS blocked, ${blacklisted} AS blacklisted
    FROM ${visit_source}
    LEFT JOIN ${live_code} ON ${and(eq(live_code.id, visit_source.live_code_id), scope.sees(live_code.owner_id))}
    LEFT JOIN ${short_code} ON ${and(eq(short_code.id, visit_source.short_code_id), scope.sees(short_code.owner_id))}
    LEFT JOIN ${user_account} ON ${user_account.id} = ${visit_source.owner_id}
    WHERE ${isOneOf(visit_source.id, ids)}`);
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

function searched(search: string | undefined): SQL | undefined {
  const ip = search ? canonicalIp(search.trim()) : null;
  return ip ? sql`${visit_source.ip} = ${ip}::inet` : contains(visit_source.host, search && asRegistered(search));
}

/** The rows, locked; 404 where one is missing or another's. */
async function lockRows(ids: readonly number[], { db, scope }: Context): Promise<SourceRow[]> {
  const rows = await db
    .select({ id: visit_source.id, owner_id: visit_source.owner_id, host: visit_source.host })
    .from(visit_source)
    .where(and(isOneOf(visit_source.id, ids), scope.changes(visit_source.owner_id)))
    .orderBy(visit_source.id)
    .for('update');
  if (rows.length < new Set(ids).size) throw notFound();
  return rows;
}

/** Decides on the hosts of these rows, each once for its owner. Answers how many hosts there are. */
async function decide(rows: readonly SourceRow[], action: 'block' | 'allow', { db, actor, audit }: Context) {
  const byKey = new Map(rows.map((row) => [`${row.owner_id} ${row.host}`, row]));
  const decided = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await db.execute(sql`
    INSERT INTO visit_source_rule (owner_id, host, action, created_by)
    SELECT owner_id, host, ${action}, ${actor.user_id}
    FROM unnest(${sql.param(decided.map(({ owner_id }) => owner_id))}::bigint[], ${sql.param(decided.map(({ host }) => host))}::text[]) AS given (owner_id, host)
    ON CONFLICT (owner_id, host) DO UPDATE SET action = excluded.action, created_by = excluded.created_by, created_at = now()`);
  audit({ after: { action, hosts: decided.map(({ owner_id, host }) => ({ owner_id, host })) } });
  return decided;
}

/** @param trustedProxies networks of our own proxies, which never get on the blacklist */
export function stealingListService(trustedProxies: readonly string[]): Service<typeof stealingList> {
  return {
    async inquire({ search, kind, live_code_id, owner_id, ...input }, context) {
      const { db, scope } = context;
      const { content, ...page } = await list(db, input, {
        fields: {
          id: visit_source.id,
          kind: visit_source.kind,
          host: visit_source.host,
          host_unicode: unicodeOf(visit_source.host),
          live_code_id: codeId,
          ip: sql<string | null>`host(${visit_source.ip})`,
          visits: visit_source.visits,
          first_at: visit_source.first_at,
          last_at: visit_source.last_at,
          owner_id: visit_source.owner_id,
        },
        from: visit_source,
        where: and(
          scope.sees(visit_source.owner_id),
          searched(search),
          equals(visit_source.kind, kind),
          live_code_id === undefined ? undefined : sql`${codeId} = ${live_code_id}`,
          equals(visit_source.owner_id, owner_id),
        ),
        sorts: visit_source,
        key: visit_source.id,
      });
      const named = await namesOf(
        content.map(({ id }) => id),
        context,
      );
      return { content: content.map((row) => ({ ...row, ...(named.get(row.id) ?? unnamed) })), ...page };
    },

    async block({ ids }, context) {
      const rows = (await lockRows(ids, context)).filter(({ owner_id, host }) => owner_id !== null && host !== '');
      if (rows.length === 0) throw new AppError(409, 'stealing_list.no_host');
      return { affected: (await decide(rows, 'block', context)).length };
    },

    async allow({ ids }, context) {
      const rows = (await lockRows(ids, context)).filter(({ host }) => host !== '');
      if (rows.length === 0) throw new AppError(409, 'stealing_list.no_host');
      const decided = await decide(rows, 'allow', context);
      await context.db.execute(sql`
        DELETE FROM visit_source USING unnest(${sql.param(decided.map(({ owner_id }) => owner_id))}::bigint[], ${sql.param(decided.map(({ host }) => host))}::text[])
          AS given (owner_id, host)
        WHERE visit_source.owner_id IS NOT DISTINCT FROM given.owner_id AND visit_source.host = given.host AND visit_source.kind IN ('referer', 'unknown_host')`);
      return { affected: decided.length };
    },

    rules: ({ search, action, ...input }, { db, scope }) =>
      list(db, input, {
        fields: {
          id: visit_source_rule.id,
          owner_id: visit_source_rule.owner_id,
          owner_account: sql<string | null>`${user_account.account}`,
          host: visit_source_rule.host,
          host_unicode: unicodeOf(visit_source_rule.host),
          action: visit_source_rule.action,
          created_by_account: sql<
            string | null
          >`(SELECT account FROM user_account AS maker WHERE maker.id = ${visit_source_rule.created_by})`,
          created_at: visit_source_rule.created_at,
        },
        from: visit_source_rule,
        joins: [[user_account, eq(user_account.id, visit_source_rule.owner_id)]],
        where: and(
          scope.sees(visit_source_rule.owner_id),
          contains(visit_source_rule.host, search && asRegistered(search)),
          equals(visit_source_rule.action, action),
        ),
        sorts: visit_source_rule,
        key: visit_source_rule.id,
      }),

    async remove_rules({ ids }, { db, scope, audit }) {
      const removed = await db
        .delete(visit_source_rule)
        .where(and(isOneOf(visit_source_rule.id, ids), scope.changes(visit_source_rule.owner_id)))
        .returning();
      if (removed.length < new Set(ids).size) throw notFound();
      audit({ before: removed });
      return { affected: removed.length };
    },

    blacklist: (input, context) => blockAddresses(input, context, protecting(trustedProxies)),
  };
}
