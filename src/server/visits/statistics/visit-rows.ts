import { type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../contract/enums.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { qrCodeAccess, VisitRow } from '../../../contract/visits/statistics.ts';
import { shownHost } from '../../domains/domains.public.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { defaultPageSize } from '../../kit/rows/list.ts';
import { addDays, type SiteClock, siteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { ipCondition } from '../visitors/addresses.ts';
import { millisecondsOf, momentSql } from './spans.ts';

type Inquiry = (typeof qrCodeAccess)['calls']['inquire'];
type StoredRow = Omit<VisitRow, 'at' | 'outcome' | 'host_unicode'> & { at: number; outcome: number };

/** Visits that asked for this key, in whatever spelling. */
const cameBy = (key: string): SQL => sql`visit.path_id IN (
  SELECT named.id FROM visit_text AS named WHERE visit_path_key(named.text) <> '' AND visit_path_key(named.text) = ${key})`;

/** A code's visits that kept a row, newest first where nothing else is asked for. Whether the caller may see the code must be settled before. */
export async function visitRows(db: Database, input: ParsedInputOf<Inquiry>, timeZone: string): Promise<OutputOf<Inquiry>> {
  const { page = 1, page_size = defaultPageSize, order = 'desc' } = input;
  const rows = sql`${visitsFrom} WHERE ${visitsWhere(input, timeZone)}`;
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
  const page_rows = sql`SELECT visit.* FROM ${rows} ORDER BY visit.at ${direction}, visit.id ${direction} LIMIT ${page_size} OFFSET ${(page - 1) * page_size}`;
  const content = await namedRows(db, page_rows, direction);
  const counted = await db.execute<{ total: number }>(sql`SELECT count(*)::float8 AS total FROM ${rows}`);
  return { content, total: counted.rows[0]?.total ?? 0, page, page_size };
}

/** Rows of visits with what their numbers stand for. They are cut before names are looked up, so that only they cost that. */
async function namedRows(db: Database, rows: SQL, direction: SQL): Promise<VisitRow[]> {
  const found = await db.execute<StoredRow>(sql`
    SELECT visit.id::text AS id, ${millisecondsOf(sql`visit.at`)} AS at, visit.live_code_id::float8 AS live_code_id, visit.target_id::float8 AS target_id,
      left(coalesce(nullif(target.name, ''), nullif(target.content, ''), '#' || visit.target_id, ''), 120) AS target_name, visit.outcome, host.text AS host, path.text AS path,
      visit_path_key(path.text) AS key, host(visit.ip) AS ip, country, region, city, carrier, source, system, system_version,
      brand, model, model_name, browser, coalesce(language.text, '') AS language, coalesce(referer.text, '') AS referer, user_agent, first_visit
    FROM (${rows}) AS visit
    JOIN visit_text AS host ON host.id = visit.host_id JOIN visit_text AS path ON path.id = visit.path_id
    LEFT JOIN visit_text AS referer ON referer.id = visit.referer_id LEFT JOIN visit_text AS language ON language.id = visit.language_id
    LEFT JOIN live_code_target AS target ON target.id = visit.target_id
    JOIN visit_place ON visit_place.id = visit.place_id
    JOIN visit_agent ON visit_agent.id = visit.agent_id JOIN visit_device ON visit_device.id = visit_agent.device_id
    ORDER BY visit.at ${direction}, visit.id ${direction}`);
  return found.rows.flatMap((row) => {
    const outcome = outcomes[row.outcome];
    return outcome ? [{ ...row, host_unicode: shownHost(row.host), at: new Date(Math.round(row.at)).toISOString(), outcome }] : [];
  });
}

type Filters = Pick<ParsedInputOf<Inquiry>, 'live_code_id' | 'outcome' | 'ip' | 'key' | 'from' | 'to'>;

/** Which rows of `visit` joined with `live_code` fit the filters. */
export const visitsWhere = (filters: Filters, timeZone: string): SQL => sql.join(conditionsOf(filters, timeZone), sql` AND `);
export const visitsFrom = sql`visit JOIN ${live_code} ON ${live_code.id} = visit.live_code_id`;

/** The rows that follow this one, newest first, of those that fit. */
export function visitsAfter(
  db: Database,
  where: SQL | undefined,
  { after, limit }: { after: VisitRow | undefined; limit: number },
): Promise<VisitRow[]> {
  // Times on the wire are cut to milliseconds: the row itself tells where it stands.
  const isBehind = after
    ? sql`(visit.at, visit.id) < (SELECT at, id FROM visit WHERE id = ${after.id}::bigint AND at >= ${after.at}::timestamptz - interval '1 second' AND at <= ${after.at}::timestamptz + interval '1 second')`
    : sql`true`;
  return namedRows(
    db,
    sql`SELECT visit.* FROM ${visitsFrom} WHERE ${where ?? sql`true`} AND ${isBehind} ORDER BY visit.at DESC, visit.id DESC LIMIT ${limit}`,
    sql`DESC`,
  );
}

/** A day after year 9999 has no spelling that sorts, and none before 2000 has visits. */
function startOf(path: string, day: string, clock: SiteClock): number {
  if (day < '2000-01-01' || day >= '2200-01-01') throw invalidField(path, 'invalid_format');
  return clock.startOf(day);
}

function conditionsOf({ live_code_id, outcome, ip, key, from, to }: Filters, timeZone: string): SQL[] {
  const clock = siteClock(timeZone);
  return [
    sql`visit.live_code_id = ${live_code_id}`,
    sql`(${live_code.visible_from} IS NULL OR visit.at >= ${live_code.visible_from})`,
    outcome === undefined ? undefined : sql`visit.outcome = ${outcomes.indexOf(outcome)}`,
    ipCondition(sql`visit.ip`, ip),
    key ? cameBy(key) : undefined,
    from === undefined ? undefined : sql`visit.at >= ${momentSql(startOf('from', from, clock))}`,
    to === undefined ? undefined : sql`visit.at < ${momentSql(startOf('to', addDays(to, 1), clock))}`,
  ].filter((condition) => condition !== undefined);
}
