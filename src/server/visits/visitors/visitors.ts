import { type SQL, sql } from 'drizzle-orm';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import type { CursorPage } from '../../../contract/kit/page.ts';
import type { Visitor, visitorList } from '../../../contract/visits/visitor.ts';
import { databaseCode, invalidField } from '../../kit/calls/errors.ts';
import { canonicalCidr } from '../../kit/network/ip.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { defaultPageSize } from '../../kit/rows/list.ts';
import { addDays, siteClock } from '../../kit/visits/site-clock.ts';
import { momentSql } from '../statistics/spans.ts';
import { ipCondition } from './addresses.ts';
import { blacklistedState } from './blacklist.ts';

type Input = ParsedInputOf<(typeof visitorList)['calls']['inquire']>;

/** So many rows are looked at for one answer; where too few of them match, the next call goes on from there. */
const lookedAt = 50_000;
/** Days whose visits can be added up address by address while one waits. */
const maxRankingDays = 14;
const timeoutMilliseconds = 8_000;

/** A row of `visitor`: one code, one address, one day. */
type Place = { first_us: string; live_code_id: string; ip: string };
type Rank = { visits: string; ip: string };

const cursorOf = (...parts: readonly string[]): string => parts.join('_');
const cursorPattern = { arrived_at: /^(\d{1,18})_(\d{1,16})_([0-9a-f.:]{2,45})$/, visits: /^(\d{1,16})_([0-9a-f.:]{2,45})$/ };

function readCursor(sort: 'arrived_at' | 'visits', after: string | undefined): string[] | undefined {
  if (after === undefined) return undefined;
  const parts = cursorPattern[sort].exec(after)?.slice(1);
  if (!parts || canonicalCidr(parts.at(-1) ?? '') === null) throw invalidField('after', 'invalid');
  return parts;
}

/** A whole address, a network, or the beginning of an address: its complete parts name a network, which the index can be searched by. */
function addressCondition(column: SQL, typed: string | undefined): SQL | undefined {
  const text = typed?.trim().toLowerCase();
  if (!text) return undefined;
  const network = canonicalCidr(text);
  if (network !== null && text.includes('/')) return sql`${column} <<= ${network}::cidr`;
  const begun = ipCondition(column, text);
  const octets = /^(?:\d{1,3}\.){1,3}(?=\d{0,3}$)/.exec(text)?.[0].split('.').filter(Boolean) ?? [];
  const around =
    network === null && octets.length > 0 ? canonicalCidr(`${[...octets, 0, 0, 0].slice(0, 4).join('.')}/${octets.length * 8}`) : null;
  return around === null ? begun : sql`(${column} <<= ${around}::cidr AND ${begun})`;
}

const all = (conditions: readonly (SQL | undefined)[]): SQL =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== undefined)], sql` AND `);

type Search = {
  /** Rows of codes and of the days asked for, by the name of a table or subquery that has them. */
  inDays: (rows: SQL) => SQL;
  address: SQL | undefined;
  /** What is asked of an address's newest row `came`, its `visit_place` and `visit_device`. */
  newest: SQL | undefined;
  ascending: boolean;
  limit: number;
};

const placeJoin = (rows: SQL): SQL => sql`JOIN visit_place ON visit_place.id = ${rows}.place_id
  LEFT JOIN visit_agent ON visit_agent.id = ${rows}.agent_id LEFT JOIN visit_device ON visit_device.id = visit_agent.device_id`;

