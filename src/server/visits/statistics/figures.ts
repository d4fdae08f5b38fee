import { type SQL, sql } from 'drizzle-orm';
import { type Outcome, outcomes } from '../../../contract/enums.ts';
import type { Breakdowns, SeriesPoint } from '../../../contract/visits/statistics.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { SiteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { type CodeCondition, isOwnVisit, isRefused, momentSql, passed, type Span, visibleHours, visibleParts } from './visible.ts';

export type Sums = { visits: number; ips: number; new_ips: number; refused: number };
const noSums: Sums = { visits: 0, ips: 0, new_ips: 0, refused: 0 };

/** The parts of a dimension that are told: the largest ones. */
const largestParts = 50;

/** A column summed, as a number; 0 without rows. Sums stay far below 2^53. */
const total = (column: SQL): SQL => sql`coalesce(sum(${column}), 0)::float8`;
const sumColumns = sql`coalesce(sum(visits) FILTER (WHERE outcome = ${passed}), 0)::float8 AS visits, ${total(sql`ips`)} AS ips,
  ${total(sql`new_ips`)} AS new_ips, coalesce(sum(visits) FILTER (WHERE ${isRefused(sql`outcome`)}), 0)::float8 AS refused`;

/** The figures of each step; `starts` are the moments at which steps begin, the last one ends with the span. */
export async function seriesOf(
  db: Database,
  codes: CodeCondition,
  starts: readonly number[],
  end: number,
  clock: SiteClock,
): Promise<SeriesPoint[]> {
  const [first] = starts;
  if (first === undefined) return [];
  const moments = sql`${sql.param(starts.map((start) => new Date(start).toISOString()))}::timestamptz[]`;
  const { rows } = await db.execute<Sums & { step: number }>(sql`
    SELECT width_bucket(hour, ${moments}) AS step, ${sumColumns}
    FROM ${visibleHours(codes, { from: first, to: end }, clock)} AS visible GROUP BY step`);
  const byStep = new Map(rows.map(({ step, ...sums }) => [step, sums]));
  return starts.map((start, index) => ({ at: new Date(start).toISOString(), ...(byStep.get(index + 1) ?? noSums) }));
}

export function sumOf(points: readonly Sums[]): Sums {
  const sums = { ...noSums };
  for (const point of points) {
    sums.visits += point.visits;
    sums.ips += point.ips;
    sums.new_ips += point.new_ips;
    sums.refused += point.refused;
  }
  return sums;
}

/** The figures of a part of an hour, counted from rows: of codes without log nothing. */
export async function sumsOfRows(db: Database, codes: CodeCondition, span: Span): Promise<Sums> {
  const { rows } = await db.execute<Sums>(sql`
    SELECT count(*) FILTER (WHERE outcome = ${passed})::float8 AS visits, count(*) FILTER (WHERE unique_ip)::float8 AS ips,
      count(*) FILTER (WHERE first_visit)::float8 AS new_ips, count(*) FILTER (WHERE ${isRefused(sql`outcome`)})::float8 AS refused
    FROM ${visibleRows(codes, span)}`);
  return rows[0] ?? noSums;
}

const visibleRows = (
  codes: CodeCondition,
  span: Span,
): SQL => sql`visit ${codes ? sql`` : sql`LEFT`} JOIN ${live_code} ON ${live_code.id} = visit.live_code_id
  WHERE ${codes ?? sql`true`} AND visit.at >= ${momentSql(span.from)} AND visit.at < ${momentSql(span.to)}
    AND (${live_code.visible_from} IS NULL OR visit.at >= ${live_code.visible_from})
    AND ${isOwnVisit(codes, sql`visit.live_code_id`, sql`visit.outcome`)}`;

/** Codes with a visit that passed, in whole hours and, after them, in rows. */
export async function activeCodes(
  db: Database,
  codes: CodeCondition,
  hours: Span,
  clock: SiteClock,
  rowsUntil = hours.to,
): Promise<number> {
  const { rows } = await db.execute<{ codes: number }>(sql`
    SELECT count(DISTINCT live_code_id)::float8 AS codes FROM (
      SELECT live_code_id FROM ${visibleHours(codes, hours, clock)} AS visible WHERE outcome = ${passed} AND visits > 0
      UNION ALL
      SELECT visit.live_code_id FROM ${visibleRows(codes, { from: hours.to, to: rowsUntil })} AND outcome = ${passed}
    ) AS active`);
  return rows[0]?.codes ?? 0;
}

