import { type SQL, sql } from 'drizzle-orm';
import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { addDays, type SiteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { codeWhere, hourCounts, joinCode } from './hour-counts.ts';
import { type CodeCondition, inSpan, momentSql, type Span } from './spans.ts';

export const passed = outcomes.indexOf('passed');
export const ofProgram = outcomes.indexOf('program');
export const ofOwner = outcomes.indexOf('own');
const granted = sql.raw(grantedOutcomes.map((outcome) => outcomes.indexOf(outcome)).join(', '));
export const isRefused = (column: SQL): SQL => sql`${column} NOT IN (${granted})`;

const visibleFrom = live_code.visible_from;
/** An address that comes again does so at the latest on the day after the one on which the history was cleared. */
const clearedDays = 3 * 86_400_000;
/**
 * Leaves out what passed a short code: whom it sent to a code is counted there. A condition on codes leaves visits of short codes out by
 * itself.
 */
export const isOwnVisit = (codes: CodeCondition, rows: SQL): SQL =>
  codes ? sql`true` : sql`(coalesce(${rows}.short_code_id, 0) = 0 OR ${rows}.outcome NOT IN (${passed}, ${ofProgram}, ${ofOwner}))`;
/** The start of the hour of the site that a moment lies in. */
export const hourSql = (moment: SQL, { to }: Span, clock: SiteClock): SQL =>
  sql`date_bin('1 hour', ${moment}, ${momentSql(clock.hourOf(to - 1))})`;

/**
 * What was cleared of the histories that are asked for: whether a part of the span is hidden, and whether one was cleared so near that an
 * hour or the addresses of a day have to be told apart. Where nothing was, statements look at no rows of visits.
 */
export type Hidden = { some: boolean; near: boolean };
export const anyHidden: Hidden = { some: true, near: true };
/** Codes are looked up only where they decide: to the planner visits of the last minutes are none, and it would do so for each. */
const areCodesAsked = (codes: CodeCondition, { some }: Hidden): boolean => codes !== undefined || some;

export async function hiddenOf(db: Database, codes: CodeCondition, { from, to }: Span): Promise<Hidden> {
  const { rows } = await db.execute<Hidden>(sql`
    SELECT coalesce(bool_or(${visibleFrom} > ${momentSql(from)}), false) AS some, coalesce(bool_or(${visibleFrom} < ${momentSql(to)}), false) AS near
    FROM ${live_code} WHERE ${visibleFrom} >= ${momentSql(from - clearedDays)} AND ${codeWhere(codes)}`);
  return rows[0] ?? anyHidden;
}

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

/** What stands for a code's history that was cleared within an hour or on a day: nothing where none was. */
const cleared = ({ near }: Hidden, parts: SQL): SQL => (near ? sql`UNION ALL ${parts}` : sql``);

/** Addresses that come again on the day on which the history was cleared. */
const comeAgain = (codes: CodeCondition, span: Span, clock: SiteClock): SQL => sql`
    SELECT ${live_code.id}, ${hourSql(sql`again.at`, span, clock)}, ${passed}::smallint, 0, 1, 0
    FROM ${live_code}
    JOIN visitor ON visitor.live_code_id = ${live_code.id} AND visitor.first_at < ${visibleFrom} AND visitor.last_at >= ${visibleFrom}
      AND visitor.day BETWEEN ${visibleFrom}::date - 1 AND ${visibleFrom}::date + 1
      AND ${visibleFrom} >= ${momentSql(span.from - clearedDays)}
    CROSS JOIN LATERAL (
      SELECT coalesce(min(visit.at), visitor.last_at) AS at FROM visit
      WHERE visit.live_code_id = ${live_code.id} AND visit.ip = visitor.ip AND visit.outcome = ${passed}
        AND visit.at >= ${visibleFrom} AND visit.at <= visitor.last_at
        -- Whatever lies outside cannot come again within the span; said as constants, other days' partitions are not even planned for.
        AND visit.at >= ${momentSql(span.from - clearedDays)} AND visit.at < ${momentSql(span.to)}
    ) AS again
    WHERE ${codeWhere(codes)} AND ${visibleFrom} IS NOT NULL AND ${inSpan(sql`again.at`, span)}`;

const clearedSums = (codes: CodeCondition, span: Span, clock: SiteClock): SQL => sql`
    SELECT visit.live_code_id, ${hourSql(sql`visit.at`, span, clock)}, visit.outcome, 1, visit.unique_ip::integer, visit.first_visit::integer
    ${rowsOfClearedHour(codes, span, clock)}
    UNION ALL ${comeAgain(codes, span, clock)}`;

/**
 * What is visible of the counts by hour, as a subquery with the columns live_code_id, hour, outcome, visits, ips, new_ips; any number of
 * rows may stand for the same code, hour and outcome. Where a code's history was cleared, an address that comes again on that day counts
 * as one of the day again, so that visits never stand without addresses.
 */
export function visibleHours(codes: CodeCondition, span: Span, clock: SiteClock, hidden = anyHidden): SQL {
  return sql`(
    SELECT * FROM ${hourCounts('visit_hour', codes, span, { isSingle: isOwnVisit(codes, sql`visit_hour`), withCodes: areCodesAsked(codes, hidden) })} AS counts
    ${cleared(hidden, clearedSums(codes, span, clock))}
  )`;
}

/** Codes whose figures within a span are touched by a clearing of their history. */
export const isClearedNear = ({ from }: Span): SQL => sql`coalesce(${visibleFrom} >= ${momentSql(from - clearedDays)}, false)`;

/** The sums of each code, with the columns live_code_id, visits, ips, new_ips and refused; codes that nobody visited may be left out. */
export const sumsOfCodes = (codes: CodeCondition, span: Span, clock: SiteClock, hidden = anyHidden): SQL => sql`(
  SELECT live_code_id, coalesce(sum(visits) FILTER (WHERE outcome = ${passed}), 0)::float8 AS visits, sum(ips)::float8 AS ips, sum(new_ips)::float8 AS new_ips,
    coalesce(sum(visits) FILTER (WHERE ${isRefused(sql`outcome`)}), 0)::float8 AS refused
  FROM ${visibleHours(codes, span, clock, hidden)} AS visible GROUP BY live_code_id)`;

/** The counts of codes before their histories were cleared, as a subquery: what is hidden of the counts over all codes. */
const hiddenCounts = (table: 'visit_hour' | 'visit_hour_origin', span: Span): SQL =>
  hourCounts(table, sql`${visibleFrom} > ${momentSql(span.from)}`, span, {
    isMeant: (hour, visible_from) => sql`${hour} < ${visible_from}`,
  });
const less = ({ some }: Hidden, parts: SQL): SQL => (some ? sql`UNION ALL ${parts}` : sql``);

/** As `visibleHours`, but for the codes: all of them are counted together where all are asked for. */
export function visibleSums(codes: CodeCondition, span: Span, clock: SiteClock, hidden = anyHidden): SQL {
  if (codes) return visibleHours(codes, span, clock, hidden);
  return sql`(
    SELECT hour, outcome, visits, ips, new_ips FROM visit_site_hour WHERE ${inSpan(sql`hour`, span)}
    ${less(hidden, sql`SELECT hour, outcome, -visits, -ips, -new_ips FROM ${hiddenCounts('visit_hour', span)} AS gone`)}
    ${cleared(hidden, sql`SELECT hour, outcome, visits, ips, new_ips FROM (${clearedSums(codes, span, clock)}) AS part (live_code_id, hour, outcome, visits, ips, new_ips)`)}
  )`;
}

const clearedOrigins = (codes: CodeCondition, span: Span, clock: SiteClock): SQL => sql`
    SELECT visit.place_id, visit_agent.device_id, ${hourSql(sql`visit.at`, span, clock)} AS hour, 1 AS visits ${rowsOfClearedHour(codes, span, clock)} AND visit.outcome = ${passed}`;

/** What is visible of the counts by place and device, as a subquery with the columns place_id, device_id, hour and visits; 0 is unknown. */
export function visibleOrigins(codes: CodeCondition, span: Span, clock: SiteClock, hidden = anyHidden): SQL {
  return sql`(
    SELECT place_id, device_id, hour, visits FROM ${hourCounts('visit_hour_origin', codes, span, { withCodes: areCodesAsked(codes, hidden) })} AS counts
    ${cleared(hidden, clearedOrigins(codes, span, clock))}
  )`;
}

/**
 * What is visible of all codes' counts by place or by device, as a subquery with the columns id, hour and visits. Without `byHour` whole days
 * are told by their first moment, and only the day that the span ends in by hour.
 */
export function visibleOfSite(kind: 'place' | 'device', span: Span, clock: SiteClock, byHour: boolean, hidden = anyHidden): SQL {
  const id = sql.identifier(`${kind}_id`);
  const startOf = (at: number) => clock.startOf(clock.dayOf(at));
  // A span that begins within a day has its hours up to its end, or the next day.
  const begins = startOf(span.from) === span.from ? span.from : clock.startOf(addDays(clock.dayOf(span.from), 1));
  const days = { from: begins, to: byHour ? begins : startOf(span.to) };
  const hasDays = days.to > days.from;
  const hours = hasDays
    ? [
        { from: span.from, to: days.from },
        { from: days.to, to: span.to },
      ]
    : [span];
  const ofDays = sql`SELECT ${id} AS id, day AS hour, visits FROM ${sql.identifier(`visit_day_${kind}`)} WHERE ${inSpan(sql`day`, days)}`;
  const ofHours = (part: Span) =>
    sql`SELECT ${id} AS id, hour, visits FROM ${sql.identifier(`visit_site_${kind}`)} WHERE ${inSpan(sql`hour`, part)}`;
  const parts = [...(hasDays ? [ofDays] : []), ...hours.filter(({ from, to }) => !hasDays || to > from).map(ofHours)];
  return sql`(
    ${sql.join(parts, sql` UNION ALL `)}
    ${less(hidden, sql`SELECT ${id}, hour, -visits FROM ${hiddenCounts('visit_hour_origin', span)} AS gone WHERE ${id} > 0`)}
    ${cleared(hidden, sql`SELECT ${id}, hour, visits FROM (${clearedOrigins(undefined, span, clock)}) AS part`)}
  )`;
}

/**
 * What is visible of the counts by target, as a subquery with the columns target_id, hour, visits and presses; presses leave no rows.
 * `withGone` also of targets that are gone, `isPressed` only those with presses.
 */
export function visibleTargets(
  codes: CodeCondition,
  span: Span,
  clock: SiteClock,
  hidden = anyHidden,
  { withGone = false, isPressed = false }: { withGone?: boolean | undefined; isPressed?: boolean } = {},
): SQL {
  const pressed = isPressed ? { isSingle: sql`visit_hour_target.presses > 0`, isPacked: sql`0 < ANY (packed.presses)` } : {};
  return sql`(
    SELECT target_id, hour, visits, presses FROM ${hourCounts('visit_hour_target', codes, span, { ...pressed, withCodes: !withGone || areCodesAsked(codes, hidden) })} AS counts
    ${cleared(hidden, sql`SELECT visit.target_id, ${hourSql(sql`visit.at`, span, clock)}, 1, 0 ${rowsOfClearedHour(codes, span, clock)} AND visit.outcome = ${passed} AND visit.target_id IS NOT NULL`)}
  )`;
}

/**
 * What is visible of the counts by alias, as a subquery with the columns key_id, hour and visits; key_id is null where a row came by its
 * code's own key, or by one that is gone.
 */
export function visibleKeys(codes: CodeCondition, span: Span, clock: SiteClock, hidden = anyHidden): SQL {
  const keyOfRow = sql`(
    SELECT live_code_key.id FROM live_code_key JOIN visit_text ON visit_text.id = visit.path_id
    WHERE live_code_key.live_code_id = visit.live_code_id AND NOT live_code_key.own
      AND live_code_key.key = visit_path_key(visit_text.text))`;
  return sql`(
    SELECT visit_hour_key.key_id, visit_hour_key.hour, visit_hour_key.visits
    FROM visit_hour_key ${joinCode(codes, sql`visit_hour_key.live_code_id`)}
    WHERE ${codeWhere(codes)} AND ${inSpan(sql`visit_hour_key.hour`, span)}
      AND (${visibleFrom} IS NULL OR visit_hour_key.hour >= ${visibleFrom})
    ${cleared(hidden, sql`SELECT ${keyOfRow}, ${hourSql(sql`visit.at`, span, clock)}, 1 ${rowsOfClearedHour(codes, span, clock)} AND visit.outcome = ${passed}`)}
  )`;
}

/** The visits that kept a row, behind FROM and with a WHERE that goes on; the span may begin and end at any moment. */
export function visibleRows(
  codes: CodeCondition,
  span: Span,
  { joins = sql``, hidden = anyHidden }: { joins?: SQL | undefined; hidden?: Hidden } = {},
): SQL {
  const withCodes = areCodesAsked(codes, hidden);
  const isSeen = withCodes ? sql`(${visibleFrom} IS NULL OR visit.at >= ${visibleFrom})` : sql`true`;
  return sql`visit ${withCodes ? joinCode(codes, sql`visit.live_code_id`) : sql``} ${joins}
  WHERE ${codeWhere(codes)} AND visit.at >= ${momentSql(span.from)} AND visit.at < ${momentSql(span.to)} AND ${isSeen}
    AND ${isOwnVisit(codes, sql`visit`)}`;
}
