import { and, eq, type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../contract/enums.ts';
import { checkedDays, maxHits, type serverIpBlack } from '../../../contract/visits/server-ip-black.ts';
import type { Service } from '../../kit/calls/context.ts';
import { databaseCode } from '../../kit/calls/errors.ts';
import { networkSearch, readNetworkLines } from '../../kit/network/network-lines.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { betweenDays, isOneOf, list } from '../../kit/rows/list.ts';
import { addDays, siteClock } from '../../kit/visits/site-clock.ts';
import { user_account } from '../../users/users.table.ts';
import { momentSql } from '../statistics/spans.ts';
import { visit_blacklist } from '../visits.table.ts';
import { protecting, storeBlocked } from './blacklist.ts';

/** Written out, so that the database sees that its index of refused visits serves. */
const blocked = sql.raw(String(outcomes.indexOf('blocked_ip')));
const checkMilliseconds = 8_000;

/** The addresses of a network as a range: an index can be searched by it also where the network is another row's. */
const isWithin = (ip: SQL, network: SQL): SQL => sql`${ip} >= host(${network})::inet
  AND ${ip} <= set_masklen(broadcast(${network}), CASE family(${network}) WHEN 4 THEN 32 ELSE 128 END)`;

/** Networks wider than a usual site or company has. */
function isWide(network: string): boolean {
  const prefix = network.split('/')[1];
  return prefix !== undefined && Number(prefix) < (network.includes(':') ? 48 : 24);
}

/** Visits that each entry refused, as far as their records are kept. */
async function hitsOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ id: number; hits: number }>(sql`
    SELECT visit_blacklist.id::float8 AS id, refused.hits FROM visit_blacklist CROSS JOIN LATERAL (
      SELECT count(*)::float8 AS hits FROM (
        SELECT FROM visit WHERE visit.outcome = ${blocked} AND ${isWithin(sql`visit.ip`, sql`visit_blacklist.network`)} LIMIT ${maxHits}
      ) AS visits
    ) AS refused WHERE ${isOneOf(visit_blacklist.id, ids)}`);
  return new Map(rows.map(({ id, hits }) => [id, hits]));
}

type Wide = { network: string; visits: number | null; addresses: number | null };

/** Visits since a moment that these networks would have refused; unknown ones where counting takes longer than one waits. */
async function visitsFrom(db: Database, networks: readonly string[], since: number): Promise<Wide[]> {
  if (networks.length === 0) return [];
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL statement_timeout = ${sql.raw(String(checkMilliseconds))}`);
      const { rows } = await tx.execute<{ place: number; visits: number; addresses: number }>(sql`
        SELECT wide.place::float8 AS place, came.visits, came.addresses
        FROM unnest(${sql.param([...networks])}::cidr[]) WITH ORDINALITY AS wide (network, place)
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(visitor.visits), 0)::float8 AS visits, count(DISTINCT visitor.ip)::float8 AS addresses
          FROM (SELECT ip, visits, first_at FROM visitor UNION ALL SELECT ip, visits, first_at FROM short_code_visitor) AS visitor
          WHERE ${isWithin(sql`visitor.ip`, sql`wide.network`)} AND visitor.first_at >= ${momentSql(since)}
        ) AS came ORDER BY wide.place`);
      return rows.map(({ place, visits, addresses }) => ({ network: networks[place - 1] ?? '', visits, addresses }));
    });
  } catch (error) {
    if (databaseCode(error) !== '57014') throw error;
    return networks.map((network) => ({ network, visits: null, addresses: null }));
  }
}

/** @param trustedProxies networks of our own proxies, which never get on the list */
export function serverIpBlackService(trustedProxies: readonly string[]): Service<typeof serverIpBlack> {
  const refused = protecting(trustedProxies);
  return {
    async inquire({ search, expired, expires_from, expires_to, ...input }, { db, now, settings }) {
      const { time_zone } = await settings();
      const isInForce = sql`(${visit_blacklist.expires_at} IS NULL OR ${visit_blacklist.expires_at} > ${now.toISOString()}::timestamptz)`;
      const { content, ...page } = await list(db, input, {
        fields: {
          id: visit_blacklist.id,
          network: visit_blacklist.network,
          remark: visit_blacklist.remark,
          expires_at: visit_blacklist.expires_at,
          expired: sql<boolean>`NOT ${isInForce}`,
          created_by: visit_blacklist.created_by,
          created_by_account: sql<string | null>`${user_account.account}`,
          created_at: visit_blacklist.created_at,
        },
        from: visit_blacklist,
        joins: [[user_account, eq(user_account.id, visit_blacklist.created_by)]],
        where: and(
          networkSearch(visit_blacklist, search),
          expired === undefined ? undefined : sql`${isInForce} <> ${expired}`,
          betweenDays(visit_blacklist.expires_at, { from: expires_from, to: expires_to }, time_zone),
        ),
        sorts: visit_blacklist,
        key: visit_blacklist.id,
      });
      const ids = content.map(({ id }) => id);
      const hits = await hitsOf(db, ids);
      return { content: content.map((row) => ({ ...row, hits: hits.get(row.id) ?? 0 })), ...page };
    },

    async check({ lines }, { db, now, settings }) {
      const { wanted } = readNetworkLines(lines, refused);
      const clock = siteClock((await settings()).time_zone);
      const firstDay = addDays(clock.dayOf(now.getTime()), 1 - checkedDays);
      return { wide: await visitsFrom(db, wanted.filter(isWide), clock.startOf(firstDay)) };
    },

    async add({ lines, ...fields }, context) {
      const { read, wanted } = readNetworkLines(lines, refused);
      const stored = await storeBlocked(wanted, fields, context);
      context.audit({ after: { networks: wanted, ...fields } });
      const results = read.map(({ line, network, state }) => ({ line, state: state ?? stored.get(network ?? '') ?? ('invalid' as const) }));
      return { added: results.filter(({ state }) => state === 'added').length, results };
    },

    async remove({ ids }, { db, audit }) {
      const removed = await db.delete(visit_blacklist).where(isOneOf(visit_blacklist.id, ids)).returning();
      audit({ before: removed });
      return { affected: removed.length };
    },
  };
}
