import { type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../../contract/enums.ts';
import type { FilterDimension, VisitFilters } from '../../../../contract/visits/historical-statistics.ts';
import { addDays } from '../../../kit/visits/site-clock.ts';
import type { Span } from '../spans.ts';
import { passed } from '../visible.ts';
import { dictionaryOf, type Family, familyOf, valueSql, weekdayOf } from './dimensions.ts';
import type { Question } from './store.ts';

const isAny = (value: SQL, values: readonly string[]): SQL => sql`${value} = ANY (${sql.param(values)}::text[])`;

/** The dimensions that are filtered, the outcome aside: which outcomes count is a matter of what is counted. */
export const filteredDimensions = (filters: VisitFilters): FilterDimension[] =>
  (Object.keys(filters) as FilterDimension[]).filter((dimension) => dimension !== 'outcome' && filters[dimension] !== undefined);

/** The families of the filters that decide which counts can answer; the clock is known everywhere. */
export function filteredFamilies(filters: VisitFilters): Set<Family> {
  const families = new Set(filteredDimensions(filters).map((dimension) => familyOf[dimension]));
  if (filters.outcome) families.add('outcome');
  families.delete('time');
  return families;
}

const outcomeNumbers = ({ outcome }: VisitFilters): number[] =>
  (outcome ?? []).map((name) => outcomes.indexOf(name as (typeof outcomes)[number])).filter((position) => position >= 0);

/** Visits are those that passed, unless outcomes are chosen. */
export function outcomeCondition(column: SQL, filters: VisitFilters): SQL {
  if (!filters.outcome) return sql`${column} = ${passed}`;
  return sql`${column} = ANY (${sql.param(outcomeNumbers(filters))}::smallint[])`;
}

const idsOf = (values: readonly string[]): number[] => values.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);

/** A target that was removed cannot be told from others of its code any more: the counts by hour know its id only. */
export const isKnownTarget = (column: SQL): SQL => sql`${column} IN (SELECT live_code_target.id FROM live_code_target)`;

/** The ids of the rows of a dictionary that have one of these values. */
const idsThatFit = (dimension: FilterDimension, values: readonly string[], question: Question): SQL =>
  sql`(SELECT named.id FROM ${dictionaryOf[familyOf[dimension]] ?? sql``} AS named WHERE ${isAny(valueSql(dimension, question), values)})`;

/** Texts begin with the value in one way or another, so that the index of texts finds the few that can fit. */
function textsThatFit(dimension: 'language' | 'referer' | 'host', values: readonly string[], question: Question): SQL {
  const column = sql`visit.${sql.identifier(`${dimension}_id`)}`;
  const starts = dimension === 'referer' ? values.flatMap((host) => [`https://${host}`, `http://${host}`]) : values;
  const ranges = starts
    .filter((start) => start !== '' && !/:\/\/$/.test(start))
    .map((start) => sql`(named.text >= ${start} AND named.text <= ${`${start}\u{10ffff}`})`);
  const isUnknown = values.includes('') ? sql`${column} IS NULL` : sql`false`;
  if (ranges.length === 0) return isUnknown;
  return sql`(${isUnknown} OR ${column} IN (SELECT named.id FROM visit_text AS named
    WHERE (${sql.join(ranges, sql` OR `)}) AND ${isAny(valueSql(dimension, question), values)}))`;
}

/** The hours of the span at which clocks show one of the values: of a moment it is asked only in which hour it lies. */
function hoursThatFit(dimension: 'hour' | 'weekday', values: readonly string[], { span, clock }: Question): SQL {
  const found: string[] = [];
  const end = clock.dayOf(span.to);
  for (let day = clock.dayOf(span.from); day <= end; day = addDays(day, 1)) {
    if (dimension === 'weekday' && !values.includes(String(weekdayOf(day)))) continue;
    for (const at of clock.hoursOf(day)) {
      if (dimension === 'weekday' || values.includes(String(clock.clockHourOf(at)))) found.push(new Date(at).toISOString());
    }
  }
  return sql`${sql.param(found)}::timestamptz[]`;
}

/** What a filter says of counts by hour (`from` is what they are called, `at` their hour), or of a row of `visit`. */
export type Columns = { at: SQL; place: SQL; device?: SQL; target?: SQL };

/**
 * One of the ids of a small dictionary, looked up in a hash of them. What came since the last statistics of the planner is no visit at all
 * to it: of the hour that goes on it expected one, joined the dictionary by looking through it, and did so for each of a million.
 */
const isOneOfFew = (column: SQL, ids: SQL): SQL => sql`(${column} IN ${ids}) IS TRUE`;

/** Whether the filter on a dimension fits; a device is known of rows by their user agent. */
export function fits(dimension: FilterDimension, question: Question, columns: Columns): SQL {
  const values = question.filters[dimension] ?? [];
  switch (dimension) {
    case 'hour':
    case 'weekday':
      return sql`${columns.at} = ANY (${hoursThatFit(dimension, values, question)})`;
    case 'outcome':
      return sql`true`;
    case 'target':
      return sql`${columns.target ?? sql`NULL`} = ANY (${sql.param(idsOf(values))}::bigint[]) AND ${isKnownTarget(columns.target ?? sql`NULL`)}`;
    case 'model':
      return sql`visit.agent_id IN ${idsThatFit(dimension, values, question)}`;
    case 'language':
    case 'referer':
    case 'host':
      return textsThatFit(dimension, values, question);
    default: {
      const ids = idsThatFit(dimension, values, question);
      if (familyOf[dimension] === 'place') return isOneOfFew(columns.place, ids);
      if (columns.device) return isOneOfFew(columns.device, ids);
      return sql`visit.agent_id IN (SELECT known.id FROM visit_agent AS known WHERE known.device_id IN ${ids})`;
    }
  }
}

/** The part of a span of whole hours, and what remains of an hour at its end. */
export function partsOfSpan({ span, clock }: Pick<Question, 'span' | 'clock'>): { whole: Span; rest: Span | undefined } {
  const lastHour = Math.max(clock.hourOf(span.to), span.from);
  const isWhole = lastHour === span.to || span.to <= span.from;
  return { whole: { from: span.from, to: isWhole ? span.to : lastHour }, rest: isWhole ? undefined : { from: lastHour, to: span.to } };
}