/** Those that came last (or first), each at its newest row: an address whose newer row was told before isn't told again. */
async function byArrival(db: Database, search: Search, cursor: string[] | undefined) {
  const { inDays, address, newest, ascending, limit } = search;
  const direction = ascending ? sql`ASC` : sql`DESC`;
  const order = (rows: SQL) => sql`ORDER BY ${rows}.first_at ${direction}, ${rows}.live_code_id ${direction}, ${rows}.ip ${direction}`;
  const [us, code, ip] = cursor ?? [];
  const at = sql`('epoch'::timestamptz + ${us ?? '0'}::bigint * interval '1 microsecond')`;
  const beyond = cursor
    ? sql`visitor.first_at ${ascending ? sql`>=` : sql`<=`} ${at}
        AND (visitor.first_at, visitor.live_code_id, visitor.ip) ${ascending ? sql`>` : sql`<`} (${at}, ${code}::bigint, ${ip}::inet)`
    : undefined;
  const looked = (columns: SQL, end: SQL) => sql`SELECT ${columns} FROM visitor
    WHERE ${all([inDays(sql`visitor`), address, beyond])} ${order(sql`visitor`)} ${end}`;
  const place = (rows: SQL) =>
    sql`(extract(epoch FROM ${rows}.first_at) * 1000000)::bigint::text AS first_us, ${rows}.live_code_id::text AS live_code_id, host(${rows}.ip) AS ip`;

  const { rows } = await db.execute<Place & { place_id: number; agent_id: number }>(sql`
    SELECT ${place(sql`came`)}, came.place_id, came.agent_id
    FROM (${looked(sql`ip, first_at, live_code_id, place_id, agent_id`, sql`LIMIT ${lookedAt}`)}) AS came ${placeJoin(sql`came`)}
    WHERE ${all([newest])} AND NOT EXISTS (
      SELECT FROM visitor AS newer WHERE newer.ip = came.ip AND newer.first_at >= came.first_at
        AND (newer.first_at, newer.live_code_id) > (came.first_at, came.live_code_id) AND ${inDays(sql`newer`)})
    ${order(sql`came`)} LIMIT ${limit + 1}`);
  const shown = rows.slice(0, limit);
  let last: Place | undefined = rows.length > limit ? shown.at(-1) : undefined;
  if (rows.length <= limit) {
    const stopped = await db.execute<Place>(looked(place(sql`visitor`), sql`OFFSET ${lookedAt - 1} LIMIT 1`));
    last = stopped.rows[0];
  }
  return { shown, next: last ? cursorOf(last.first_us, last.live_code_id, last.ip) : null };
}

/** Those with most (or fewest) visits in the days asked for. */
async function byVisits(db: Database, search: Search, cursor: string[] | undefined) {
  const { inDays, address, newest, ascending, limit } = search;
  const direction = ascending ? sql`ASC` : sql`DESC`;
  const [visits, ip] = cursor ?? [];
  const beyond = cursor
    ? sql`HAVING (sum(visitor.visits), visitor.ip) ${ascending ? sql`>` : sql`<`} (${visits}::bigint, ${ip}::inet)`
    : sql``;
  const ranked = (end: SQL) => sql`SELECT visitor.ip, sum(visitor.visits) AS visits FROM visitor
    WHERE ${all([inDays(sql`visitor`), address])} GROUP BY visitor.ip ${beyond} ORDER BY visits ${direction}, visitor.ip ${direction} ${end}`;

  const { rows } = await db.execute<Rank & { place_id: number; agent_id: number }>(sql`
    SELECT ranked.visits::text AS visits, host(ranked.ip) AS ip, came.place_id, came.agent_id
    FROM (${ranked(sql`LIMIT ${lookedAt}`)}) AS ranked
    CROSS JOIN LATERAL (
      SELECT place_id, agent_id FROM visitor WHERE visitor.ip = ranked.ip AND ${inDays(sql`visitor`)} ORDER BY first_at DESC LIMIT 1
    ) AS came ${placeJoin(sql`came`)}
    WHERE ${all([newest])} ORDER BY ranked.visits ${direction}, ranked.ip ${direction} LIMIT ${limit + 1}`);
  const shown = rows.slice(0, limit);
  let last: Rank | undefined = rows.length > limit ? shown.at(-1) : undefined;
  if (rows.length <= limit) {
    const stopped = await db.execute<Rank>(
      sql`SELECT visits::text AS visits, host(ip) AS ip FROM (${ranked(sql`OFFSET ${lookedAt - 1} LIMIT 1`)}) AS rank`,
    );
    last = stopped.rows[0];
  }
  return { shown, next: last ? cursorOf(last.visits, last.ip) : null };
}

type Moment = 'first_at' | 'arrived_at' | 'last_at';
type Found = { ip: string; place_id: number; agent_id: number };

