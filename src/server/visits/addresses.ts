import { type SQL, sql } from 'drizzle-orm';
import type { OutputOf, ParsedInputOf } from '../../contract/kit/call.ts';
import type { qrCodeList } from '../../contract/qr-code-list.ts';
import type { Database } from '../kit/database.ts';
import { canonicalIp } from '../kit/ip.ts';
import { defaultPageSize } from '../kit/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { millisecondsOf, passed } from './visible.ts';

type Addresses = (typeof qrCodeList)['calls']['get_ip'];
type AddressRow = Omit<OutputOf<Addresses>['content'][number], 'first_at' | 'last_at'> & { first_at: number; last_at: number };

/** An address as typed: a whole one in any spelling, or the beginning of one. */
export function ipCondition(column: SQL, typed: string | undefined): SQL | undefined {
  const text = typed?.trim().toLowerCase();
  if (!text) return undefined;
  const whole = canonicalIp(text);
  if (whole !== null) return sql`${column} = ${whole}::inet`;
  return /^[0-9a-f:.]+$/.test(text) ? sql`starts_with(host(${column}), ${text})` : sql`false`;
}

/**
 * The addresses that visited a code, each with its visits over the days asked for and what is known of its latest one. Whether the caller
 * may see the code must be settled before. Where the history was cleared during a day, that day's visits since then are counted from rows.
 */
export async function codeAddresses(db: Database, input: ParsedInputOf<Addresses>): Promise<OutputOf<Addresses>> {
  const { id, ip, from, to, page = 1, page_size = defaultPageSize, sort = 'last_at', order = 'desc' } = input;
  const since = live_code.visible_from;
  const conditions = [
    sql`visitor.live_code_id = ${id}`,
    sql`(${since} IS NULL OR visitor.last_at >= ${since})`,
    from === undefined ? undefined : sql`visitor.day >= ${from}::date`,
    to === undefined ? undefined : sql`visitor.day <= ${to}::date`,
    ipCondition(sql`visitor.ip`, ip),
  ].filter((condition) => condition !== undefined);
  const visitors = sql`visitor JOIN ${live_code} ON ${live_code.id} = visitor.live_code_id WHERE ${sql.join(conditions, sql` AND `)}`;
  const visits = sql`CASE WHEN visitor.first_at < ${since} THEN greatest(1, (
      SELECT count(*) FROM visit WHERE visit.live_code_id = visitor.live_code_id AND visit.ip = visitor.ip AND visit.outcome = ${passed}
        AND visit.at >= ${since} AND visit.at <= visitor.last_at
    )) ELSE visitor.visits END`;
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`;

  const { rows } = await db.execute<AddressRow>(sql`
    SELECT host(ip) AS ip, visits::float8 AS visits, ${millisecondsOf(sql`first_at`)} AS first_at, ${millisecondsOf(sql`last_at`)} AS last_at,
      country, region, city, carrier, source, coalesce(model_name, '') AS model_name
    FROM (
      SELECT visitor.ip, sum(${visits}) AS visits, min(greatest(visitor.first_at, ${since})) AS first_at, max(visitor.last_at) AS last_at,
        (array_agg(visitor.place_id ORDER BY visitor.last_at DESC))[1] AS place_id,
        (array_agg(visitor.agent_id ORDER BY visitor.last_at DESC))[1] AS agent_id
      FROM ${visitors} GROUP BY visitor.ip
      ORDER BY ${sql.identifier(sort)} ${direction}, ip LIMIT ${page_size} OFFSET ${(page - 1) * page_size}
    ) AS address
    JOIN visit_place ON visit_place.id = place_id
    LEFT JOIN visit_agent ON visit_agent.id = agent_id LEFT JOIN visit_device ON visit_device.id = visit_agent.device_id
    ORDER BY address.${sql.identifier(sort)} ${direction}, address.ip`);
  const counted = await db.execute<{ total: number }>(sql`SELECT count(DISTINCT visitor.ip)::float8 AS total FROM ${visitors}`);
  const content = rows.map((row) => ({ ...row, first_at: isoOf(row.first_at), last_at: isoOf(row.last_at) }));
  return { content, total: counted.rows[0]?.total ?? 0, page, page_size };
}

const isoOf = (at: number): string => new Date(Math.round(at)).toISOString();
