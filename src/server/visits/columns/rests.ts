import { and, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import type { Span } from '../statistics/spans.ts';
import { counted, countedOfRows, countedTogether } from '../statistics/workbench/counted.ts';
import type { Family } from '../statistics/workbench/dimensions.ts';
import type { Counting, Question } from '../statistics/workbench/store.ts';
import type { ById } from './columns.ts';
import { besides, type Plan, restsOf } from './planning.ts';

type Asked = { question: Question; plan: Plan; countings: readonly Counting[]; isOfCounts: boolean; left: readonly number[] };
/**
 * What files have nothing of: as files tell it, by the same keys, and as subqueries with the columns id, at and visits where counts tell it by
 * others.
 */
export type Rest = { told: ById; untold: SQL[] };
export const noCounts: ById = [new Float64Array(), new Float64Array()];

/** Of rows devices are told by user agent, as files do. */
const familyOfRows = (family: Family): Family => (family === 'device' ? 'agent' : family);
const keyOf = (family: Family): SQL =>
  family === 'time' ? sql`extract(epoch FROM at)::float8` : family === 'outcome' ? sql`id` : sql`coalesce(id, 0)`;

export const unionOf = (relations: readonly SQL[]): SQL =>
  sql`(${sql.join(
    relations.map((relation) => sql`SELECT id, at, visits FROM ${relation} AS part`),
    sql` UNION ALL `,
  )})`;

/** What files tell, those who have some days after each other at once; with tails and the rows after these, or without. */
function spansOfFiles({ days }: Plan, isWithTails: boolean): Span[] {
  const spans: { from: number; to: number }[] = [];
  for (const { from, until, rest, restOfRows } of days) {
    const to = isWithTails ? (restOfRows?.to ?? until) : (rest?.from ?? until);
    const last = spans.at(-1);
    if (last && last.to === from) last.to = to;
    else if (to > from) spans.push({ from, to });
  }
  return spans;
}

/**
 * Rows, or counts where these know it, too. Of several countings rows of one span are read once, as `fitting`. Counts of single codes or
 * hours are as many as visits: rows after tails tell what these do, where they lack none of it.
 */
function relationsOf({ question, plan, countings, isOfCounts, left }: Asked) {
  const isOfRows = !isOfCounts || plan.tailsAreWhole;
  const spansOfRows = isOfRows ? besides({ ...plan, gaps: isOfCounts ? [] : plan.gaps }) : [];
  const spansOfCounts = isOfCounts ? [...plan.gaps, ...(isOfRows ? [] : restsOf(plan))] : [];
  const codes = left.length > 0 ? and(question.codes, sql`NOT ${isOneOf(live_code.id, left)}`) : question.codes;
  const all = countings.map(({ question: own, family, isApart }): Counting => ({ question: { ...own, withGone: isApart }, family }));
  const inRows = (own: Question, span: Span): Question => ({ ...own, codes, span });
  const countingsIn = (span: Span): Counting[] =>
    all.map((one) => ({ question: inRows(one.question, span), family: familyOfRows(one.family) }));
  const [span, ...others] = spansOfRows;
  const shared =
    span && others.length === 0 && countings.length > 1 ? countedTogether(inRows(question, span), 'rows', countingsIn(span)) : undefined;
  const apart = shared ? [] : spansOfRows.map(countingsIn);
  const found = all.map(({ question: own, family }, index) => {
    const once = shared?.found[index];
    const ofRows = once ? [once] : apart.flatMap((one) => one[index] ?? []).map((one) => countedOfRows(one.question, one.family));
    const ofLeft =
      left.length > 0 ? spansOfFiles(plan, isOfRows).map((span) => ({ span, codes: and(own.codes, isOneOf(live_code.id, left)) })) : [];
    const ofCounts = [...spansOfCounts.map((span) => ({ span })), ...ofLeft].map((part) => counted({ ...own, ...part }, family));
    return family === 'device' ? { family, told: ofRows, untold: ofCounts } : { family, told: [...ofRows, ...ofCounts], untold: [] };
  });
  return { fitting: shared?.fitting, found };
}

/**
 * What files have nothing of, by counting. It is summed up before it is named, with what files tell: to the planner the newest visits are
 * one, and it would look up the name of each.
 */
export async function askRests(db: Database, asked: Asked): Promise<Rest[]> {
  const { fitting, found } = relationsOf(asked);
  const parts = found.flatMap(({ family, told }, number) =>
    told.length === 0
      ? []
      : sql`(SELECT ${number}::integer AS number, json_agg(key) AS keys, json_agg(visits) AS visits FROM (
          SELECT ${keyOf(family)} AS key, sum(visits)::float8 AS visits FROM ${unionOf(told)} AS found GROUP BY key ORDER BY key
        ) AS summed)`,
  );
  const once = fitting ? sql`WITH fitting AS MATERIALIZED (${fitting})` : sql``;
  const { rows } =
    parts.length > 0
      ? await db.execute<{ number: number; keys: number[] | null; visits: number[] | null }>(
          sql`${once} ${sql.join(parts, sql` UNION ALL `)}`,
        )
      : { rows: [] };
  return found.map(({ untold }, number) => {
    const { keys, visits } = rows.find((row) => row.number === number) ?? {};
    return { told: keys && visits ? [Float64Array.from(keys), Float64Array.from(visits)] : noCounts, untold };
  });
}