/** What is shown of the addresses found, in their order. */
async function tell(db: Database, found: readonly Found[], { inDays }: Search, now: Date): Promise<Visitor[]> {
  if (found.length === 0) return [];
  const listed = sql.param(JSON.stringify(found.map(({ ip, place_id, agent_id }) => ({ ip, place_id, agent_id }))));
  const { rows } = await db.execute<Omit<Visitor, Moment> & Record<Moment, number>>(sql`
    SELECT host(found.ip) AS ip, visit_place.country, visit_place.region, visit_place.city, visit_place.carrier, visit_device.source,
      coalesce(visit_device.system, '') AS system, coalesce(visit_device.brand, '') AS brand, coalesce(visit_agent.model_name, '') AS model_name,
      sums.codes, sums.visits, sums.first_at, sums.arrived_at, sums.last_at,
      ${blacklistedState(sql`found.ip`, now)} AS blacklisted
    FROM ROWS FROM (json_to_recordset(${listed}::json) AS (ip inet, place_id integer, agent_id integer)) WITH ORDINALITY
      AS found (ip, place_id, agent_id, place)
    ${placeJoin(sql`found`)}
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT live_code_id)::float8 AS codes, sum(visits)::float8 AS visits,
        (extract(epoch FROM min(first_at)) * 1000)::float8 AS first_at, (extract(epoch FROM max(first_at)) * 1000)::float8 AS arrived_at,
        (extract(epoch FROM max(last_at)) * 1000)::float8 AS last_at
      FROM visitor WHERE visitor.ip = found.ip AND ${inDays(sql`visitor`)}
    ) AS sums
    ORDER BY found.place`);
  const iso = (at: number): string => new Date(Math.round(at)).toISOString();
  return rows.map((row) => ({ ...row, first_at: iso(row.first_at), arrived_at: iso(row.arrived_at), last_at: iso(row.last_at) }));
}

/**
 * Addresses over all codes, page by page. Everything that is kept counts, also what owners cleared from their own statistics; but not the
 * way over a short code.
 * By arrival the newest rows are walked through an index, whatever the number of rows; by visits the days asked for are added up.
 */
export async function visitorPage(
  db: Database,
  { ip, place, carrier, source, from, to, sort = 'arrived_at', order, page_size: limit = defaultPageSize, after }: Input,
  { now, time_zone }: { now: Date; time_zone: string },
): Promise<CursorPage<Visitor>> {
  const clock = siteClock(time_zone);
  const today = clock.dayOf(now.getTime());
  const isRanking = sort === 'visits';
  const firstDay = from ?? (isRanking ? (to ?? today) : undefined);
  if (firstDay !== undefined && to !== undefined && firstDay > to) throw invalidField('to', 'invalid');
  if (isRanking && firstDay !== undefined && addDays(firstDay, maxRankingDays) <= (to ?? today))
    throw invalidField('from', 'range_too_long');
  const cursor = readCursor(sort, after);
  const places = await placesNamed(db, place);
  if (places?.length === 0) return { content: [], next: null };
  const search: Search = {
    inDays: (rows) =>
      all([
        firstDay === undefined ? undefined : sql`${rows}.first_at >= ${momentSql(clock.startOf(firstDay))}`,
        to === undefined ? undefined : sql`${rows}.first_at < ${momentSql(clock.startOf(addDays(to, 1)))}`,
      ]),
    address: addressCondition(sql`visitor.ip`, ip),
    newest: all([
      places && sql`came.place_id = ANY (${sql.param(places)}::integer[])`,
      carrier === undefined ? undefined : sql`visit_place.carrier = ${carrier}`,
      source === undefined ? undefined : sql`visit_device.source = ${source}`,
    ]),
    ascending: order === 'asc',
    limit,
  };
  try {
    return await db.transaction(async (tx) => {
      const own = tx as unknown as Database;
      await own.execute(sql`SET LOCAL statement_timeout = ${sql.raw(String(timeoutMilliseconds))}; SET LOCAL work_mem = '64MB'`);
      const { shown, next } = isRanking ? await byVisits(own, search, cursor) : await byArrival(own, search, cursor);
      return { content: await tell(own, shown, search, now), next };
    });
  } catch (error) {
    throw databaseCode(error) === '57014' ? invalidField('from', 'range_too_long') : error;
  }
}

/**
 * The places whose name holds the text; undefined without one. They are looked up first, because how many visits they stand for decides
 * how to search, and the database can't guess it from a pattern.
 */
async function placesNamed(db: Database, typed: string | undefined): Promise<number[] | undefined> {
  const text = typed?.trim();
  if (!text) return undefined;
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await db.execute<{ ids: number[] | null }>(
    sql`SELECT array_agg(id) AS ids FROM visit_place WHERE country || ' ' || region || ' ' || city ILIKE ${pattern}`,
  );
  return rows[0]?.ids ?? [];
}
