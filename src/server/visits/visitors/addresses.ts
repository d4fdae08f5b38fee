import { eq, type SQL, sql } from 'drizzle-orm';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { VisitSource } from '../../../contract/enums.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { AccessRecord } from '../../../contract/visits/access-log.ts';
import { canonicalIp } from '../../kit/network/ip.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { defaultPageSize } from '../../kit/rows/list.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { millisecondsOf, momentSql } from '../statistics/spans.ts';
import { passed } from '../statistics/visible.ts';

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

/** An address as typed: a whole one in any spelling, or the beginning of one. */
export function ipCondition(column: SQL, typed: string | undefined): SQL | undefined {
  const text = typed?.trim().toLowerCase();
  if (!text) return undefined;
  const whole = canonicalIp(text);
  if (whole !== null) return sql`${column} = ${whole}::inet`;
  return /^[0-9a-f:.]+$/.test(text) ? sql`starts_with(host(${column}), ${text})` : sql`false`;
}

const since = live_code.visible_from;

/** When the code's history begins, as the database writes it; null where it was never cleared. */
async function historyStart(db: Database, id: number): Promise<string | null> {
  const [code] = await db
    .select({ cleared: sql<string | null>`${since}::text` })
    .from(live_code)
    .where(eq(live_code.id, id));
  return code?.cleared ?? null;
}

type Asked = { id: number; from: string | undefined; to: string | undefined; cleared: string | null };
/** Which addresses are asked for, as a condition on a column; undefined where all are. */
type AddressCondition = (column: SQL) => SQL | undefined;

const allOf = (conditions: readonly (SQL | undefined)[]): SQL =>
  sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` AND `,
  );

/** Conditions on the visitors of a code on these days, both included. */
const visitorsOf = ({ id, from, to, cleared }: Asked, addresses: AddressCondition): SQL =>
  allOf([
    sql`visitor.live_code_id = ${id}`,
    cleared === null ? undefined : sql`visitor.last_at >= ${cleared}::timestamptz`,
    from === undefined ? undefined : sql`visitor.day >= ${from}::date`,
    to === undefined ? undefined : sql`visitor.day <= ${to}::date`,
    addresses(sql`visitor.ip`),
  ]);

/**
 * Visits by address since the history was cleared, of the rest of that day only, with the columns ip and visits. They are counted from
 * rows in one pass: asking the rows for each address would read the day as often as there are addresses.
 */
function visitsOfClearedDay({ id }: Asked, cleared: string, addresses: AddressCondition): SQL {
  const start = sql`${cleared}::timestamptz`;
  const touched = allOf([
    sql`visitor.live_code_id = ${id} AND visitor.first_at < ${start} AND visitor.last_at >= ${start}`,
    sql`visitor.day BETWEEN ${start}::date - 1 AND ${start}::date + 1`,
    addresses(sql`visitor.ip`),
  ]);
  const rows = allOf([
    sql`visit.live_code_id = ${id} AND visit.outcome = ${passed} AND visit.at >= ${start}`,
    sql`visit.at <= (SELECT max(visitor.last_at) FROM visitor WHERE ${touched})`,
    addresses(sql`visit.ip`),
  ]);
  return sql`SELECT visit.ip, count(*) AS visits FROM visit WHERE ${rows} GROUP BY visit.ip`;
}

