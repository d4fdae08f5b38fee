import { type SQL, sql } from 'drizzle-orm';
import { type checkoutIp, type LookedUp, maxNamed } from '../../../contract/visits/checkout-ip.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { canonicalIp } from '../../kit/network/ip.ts';
import { defaultPageSize } from '../../kit/rows/list.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { currentPlaces } from '../current-places.public.ts';
import { millisecondsOf } from '../statistics/spans.ts';
import { passed } from '../statistics/visible.ts';
import { blacklistedState, protecting } from './blacklist.ts';
import { blockAddresses } from './visitor.service.ts';

type Known = Pick<LookedUp, 'codes' | 'devices' | 'code_count' | 'device_count' | 'visits' | 'blacklisted'> & {
  ip: string;
  /** Milliseconds since 1970, as `last_at`; null where it never visited. */
  first_at: number | null;
  last_at: number | null;
};

const since = live_code.visible_from;
/** Visits of a row of `visitor` that its code's owner sees: those of the day on which he cleared the history are counted from rows. */
const visibleVisits = sql`CASE WHEN visitor.first_at < ${since} THEN greatest(1, (
  SELECT count(*) FROM visit WHERE visit.live_code_id = visitor.live_code_id AND visit.ip = visitor.ip AND visit.outcome = ${passed}
    AND visit.at >= ${since} AND visit.at <= visitor.last_at
)) ELSE visitor.visits END`;

/** What the addresses did on the codes that the caller may see. Only administrators are told of codes that are gone and cleared visits. */
async function knownOf(ips: readonly string[], { db, scope, now }: Context): Promise<Map<string, Known>> {
  const visible = scope.all ? sql`true` : sql`${scope.sees(live_code.owner_id)} AND (${since} IS NULL OR visitor.last_at >= ${since})`;
  const [visits, first]: [SQL, SQL] = scope.all
    ? [sql`visitor.visits`, sql`visitor.first_at`]
    : [visibleVisits, sql`greatest(visitor.first_at, ${since})`];
  const { rows } = await db.execute<Known>(sql`
    WITH asked AS (SELECT ip FROM unnest(${sql.param([...ips])}::inet[]) AS asked (ip)),
    came AS MATERIALIZED (
      SELECT visitor.ip, visitor.live_code_id, ${live_code.name} AS name, ${live_code.file_name} AS file_name,
        ${visits} AS visits, ${first} AS first_at, visitor.last_at, visitor.agent_id
      FROM asked JOIN visitor ON visitor.ip = asked.ip LEFT JOIN ${live_code} ON ${live_code.id} = visitor.live_code_id
      WHERE ${visible}
    ),
    sums AS (SELECT ip, sum(visits) AS visits, min(first_at) AS first_at, max(last_at) AS last_at FROM came GROUP BY ip),
    code AS (
      SELECT ip, live_code_id, min(name) AS name, min(file_name) AS file_name, sum(visits) AS visits,
        row_number() OVER (PARTITION BY ip ORDER BY sum(visits) DESC, live_code_id DESC) AS place
      FROM came GROUP BY ip, live_code_id
    ),
    device AS (
      SELECT ip, source, system, brand, model_name, row_number() OVER (PARTITION BY ip ORDER BY max(last_at) DESC) AS place
      FROM came JOIN visit_agent ON visit_agent.id = agent_id JOIN visit_device ON visit_device.id = device_id
      GROUP BY ip, source, system, brand, model_name
    ),
    codes AS (
      SELECT ip, count(*) AS number, json_agg(json_build_object('id', live_code_id, 'name', coalesce(name, ''),
        'file_name', coalesce(file_name, ''), 'visits', visits) ORDER BY place) FILTER (WHERE place <= ${maxNamed}) AS named
      FROM code GROUP BY ip
    ),
    devices AS (
      SELECT ip, count(*) AS number, json_agg(json_build_object('source', source, 'system', system, 'brand', brand,
        'model_name', model_name) ORDER BY place) FILTER (WHERE place <= ${maxNamed}) AS named
      FROM device GROUP BY ip
    )
    SELECT host(asked.ip) AS ip, coalesce(sums.visits, 0)::float8 AS visits,
      ${millisecondsOf(sql`sums.first_at`)} AS first_at, ${millisecondsOf(sql`sums.last_at`)} AS last_at,
      coalesce(codes.number, 0)::float8 AS code_count, coalesce(codes.named, '[]') AS codes,
      coalesce(devices.number, 0)::float8 AS device_count, coalesce(devices.named, '[]') AS devices,
      ${blacklistedState(sql`asked.ip`, now)} AS blacklisted
    FROM asked LEFT JOIN sums USING (ip) LEFT JOIN codes USING (ip) LEFT JOIN devices USING (ip)`);
  return new Map(rows.map((row) => [row.ip, row]));
}

const unknown = { visits: 0, code_count: 0, codes: [], device_count: 0, devices: [], first_at: null, last_at: null, blacklisted: null };
const isoOf = (at: number | null): string | null => (at === null ? null : new Date(Math.round(at)).toISOString());

type SortKey = 'visits' | 'code_count' | 'device_count' | 'first_at' | 'last_at';

/** Rows without a value stand last in both orders; equal ones stay as they were named. */
function sorted(rows: readonly LookedUp[], sort: SortKey, order: 'asc' | 'desc'): LookedUp[] {
  const direction = order === 'asc' ? 1 : -1;
  return [...rows].sort((one, other) => {
    const [a, b] = [one[sort], other[sort]];
    if (a === b) return 0;
    if (a === null) return 1;
    if (b === null) return -1;
    return (a < b ? -1 : 1) * direction;
  });
}

/** @param trustedProxies networks of our own proxies, which never get on the blacklist */
export function checkoutIpService(trustedProxies: readonly string[]): Service<typeof checkoutIp> {
  return {
    async inquire({ ips, page = 1, page_size = defaultPageSize, sort, order = 'desc' }, context) {
      // Each address once, in whatever spelling it was named first.
      const lines = new Map(ips.map((line) => [canonicalIp(line.trim()) ?? line.trim(), canonicalIp(line.trim()) !== null]));
      const known = await knownOf(
        [...lines].filter(([, isAddress]) => isAddress).map(([ip]) => ip),
        context,
      );
      const { lookup } = await currentPlaces(context.db);
      const mayBlock = context.actor.nodes.has('checkout_ip.blacklist');
      const rows = [...lines].map(([ip, isAddress]): LookedUp => {
        const found = known.get(ip) ?? { ip, ...unknown };
        const blacklisted = isAddress && mayBlock ? found.blacklisted : null;
        const state = !isAddress ? 'invalid' : found.visits > 0 ? 'visited' : 'never';
        return {
          ...found,
          ...lookup(isAddress ? ip : ''),
          state,
          first_at: isoOf(found.first_at),
          last_at: isoOf(found.last_at),
          blacklisted,
        };
      });
      const ordered = sort ? sorted(rows, sort, order) : rows;
      return { content: ordered.slice((page - 1) * page_size, page * page_size), total: rows.length, page, page_size };
    },

    blacklist: (input, context) => blockAddresses(input, context, protecting(trustedProxies)),
  };
}
