import { type SQL, sql } from 'drizzle-orm';
import type { FilterDimension } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import type { Span } from '../spans.ts';
import { hourSql, passed, visibleOfSite, visibleOrigins, visibleRows, visibleSums, visibleTargets } from '../visible.ts';
import { type Columns, filteredDimensions, filteredFamilies, fits, isKnownTarget, outcomeCondition, partsOfSpan } from './conditions.ts';
import type { Family } from './dimensions.ts';
import type { Counting, Question } from './store.ts';

/** What answers: counts by hour of outcomes or targets, of places or devices over all codes, of both by code; or the rows of visits. */
export type Source = 'hours' | 'target' | 'place' | 'device' | 'origin' | 'rows';

export function sourceOf({ filters, codes }: Question, family: Family): Source {
  const needed = filteredFamilies(filters);
  if (family !== 'time') needed.add(family);
  if (needed.size === 0 || (needed.size === 1 && needed.has('outcome'))) return 'hours';
  if (needed.size === 1 && needed.has('target')) return 'target';
  for (const one of needed) if (one !== 'place' && one !== 'device') return 'rows';
  // All codes are asked for.
  if (needed.size === 1 && codes === undefined) return needed.has('place') ? 'place' : 'device';
  return 'origin';
}

const isByHour = ({ filters }: Question, family: Family): boolean =>
  family === 'time' || filters.hour !== undefined || filters.weekday !== undefined;

/** Counts of every code, or of every hour of a place or device: a question about many of them has to read many. */
export function isOfMany(question: Question, family: Family): boolean {
  const source = sourceOf(question, family);
  return source === 'target' || source === 'origin' || ((source === 'place' || source === 'device') && isByHour(question, family));
}

/** Whether rows have to be read to count these visits by this family. */
export const needsRows = (question: Question, family: Family): boolean => sourceOf(question, family) === 'rows';

const all = (conditions: readonly SQL[]): SQL => (conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` AND `));

const hourOfRow = ({ span, clock }: Question): SQL => hourSql(sql`visit.at`, span, clock);
const columnsOfRow = (question: Question): Columns => ({
  at: hourOfRow(question),
  place: sql`visit.place_id`,
  target: sql`visit.target_id`,
});
const columnsOfOrigin: Columns = { at: sql`visit.at`, place: sql`visit.place_id`, device: sql`visit.device_id` };

const seenRows = ({ codes, hidden }: Question, span: Span, joins?: SQL): SQL => visibleRows(codes, span, { joins, hidden });

/** The visits that kept a row and fit the filters, whatever their outcome, behind FROM. */
export function rowsThatFit(question: Question, span: Span = question.span, joins?: SQL): SQL {
  const conditions = filteredDimensions(question.filters).map((dimension) => fits(dimension, question, columnsOfRow(question)));
  return sql`${seenRows(question, span, joins)} AND ${all(conditions)}`;
}

/** Places and devices, by hour and code, and by the rows of the hour that the span ends in. */
function origins(question: Question): SQL {
  const { codes, clock, hidden } = question;
  const { whole, rest } = partsOfSpan(question);
  const ofHours = sql`SELECT place_id, device_id, hour AS at, visits FROM ${visibleOrigins(codes, whole, clock, hidden)} AS visible`;
  if (!rest) return sql`(${ofHours})`;
  return sql`(${ofHours} UNION ALL SELECT visit.place_id, agent.device_id, ${hourOfRow(question)}, 1
    FROM ${seenRows(question, rest, joinOf('device'))} AND visit.outcome = ${passed})`;
}

/** The counts that one family's dictionary is all there is to, of whole hours. */
function ofOneFamily(question: Question, source: Exclude<Source, 'origin' | 'rows'>, family: Family, span: Span): SQL {
  const { codes, clock, hidden, filters, withGone } = question;
  if (source === 'hours') {
    const isAsked = family === 'outcome' ? sql`true` : outcomeCondition(sql`outcome`, filters);
    return sql`SELECT ${family === 'outcome' ? sql`outcome` : sql`0`} AS id, hour AS at, visits FROM ${visibleSums(codes, span, clock, hidden)} AS visible WHERE ${isAsked}`;
  }
  if (source === 'target')
    return sql`SELECT target_id AS id, hour AS at, visits FROM ${visibleTargets(codes, span, clock, hidden, { withGone })} AS visible WHERE visits > 0`;
  return sql`SELECT id, hour AS at, visits FROM ${visibleOfSite(source, span, clock, isByHour(question, family), hidden)} AS visible`;
}

const idOfRow: Record<Family, SQL> = {
  outcome: sql`visit.outcome`,
  target: sql`visit.target_id`,
  place: sql`visit.place_id`,
  device: sql`agent.device_id`,
  agent: sql`visit.agent_id`,
  language: sql`visit.language_id`,
  referer: sql`visit.referer_id`,
  host: sql`visit.host_id`,
  time: sql`0`,
};
/** What a family's ids are read of besides the row. */
const joinOf = (family: Family): SQL => (family === 'device' ? sql`JOIN visit_agent AS agent ON agent.id = visit.agent_id` : sql``);
const idOfOrigin = (family: Family): SQL => (family === 'time' ? sql`0` : sql`visit.${sql.identifier(`${family}_id`)}`);

/** Counts rows by a family's ids; `rows` is what stands behind FROM under the name `visit`, with a WHERE. */
function countedRows(rows: SQL, at: SQL, { filters, withGone }: Question, family: Family): SQL {
  const isAsked = family === 'outcome' ? sql`true` : outcomeCondition(sql`visit.outcome`, filters);
  const isKnown = family === 'target' && !withGone ? isKnownTarget(sql`visit.target_id`) : sql`true`;
  return sql`SELECT ${idOfRow[family]} AS id, ${at} AS at, 1 AS visits FROM ${rows} AND ${isAsked} AND ${isKnown}`;
}