/** One row for each address. */
async function addressRows(db: Database, asked: Asked, addresses: AddressCondition, order: SQL, limit: SQL): Promise<AddressRow[]> {
  const { cleared } = asked;
  const start = sql`${cleared}::timestamptz`;
  const again =
    cleared === null ? sql`` : sql`LEFT JOIN (${visitsOfClearedDay(asked, cleared, addresses)}) AS again ON again.ip = visitor.ip`;
  const visits =
    cleared === null
      ? sql`visitor.visits`
      : sql`CASE WHEN visitor.first_at < ${start} THEN greatest(1, coalesce(again.visits, 0)) ELSE visitor.visits END`;
  const latest = (column: SQL): SQL => sql`(array_agg(${column} ORDER BY visitor.last_at DESC))[1]`;
  const { rows } = await db.execute<AddressRow>(sql`
    SELECT host(ip) AS ip, visits::float8 AS visits, ${millisecondsOf(sql`first_at`)} AS first_at, ${millisecondsOf(sql`last_at`)} AS last_at,
      country, region, city, carrier, source, coalesce(system, '') AS system, coalesce(system_version, '') AS system_version,
      coalesce(brand, '') AS brand, coalesce(model, '') AS model, coalesce(model_name, '') AS model_name,
      coalesce(browser, '') AS browser, coalesce(user_agent, '') AS user_agent
    FROM (
      SELECT visitor.ip, sum(${visits}) AS visits, min(greatest(visitor.first_at, ${start})) AS first_at, max(visitor.last_at) AS last_at,
        ${latest(sql`visitor.place_id`)} AS place_id, ${latest(sql`visitor.agent_id`)} AS agent_id
      FROM visitor ${again} WHERE ${visitorsOf(asked, addresses)} GROUP BY visitor.ip ORDER BY ${order}, ip ${limit}
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
  const asked = { id, from, to, cleared: await historyStart(db, id) };
  const addresses: AddressCondition = (column) => ipCondition(column, ip);
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
  const sorting = sql`${sql.identifier(sort)} ${direction}`;
  const rows = await addressRows(db, asked, addresses, sorting, sql`LIMIT ${page_size} OFFSET ${(page - 1) * page_size}`);
  const counted = await db.execute<{ total: number }>(
    sql`SELECT count(DISTINCT visitor.ip)::float8 AS total FROM visitor WHERE ${visitorsOf(asked, addresses)}`,
  );
  const content = rows.map(({ visits, first_at, last_at, country, region, city, carrier, source, model_name, ...row }) => ({
    ...{ ip: row.ip, visits, first_at: isoOf(first_at), last_at: isoOf(last_at) },
    ...{ country, region, city, carrier, source, model_name },
  }));
  return { content, total: counted.rows[0]?.total ?? 0, page, page_size };
}

/**
 * By address the key that its latest visit asked for, where that kept a row: a look-up for each, in the partition of its day.
 */
async function latestKeys(db: Database, id: number, addresses: readonly AddressRow[]): Promise<Map<string, string>> {
  const moments = addresses.map(({ last_at }) => Math.round(last_at));
  if (moments.length === 0) return new Map();
  const { rows } = await db.execute<{ ip: string; key: string }>(sql`
    SELECT host(latest.ip) AS ip, visit_path_key(visit_text.text) AS key
    FROM unnest(${sql.param(addresses.map(({ ip }) => ip))}::inet[], ${sql.param(moments.map(isoOf))}::timestamptz[]) AS latest (ip, at)
    CROSS JOIN LATERAL (
      SELECT visit.path_id FROM visit
      WHERE visit.live_code_id = ${id} AND visit.at = latest.at AND visit.ip = latest.ip AND visit.outcome = ${passed}
        -- Said as constants, other days' partitions are not even planned for.
        AND visit.at >= ${momentSql(Math.min(...moments))} AND visit.at <= ${momentSql(Math.max(...moments))}
      ORDER BY visit.id DESC LIMIT 1
    ) AS visit
    JOIN visit_text ON visit_text.id = visit.path_id`);
  return new Map(rows.map(({ ip, key }) => [ip, key]));
}

/**
 * Those of these addresses that visited a code on these days, the latest first: at most a row for each. Every address is one look-up
 * in the visitors' key, however many visits the code has. Whether the caller may see the code, and its keys, must be settled before.
 */
export async function accessRecords(
  db: Database,
  { ip_list, withKeys, ...days }: { id: number; ip_list: readonly string[]; withKeys: boolean; from: string; to: string },
): Promise<AccessRecord[]> {
  const list = sql`${sql.param([...new Set(ip_list)])}::inet[]`;
  const asked = { ...days, cleared: await historyStart(db, days.id) };
  const rows = await addressRows(db, asked, (column) => sql`${column} = ANY(${list})`, sql`last_at DESC`, sql``);
  const keys = withKeys ? await latestKeys(db, days.id, rows) : null;
  return rows.map(({ visits, first_at: _first, last_at, source, user_agent, ...row }) => ({
    ...row,
    ip_count: visits,
    latest_ip_belong: [...new Set([row.country, row.region, row.city])].filter(Boolean).join(' '),
    latest_source: source,
    latest_user_agent: user_agent,
    latest_create_time: isoOf(last_at),
    latest_key: keys && (keys.get(row.ip) ?? ''),
  }));
}

const isoOf = (at: number): string => new Date(Math.round(at)).toISOString();
