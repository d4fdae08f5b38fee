import { type SQL, sql } from 'drizzle-orm';
import type { AccessRecord } from '../../contract/access-log.ts';
import type { VisitSource } from '../../contract/enums.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/kit/call.ts';
import type { qrCodeList } from '../../contract/qr-code-list.ts';
import type { Database } from '../kit/database.ts';
import { canonicalIp } from '../kit/ip.ts';
import { defaultPageSize } from '../kit/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { millisecondsOf, passed } from './visible.ts';

type Addresses = (typeof qrCodeList)['calls']['get_ip'];
type AddressRow = {
  ip: string;
  visits: number;
  /** Milliseconds since 1970, as `last_at`. */
  first_at: number;
  last_at: number;
  user_agent: string;
  source: VisitSource | null;
} & Omit<AccessRecord, 'ip' | 'ip_count' | `latest_${string}`>;
type Asked = { id: number; from: string | undefined; to: string | undefined };

/** An address as typed: a whole one in any spelling, or the beginning of one. */
export function ipCondition(column: SQL, typed: string | undefined): SQL | undefined {
  const text = typed?.trim().toLowerCase();
  if (!text) return undefined;
  const whole = canonicalIp(text);
  if (whole !== null) return sql`${column} = ${whole}::inet`;
  return /^[0-9a-f:.]+$/.test(text) ? sql`starts_with(host(${column}), ${text})` : sql`false`;
}

const since = live_code.visible_from;

/** FROM and WHERE of a code's visitors on these days, both included. */
function visitorsOf({ id, from, to }: Asked, addresses: SQL | undefined): SQL {
  const conditions = [
    sql`visitor.live_code_id = ${id}`,
    sql`(${since} IS NULL OR visitor.last_at >= ${since})`,
    from === undefined ? undefined : sql`visitor.day >= ${from}::date`,
    to === undefined ? undefined : sql`visitor.day <= ${to}::date`,
    addresses,
  ].filter((condition) => condition !== undefined);
  return sql`visitor JOIN ${live_code} ON ${live_code.id} = visitor.live_code_id WHERE ${sql.join(conditions, sql` AND `)}`;
}

/** One row for each address. Where the history was cleared during a day, that day's visits since then are counted from rows. */
async function addressRows(db: Database, visitors: SQL, order: SQL, limit: SQL): Promise<AddressRow[]> {
  const visits = sql`CASE WHEN visitor.first_at < ${since} THEN greatest(1, (
      SELECT count(*) FROM visit WHERE visit.live_code_id = visitor.live_code_id AND visit.ip = visitor.ip AND visit.outcome = ${passed}
        AND visit.at >= ${since} AND visit.at <= visitor.last_at
    )) ELSE visitor.visits END`;
  const latest = (column: SQL): SQL => sql`(array_agg(${column} ORDER BY visitor.last_at DESC))[1]`;
  const { rows } = await db.execute<AddressRow>(sql`
    SELECT host(ip) AS ip, visits::float8 AS visits, ${millisecondsOf(sql`first_at`)} AS first_at, ${millisecondsOf(sql`last_at`)} AS last_at,
      country, region, city, carrier, source, coalesce(system, '') AS system, coalesce(system_version, '') AS system_version,
      coalesce(brand, '') AS brand, coalesce(model, '') AS model, coalesce(model_name, '') AS model_name,
      coalesce(browser, '') AS browser, coalesce(user_agent, '') AS user_agent
    FROM (
      SELECT visitor.ip, sum(${visits}) AS visits, min(greatest(visitor.first_at, ${since})) AS first_at, max(visitor.last_at) AS last_at,
        ${latest(sql`visitor.place_id`)} AS place_id, ${latest(sql`visitor.agent_id`)} AS agent_id
      FROM ${visitors} GROUP BY visitor.ip ORDER BY ${order}, ip ${limit}
    ) AS address
    JOIN visit_place ON visit_place.id = place_id
    LEFT JOIN visit_agent ON visit_agent.id = agent_id LEFT JOIN visit_device ON visit_device.id = visit_agent.device_id
    ORDER BY ${order}, address.ip`);
  return rows;
}

/**
 * The addresses that visited a code, each with its visits over the days asked for and what is known of its latest one. Whether the caller
 * may see the code must be settled before.
 */
export async function codeAddresses(db: Database, input: ParsedInputOf<Addresses>): Promise<OutputOf<Addresses>> {
  const { id, ip, from, to, page = 1, page_size = defaultPageSize, sort = 'last_at', order = 'desc' } = input;
  const visitors = visitorsOf({ id, from, to }, ipCondition(sql`visitor.ip`, ip));
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
  const rows = await addressRows(
    db,
    visitors,
    sql`${sql.identifier(sort)} ${direction}`,
    sql`LIMIT ${page_size} OFFSET ${(page - 1) * page_size}`,
  );
  const counted = await db.execute<{ total: number }>(sql`SELECT count(DISTINCT visitor.ip)::float8 AS total FROM ${visitors}`);
  const content = rows.map(({ visits, first_at, last_at, country, region, city, carrier, source, model_name, ...row }) => ({
    ...{ ip: row.ip, visits, first_at: isoOf(first_at), last_at: isoOf(last_at) },
    ...{ country, region, city, carrier, source, model_name },
  }));
  return { content, total: counted.rows[0]?.total ?? 0, page, page_size };
}

/**
 * Those of these addresses that visited a code on these days, the latest first: at most a row for each. Every address is one look-up
 * a day in the visitors' key, however many visits the code has. Whether the caller may see the code must be settled before.
 */
export async function accessRecords(
  db: Database,
  { ip_list, ...asked }: { id: number; ip_list: readonly string[]; from: string; to: string },
): Promise<AccessRecord[]> {
  const addresses = sql`visitor.ip = ANY(${sql.param([...new Set(ip_list)])}::inet[])`;
  const rows = await addressRows(db, visitorsOf(asked, addresses), sql`last_at DESC`, sql``);
  return rows.map(({ visits, first_at: _first, last_at, source, user_agent, ...row }) => ({
    ...row,
    ip_count: visits,
    latest_ip_belong: [...new Set([row.country, row.region, row.city])].filter(Boolean).join(' '),
    latest_source: source,
    latest_user_agent: user_agent,
    latest_create_time: isoOf(last_at),
  }));
}

const isoOf = (at: number): string => new Date(Math.round(at)).toISOString();
