import { type SQL, sql } from 'drizzle-orm';
import { type Outcome, outcomes } from '../../../contract/enums.ts';
import type { Breakdowns, SeriesPoint } from '../../../contract/visits/statistics.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { SiteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import type { CodeCondition, Span } from './spans.ts';
import { type Hidden, isRefused, ofOwner, ofProgram, passed, visibleHours, visibleRows, visibleSums } from './visible.ts';
import { breakdownsOf as partsOf } from './workbench/breakdown.ts';
import type { Question, Sums } from './workbench/store.ts';

export type { Sums } from './workbench/store.ts';

const noSums: Sums = { visits: 0, ips: 0, new_ips: 0, refused: 0, programs: 0, own: 0 };

const originDimensions = ['country', 'region', 'city', 'carrier', 'source', 'system', 'brand', 'browser'] as const;

/** A column summed, as a number; 0 without rows. Sums stay far below 2^53. */
const total = (column: SQL): SQL => sql`coalesce(sum(${column}), 0)::float8`;
const sumColumns = sql`coalesce(sum(visits) FILTER (WHERE outcome = ${passed}), 0)::float8 AS visits, ${total(sql`ips`)} AS ips,
  ${total(sql`new_ips`)} AS new_ips, coalesce(sum(visits) FILTER (WHERE ${isRefused(sql`outcome`)}), 0)::float8 AS refused,
  coalesce(sum(visits) FILTER (WHERE outcome = ${ofProgram}), 0)::float8 AS programs,
  coalesce(sum(visits) FILTER (WHERE outcome = ${ofOwner}), 0)::float8 AS own`;

/** The figures of each step; `starts` are the moments at which steps begin, the last one ends with the span. */
export async function seriesOf(
  db: Database,
  codes: CodeCondition,
  starts: readonly number[],
  end: number,
  clock: SiteClock,
  hidden?: Hidden,
): Promise<SeriesPoint[]> {
  const [first] = starts;
  if (first === undefined) return [];
  const moments = sql`${sql.param(starts.map((start) => new Date(start).toISOString()))}::timestamptz[]`;
  const { rows } = await db.execute<Sums & { step: number }>(sql`
    SELECT width_bucket(hour, ${moments}) AS step, ${sumColumns}
    FROM ${visibleSums(codes, { from: first, to: end }, clock, hidden)} AS visible GROUP BY step`);
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
    sums.programs += point.programs;
    sums.own += point.own;
  }
  return sums;
}

/** The figures of a part of an hour, counted from rows: of codes without log nothing. */
export async function sumsOfRows(db: Database, codes: CodeCondition, span: Span): Promise<Sums> {
  const { rows } = await db.execute<Sums>(sql`
    SELECT count(*) FILTER (WHERE outcome = ${passed})::float8 AS visits, count(*) FILTER (WHERE unique_ip)::float8 AS ips,
      count(*) FILTER (WHERE first_visit)::float8 AS new_ips, count(*) FILTER (WHERE ${isRefused(sql`outcome`)})::float8 AS refused,
      count(*) FILTER (WHERE outcome = ${ofProgram})::float8 AS programs,
      count(*) FILTER (WHERE outcome = ${ofOwner})::float8 AS own
    FROM ${visibleRows(codes, span)}`);
  return rows[0] ?? noSums;
}

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
    SELECT outcome, ${total(sql`visits`)} AS visits FROM ${visibleSums(codes, span, clock)} AS visible
    GROUP BY outcome HAVING sum(visits) > 0 ORDER BY visits DESC, outcome`);
  return rows.flatMap(({ outcome, visits }) => {
    const name = outcomes[outcome];
    return name ? [{ outcome: name, visits }] : [];
  });
}

/** Visits that passed by place and device: the largest parts of each dimension, largest first. */
export async function breakdownsOf(db: Database, question: Question): Promise<Breakdowns> {
  const found = await partsOf(db, question, originDimensions);
  const parts = originDimensions.map((dimension) => [
    dimension,
    (found[dimension]?.parts ?? []).map(({ value, visits }) => ({ value, visits })),
  ]);
  // One entry for each dimension; only the mapped type is lost on the way through entries.
  return Object.fromEntries(parts) as Breakdowns;
}
