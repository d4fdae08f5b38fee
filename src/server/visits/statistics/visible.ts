import { type SQL, sql } from 'drizzle-orm';
import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import type { SiteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';

/**
 * The codes whose visits are asked for, as a condition on `live_code`. Undefined is everything that was recorded: also visits that
 * reached no code, or one that is deleted by now; but not what passed a short code.
 */
export type CodeCondition = SQL | undefined;

/** Moments in milliseconds since 1970, both at the start of an hour of the site; `to` is not included. */
export type Span = { from: number; to: number };

export const passed = outcomes.indexOf('passed');
const granted = sql.raw(grantedOutcomes.map((outcome) => outcomes.indexOf(outcome)).join(', '));
export const isRefused = (column: SQL): SQL => sql`${column} NOT IN (${granted})`;

export const momentSql = (at: number): SQL => sql`${new Date(at).toISOString()}::timestamptz`;
/** Milliseconds since 1970 of a moment, as a number. */
export const millisecondsOf = (moment: SQL): SQL => sql`(extract(epoch FROM ${moment}) * 1000)::float8`;

const visibleFrom = live_code.visible_from;
const codeWhere = (codes: CodeCondition): SQL => codes ?? sql`true`;
/** A code that was deleted has no row any more, and visits that reached none never had. */
const joinCode = (codes: CodeCondition, id: SQL): SQL => sql`${codes ? sql`` : sql`LEFT`} JOIN ${live_code} ON ${live_code.id} = ${id}`;
/** Not a short code's, also where that is long removed. */
export const isNoShortCode = (id: SQL): SQL => sql`NOT EXISTS (SELECT FROM short_code_id WHERE short_code_id.id = ${id})`;
/**
 * Leaves out what passed a short code: whom it sent to a code is counted there. Short codes are no codes of `live_code`, so that a
 * condition on codes leaves them out by itself; only rows without a code are looked up.
 */
export const isOwnVisit = (codes: CodeCondition, id: SQL, outcome: SQL = sql`${passed}`): SQL =>
  codes ? sql`true` : sql`(${live_code.id} IS NOT NULL OR ${outcome} <> ${passed} OR ${isNoShortCode(id)})`;
/** The start of the hour of the site that a moment lies in. */
const hourSql = (moment: SQL, { to }: Span, clock: SiteClock): SQL =>
  sql`date_bin('1 hour', ${moment}, ${momentSql(clock.hourOf(to - 1))})`;

/**
 * The rows of the hour in which a code's history was cleared, since that moment: the rollup of this hour also counts what is hidden.
 * Visits of codes without log have no rows; they are seen from the next full hour on.
 */
function rowsOfClearedHour(codes: CodeCondition, span: Span, clock: SiteClock): SQL {
  const hour = hourSql(sql`${visibleFrom}`, span, clock);
  return sql`FROM ${live_code}
    JOIN visit ON visit.live_code_id = ${live_code.id} AND visit.at >= ${visibleFrom} AND visit.at < ${hour} + interval '1 hour'
      AND visit.at >= ${momentSql(span.from)} AND visit.at < ${momentSql(span.to)}
    LEFT JOIN visit_agent ON visit_agent.id = visit.agent_id
    WHERE ${codeWhere(codes)} AND ${visibleFrom} > ${hour} AND ${hour} >= ${momentSql(span.from)} AND ${hour} < ${momentSql(span.to)}`;
}

/**
 * What is visible of the counts by hour, as a subquery with the columns live_code_id, hour, outcome, visits, ips, new_ips; any number of
 * rows may stand for the same code, hour and outcome. Where a code's history was cleared, an address that comes again on that day counts
 * as one of the day again, so that visits never stand without addresses.
 */
export function visibleHours(codes: CodeCondition, span: Span, clock: SiteClock): SQL {
  return sql`(
    SELECT visit_hour.live_code_id, visit_hour.hour, visit_hour.outcome, visit_hour.visits, visit_hour.ips, visit_hour.new_ips
    FROM visit_hour ${joinCode(codes, sql`visit_hour.live_code_id`)}
    WHERE ${codeWhere(codes)} AND visit_hour.hour >= ${momentSql(span.from)} AND visit_hour.hour < ${momentSql(span.to)}
      AND (${visibleFrom} IS NULL OR visit_hour.hour >= ${visibleFrom})
      AND ${isOwnVisit(codes, sql`visit_hour.live_code_id`, sql`visit_hour.outcome`)}
    UNION ALL
    SELECT visit.live_code_id, ${hourSql(sql`visit.at`, span, clock)}, visit.outcome, 1, visit.unique_ip::integer, visit.first_visit::integer
    ${rowsOfClearedHour(codes, span, clock)}
    UNION ALL
    SELECT ${live_code.id}, ${hourSql(sql`again.at`, span, clock)}, ${passed}::smallint, 0, 1, 0
    FROM ${live_code}
    JOIN visitor ON visitor.live_code_id = ${live_code.id} AND visitor.first_at < ${visibleFrom} AND visitor.last_at >= ${visibleFrom}
      AND visitor.day BETWEEN ${visibleFrom}::date - 1 AND ${visibleFrom}::date + 1
    CROSS JOIN LATERAL (
      SELECT coalesce(min(visit.at), visitor.last_at) AS at FROM visit
      WHERE visit.live_code_id = ${live_code.id} AND visit.ip = visitor.ip AND visit.outcome = ${passed}
        AND visit.at >= ${visibleFrom} AND visit.at <= visitor.last_at
    ) AS again
    WHERE ${codeWhere(codes)} AND ${visibleFrom} IS NOT NULL AND again.at >= ${momentSql(span.from)} AND again.at < ${momentSql(span.to)}
  )`;
}

/** What is visible of the counts by place or device, as a subquery with the columns id and visits. */
export function visibleParts(kind: 'place' | 'device', codes: CodeCondition, span: Span, clock: SiteClock): SQL {
  const table = kind === 'place' ? sql`visit_hour_place` : sql`visit_hour_device`;
  const id = kind === 'place' ? sql`place_id` : sql`device_id`;
  return sql`(
    SELECT ${table}.${id} AS id, ${table}.visits FROM ${table} ${joinCode(codes, sql`${table}.live_code_id`)}
    WHERE ${codeWhere(codes)} AND ${table}.hour >= ${momentSql(span.from)} AND ${table}.hour < ${momentSql(span.to)}
      AND (${visibleFrom} IS NULL OR ${table}.hour >= ${visibleFrom})
      AND ${isOwnVisit(codes, sql`${table}.live_code_id`)}
    UNION ALL
    SELECT ${kind === 'place' ? sql`visit.place_id` : sql`visit_agent.device_id`}, 1 ${rowsOfClearedHour(codes, span, clock)}
      AND visit.outcome = ${passed}
  )`;
}

/** What is visible of the counts by target of one code, as a subquery with the columns target_id, visits and presses; presses leave no rows. */
export function visibleTargets(liveCodeId: number, span: Span, clock: SiteClock): SQL {
  const which = sql`${live_code.id} = ${liveCodeId}`;
  return sql`(
    SELECT visit_hour_target.target_id, visit_hour_target.visits, visit_hour_target.presses
    FROM live_code_target JOIN ${live_code} ON ${live_code.id} = live_code_target.live_code_id
    JOIN visit_hour_target ON visit_hour_target.target_id = live_code_target.id
    WHERE ${which} AND visit_hour_target.hour >= ${momentSql(span.from)} AND visit_hour_target.hour < ${momentSql(span.to)}
      AND (${visibleFrom} IS NULL OR visit_hour_target.hour >= ${visibleFrom})
    UNION ALL
    SELECT visit.target_id, 1, 0 ${rowsOfClearedHour(which, span, clock)} AND visit.outcome = ${passed} AND visit.target_id IS NOT NULL
  )`;
}