/** What was counted before places and devices were counted together tells one of them only. */
const isTold = (family: Family): SQL => (family === 'time' ? sql`true` : sql`${idOfOrigin(family)} > 0`);

/** The visits that fit and kept a row, as a subquery as that of `counted`. */
export const countedOfRows = (question: Question, family: Family): SQL =>
  sql`(${countedRows(rowsThatFit(question, question.span, joinOf(family)), hourOfRow(question), question, family)})`;

/**
 * The visits that fit, as a subquery with the columns id (of the family's dictionary), at (their hour) and visits. What remains of an hour
 * at the end of the span is counted from rows.
 */
export function counted(question: Question, family: Family): SQL {
  const source = sourceOf(question, family);
  const filtered = filteredDimensions(question.filters);
  if (source === 'rows') return countedOfRows(question, family);
  if (source === 'origin') {
    const conditions = filtered.map((dimension) => fits(dimension, question, columnsOfOrigin));
    return sql`(SELECT ${idOfOrigin(family)} AS id, visit.at, visit.visits FROM ${origins(question)} AS visit WHERE ${all([isTold(family), ...conditions])})`;
  }
  const { whole, rest } = partsOfSpan(question);
  const id = sql`visit.id`;
  const columns: Columns = { at: sql`visit.at`, place: id, device: id, target: id };
  const conditions = filtered.map((dimension) => fits(dimension, question, columns));
  const ofHours = sql`SELECT id, at, visits FROM (${ofOneFamily(question, source, family, whole)}) AS visit WHERE ${all(conditions)}`;
  if (!rest) return sql`(${ofHours})`;
  return sql`(${ofHours} UNION ALL ${countedRows(rowsThatFit(question, rest, joinOf(family)), hourOfRow(question), question, family)})`;
}

/** The same, asked of the store where only rows know it, or where it knows sooner. */
export async function countedBy(db: Database, question: Question, family: Family): Promise<SQL> {
  const source = sourceOf(question, family);
  if (source === 'rows') return question.store.counted(db, question, family);
  const sooner = isOfMany(question, family) ? await question.store.ofCounts?.(db, question, [{ question, family }]) : undefined;
  return sooner?.found[0] ?? counted(question, family);
}

/** The position of the step that a moment lies in, from 1 on. */
export const stepOf = (moment: SQL, starts: readonly number[]): SQL =>
  sql`width_bucket(${moment}, ${sql.param(starts.map((start) => new Date(start).toISOString()))}::timestamptz[])`;

/** The visits of each step, of what was counted by time. */
export async function visitsBy(db: Database, found: SQL, starts: readonly number[]): Promise<{ step: number; visits: number }[]> {
  const { rows } = await db.execute<{ step: number; visits: number }>(
    sql`SELECT ${stepOf(sql`at`, starts)} AS step, sum(visits)::float8 AS visits FROM ${found} AS found GROUP BY step`,
  );
  return rows;
}

/**
 * Counts that are made in one look: what `fitting` is, and what each of them selects of it. A question may leave one of the filters out,
 * so that visits are looked at that fit all but one of them, and each knows which it fits.
 */
export function countedTogether(
  question: Question,
  source: 'origin' | 'rows',
  countings: readonly Counting[],
): { fitting: SQL; found: SQL[] } {
  const dimensions = filteredDimensions(question.filters);
  const columns = source === 'origin' ? columnsOfOrigin : columnsOfRow(question);
  const isLeftOut = (dimension: FilterDimension) => countings.some((one) => one.question.filters[dimension] === undefined);
  const flags = dimensions.filter(isLeftOut);
  const flagOf = (dimension: FilterDimension) => sql.identifier(`fits_${dimension}`);
  const fixed = dimensions.filter((dimension) => !isLeftOut(dimension)).map((dimension) => fits(dimension, question, columns));
  const shown = flags.map((dimension) => sql`, coalesce(${fits(dimension, question, columns)}, false) AS ${flagOf(dimension)}`);
  const misses = flags.map((dimension) => sql`(NOT ${flagOf(dimension)})::integer`);
  const inner =
    source === 'origin'
      ? sql`SELECT visit.place_id, visit.device_id, visit.at, visit.visits ${sql.join(shown, sql``)} FROM ${origins(question)} AS visit WHERE ${all(fixed)}`
      : sql`SELECT ${hourOfRow(question)} AS at, visit.outcome, visit.target_id, visit.place_id, visit.agent_id, visit.language_id, visit.referer_id, visit.host_id
          ${sql.join(shown, sql``)} FROM ${seenRows(question, question.span)} AND ${all(fixed)}`;
  const fitting = flags.length < 2 ? inner : sql`SELECT * FROM (${inner} OFFSET 0) AS looked WHERE ${sql.join(misses, sql` + `)} <= 1`;
  const found = countings.map((one) => {
    const own = all(
      flags.filter((dimension) => one.question.filters[dimension] !== undefined).map((dimension) => sql`visit.${flagOf(dimension)}`),
    );
    if (source === 'rows')
      return sql`(${countedRows(sql`fitting AS visit ${joinOf(one.family)} WHERE ${own}`, sql`visit.at`, one.question, one.family)})`;
    return sql`(SELECT ${idOfOrigin(one.family)} AS id, visit.at, visit.visits FROM fitting AS visit WHERE ${isTold(one.family)} AND ${own})`;
  });
  return { fitting, found };
}