export type TopCode = { live_code_id: number; name: string; file_name: string; visits: number; ips: number };

/** The codes with most visits that passed. */
export async function topCodes(db: Database, codes: CodeCondition, span: Span, clock: SiteClock, limit = 20): Promise<TopCode[]> {
  const { rows } = await db.execute<TopCode>(sql`
    SELECT ${live_code.id}::float8 AS live_code_id, name, file_name, top.visits, top.ips FROM (
      SELECT live_code_id, ${total(sql`visits`)} AS visits, ${total(sql`ips`)} AS ips
      FROM ${visibleHours(codes, span, clock)} AS visible WHERE outcome = ${passed} GROUP BY live_code_id
    ) AS top JOIN ${live_code} ON ${live_code.id} = top.live_code_id
    WHERE top.visits > 0 ORDER BY top.visits DESC, ${live_code.id} LIMIT ${limit}`);
  return rows;
}

/** Visits by what became of them, most frequent first. */
export async function outcomeCounts(
  db: Database,
  codes: CodeCondition,
  span: Span,
  clock: SiteClock,
): Promise<{ outcome: Outcome; visits: number }[]> {
  const { rows } = await db.execute<{ outcome: number; visits: number }>(sql`
    SELECT outcome, ${total(sql`visits`)} AS visits FROM ${visibleHours(codes, span, clock)} AS visible
    GROUP BY outcome HAVING sum(visits) > 0 ORDER BY visits DESC, outcome`);
  return rows.flatMap(({ outcome, visits }) => {
    const name = outcomes[outcome];
    return name ? [{ outcome: name, visits }] : [];
  });
}

type Part = { value: string; visits: number };

/** Visits that passed by place and device: the largest parts of each dimension, largest first. */
export async function breakdownsOf(db: Database, codes: CodeCondition, span: Span, clock: SiteClock): Promise<Breakdowns> {
  const places = await partsOf(db, sql`visit_place`, ['country', 'region', 'city', 'carrier'], visibleParts('place', codes, span, clock));
  const devices = await partsOf(
    db,
    sql`visit_device`,
    ['source', 'system', 'brand', 'browser'],
    visibleParts('device', codes, span, clock),
  );
  return { ...places, ...devices };
}

/** Groups once by id and then, in one pass, by each column of the table that the ids stand for. */
async function partsOf<D extends string>(db: Database, table: SQL, dimensions: readonly D[], visible: SQL): Promise<Record<D, Part[]>> {
  const columns = dimensions.map((name) => sql.identifier(name));
  const all = sql.join(columns, sql`, `);
  const sets = sql.join(
    columns.map((column) => sql`(${column})`),
    sql`, `,
  );
  // GROUPING has a bit for each column that a row is not grouped by, the first column's highest.
  const everyBit = 2 ** dimensions.length - 1;
  const { rows } = await db.execute<Part & { bits: number }>(sql`
    SELECT bits, value, visits FROM (
      SELECT GROUPING(${all}) AS bits, coalesce(${all}) AS value, sum(visits)::float8 AS visits,
        row_number() OVER (PARTITION BY GROUPING(${all}) ORDER BY sum(visits) DESC, coalesce(${all})) AS place
      FROM (SELECT id, sum(visits) AS visits FROM ${visible} AS visible GROUP BY id) AS part JOIN ${table} AS named USING (id)
      GROUP BY GROUPING SETS (${sets})
    ) AS ranked WHERE place <= ${largestParts} ORDER BY bits, place`);
  const parts = dimensions.map((name, index) => {
    const bits = everyBit - 2 ** (dimensions.length - 1 - index);
    return [name, rows.filter((row) => row.bits === bits).map(({ value, visits }) => ({ value, visits }))];
  });
  // One entry for each dimension; only the mapped type is lost on the way through entries.
  return Object.fromEntries(parts) as Record<D, Part[]>;
}
