import { and, type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../../contract/enums.ts';
import type { Breakdown, FilterDimension, VisitFilters } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { goneTargets, mostVisited, mostVisitedTargets } from './by-id.ts';
import { counted, countedTogether, isOfMany, type Source, sourceOf } from './counted.ts';
import { dictionaryOf, type Family, familyOf, namesCodes, valueSql } from './dimensions.ts';
import type { Question } from './question.ts';
import type { Countings } from './store.ts';

export const shownParts = 50;

export type Breakdowns = Partial<Record<FilterDimension, Breakdown>>;

function without(filters: VisitFilters, dimension: FilterDimension): VisitFilters {
  const { [dimension]: _, ...others } = filters;
  return others;
}

/** Dimensions of one family under the same filters; a dimension's own filter does not hold for itself. */
type Group = { family: Family; question: Question; dimensions: FilterDimension[]; isApart: boolean };

function groupsOf(question: Question, dimensions: readonly FilterDimension[]): Group[] {
  const groups = new Map<string, Group>();
  for (const dimension of dimensions) {
    const [family, filters] = [familyOf[dimension], without(question.filters, dimension)];
    const key = JSON.stringify([family, filters]);
    const known = groups.get(key);
    if (known) known.dimensions.push(dimension);
    else groups.set(key, { family, question: { ...question, filters }, dimensions: [dimension], isApart: family === 'target' });
  }
  return [...groups.values()];
}

/** How many values are told of each dimension, and whether the sum of all is. */
type Shown = { limit: number; withTotals: boolean };

/**
 * Visits by the values of each dimension, the most frequent first, with the sum of all values; of targets it is 0 where nobody asks for it.
 * Values that tell of single codes leave those out whose figures are locked.
 */
export async function breakdownsOf(
  db: Database,
  { open, ...question }: Question,
  dimensions: readonly FilterDimension[],
  shown: Shown = { limit: shownParts, withTotals: true },
): Promise<Breakdowns> {
  if (!open) return partsBy(db, question, dimensions, shown);
  const naming = dimensions.filter((dimension) => namesCodes.includes(dimension));
  const others = dimensions.filter((dimension) => !namesCodes.includes(dimension));
  return {
    ...(others.length > 0 && (await partsBy(db, question, others, shown))),
    ...(naming.length > 0 && (await partsBy(db, { ...question, codes: and(question.codes, open) }, naming, shown))),
  };
}

async function partsBy(db: Database, question: Question, dimensions: readonly FilterDimension[], shown: Shown): Promise<Breakdowns> {
  const groups = groupsOf(question, dimensions);
  const sources = Map.groupBy(groups, (group) => sourceOf(group.question, group.family));
  // What counts of many tell the store may know sooner, all that counts tell of places and devices in one look.
  const isMany = groups.some((group) => isOfMany(group.question, group.family));
  const many = [...sources].filter(([source]) => source !== 'rows' && source !== 'hours').flatMap(([, own]) => own);
  // Both are asked at once, so that a store looks once.
  const sooner = isMany ? question.store.ofCounts?.(db, question, many) : undefined;
  const looks = [...sources].map(async ([source, own]): Promise<Breakdowns> => {
    if (source === 'rows' || source === 'hours') return partsOf(db, own, await together(db, question, source, own), shown);
    return (await sooner) ? {} : partsOf(db, own, await together(db, question, source, own), shown);
  });
  const ofMany = async (): Promise<Breakdowns> => {
    const told = await sooner;
    return told ? partsOf(db, many, told, shown) : {};
  };
  const found: Breakdowns = Object.assign({}, ...(await Promise.all([...looks, ofMany()])));
  if (found.target) found.target.parts = await named(db, found.target.parts);
  return found;
}

/** What is counted of each group, in one look where they are looked up in the same rows. */
async function together(db: Database, question: Question, source: Source, groups: readonly Group[]): Promise<Countings> {
  if (source === 'rows') return question.store.countedTogether(db, question, groups);
  if (source === 'origin') return countedTogether(question, source, groups);
  return { found: groups.map((group) => counted(group.question, group.family)) };
}

type Counting = Group & { found: SQL };
type Row = { number: number; bits: number; value: string | null; visits: number; total: number };

async function partsOf(db: Database, groups: readonly Group[], looked: Countings, shown: Shown): Promise<Breakdowns> {
  const { fitting, found: parts, apart = [] } = looked;
  const once = fitting ? sql`WITH fitting AS MATERIALIZED (${fitting})` : sql``;
  const queries = groups.flatMap((group, number) =>
    apart[number] ? [] : sql`(${partsQuery({ ...group, found: parts[number] ?? sql`` }, number, shown.limit)})`,
  );
  const targets = apart.find((sums) => sums !== undefined);
  const [{ rows }, ofTargets] = await Promise.all([
    queries.length > 0 ? db.execute<Row>(sql`${once} ${sql.join(queries, sql` UNION ALL `)} ORDER BY number, bits, place`) : { rows: [] },
    targets ? targetParts(db, targets, shown) : undefined,
  ]);
  const found: Breakdowns = { ...(ofTargets && { target: ofTargets }) };
  for (const [number, { dimensions }] of groups.entries()) {
    if (apart[number]) continue;
    // GROUPING has a bit for each column that a row is not grouped by, the first column's highest.
    const everyBit = 2 ** dimensions.length - 1;
    for (const [index, dimension] of dimensions.entries()) {
      const bits = everyBit - 2 ** (dimensions.length - 1 - index);
      const own = rows.filter((row) => row.number === number && row.bits === bits && row.visits > 0);
      const nameOf = (value: string | null) => (dimension === 'outcome' ? (outcomes[Number(value)] ?? '') : (value ?? ''));
      found[dimension] = { total: own[0]?.total ?? 0, parts: own.map(({ value, visits }) => ({ value: nameOf(value), visits })) };
    }
  }
  return found;
}

function partsQuery({ family, dimensions, question, found }: Counting, number: number, limit: number): SQL {
  const dictionary = dictionaryOf[family];
  if (!dictionary && family !== 'time') return idsQuery(found, number, limit);
  const columns = dimensions.map((_, index) => sql.identifier(`value_${index}`));
  const values = sql.join(
    dimensions.map((dimension, index) => sql`${valueSql(dimension, question)} AS ${columns[index] ?? sql``}`),
    sql`, `,
  );
  const all = sql.join(columns, sql`, `);
  const sets = sql.join(
    columns.map((column) => sql`(${column})`),
    sql`, `,
  );
  // Ids are grouped before they are named, so that only a few names are looked at; the clock is read of every hour.
  const grouped =
    family === 'time'
      ? sql`SELECT 0 AS id, at, sum(visits) AS visits FROM ${found} AS found GROUP BY at`
      : sql`SELECT id, sum(visits) AS visits FROM ${found} AS found GROUP BY id`;
  return sql`
    SELECT ${number}::integer AS number, bits, value, visits, total, place FROM (
      SELECT GROUPING(${all}) AS bits, coalesce(${all}) AS value, sum(visits)::float8 AS visits,
        (sum(sum(visits)) OVER (PARTITION BY GROUPING(${all})))::float8 AS total,
        row_number() OVER (PARTITION BY GROUPING(${all}) ORDER BY sum(visits) DESC, coalesce(${all})) AS place
      FROM (SELECT ${values}, visits FROM (${grouped}) AS part ${dictionary ? sql`LEFT JOIN ${dictionary} AS named USING (id)` : sql``}) AS valued
      GROUP BY GROUPING SETS (${sets})
    ) AS ranked WHERE place <= ${limit}`;
}

/** Those that are gone are looked for among all only where their sum is asked for. */
async function targetParts(db: Database, visits: Map<number, number>, { limit, withTotals }: Shown): Promise<Breakdown> {
  const partsOfIds = (ids: readonly number[]) => ids.map((id) => ({ value: String(id), visits: visits.get(id) ?? 0 }));
  if (!withTotals) return { total: 0, parts: partsOfIds(await mostVisitedTargets(db, visits, limit)) };
  for (const id of await goneTargets(db, visits.keys())) visits.delete(id);
  let total = 0;
  for (const count of visits.values()) total += count;
  return { total, parts: partsOfIds(mostVisited(visits, limit)) };
}

/** Of a family whose ids say it all: they are many, and are compared as numbers. */
const idsQuery = (found: SQL, number: number, limit: number): SQL => sql`
  SELECT ${number}::integer AS number, 0 AS bits, id::text AS value, visits, total, row_number() OVER (ORDER BY visits DESC, id) AS place FROM (
    SELECT coalesce(id, 0) AS id, sum(visits)::float8 AS visits, (sum(sum(visits)) OVER ())::float8 AS total
    FROM ${found} AS found GROUP BY coalesce(id, 0) ORDER BY 2 DESC, 1 LIMIT ${limit}
  ) AS ranked`;

/** What targets are called, with the code where they have no name of their own; a target that is gone has none. */
async function named(db: Database, parts: Breakdown['parts']): Promise<Breakdown['parts']> {
  const ids = parts.map(({ value }) => Number(value)).filter((id) => id > 0);
  if (ids.length === 0) return parts;
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    SELECT live_code_target.id::text AS id, live_code.name || ' · ' || coalesce(nullif(live_code_target.name, ''), nullif(live_code_target.content, ''), '#' || live_code_target.id) AS name
    FROM live_code_target JOIN live_code ON live_code.id = live_code_target.live_code_id
    WHERE live_code_target.id = ANY (${sql.param(ids)}::bigint[])`);
  const names = new Map(rows.map(({ id, name }) => [id, name.slice(0, 120)]));
  return parts.map((part) => ({ ...part, name: names.get(part.value) ?? '' }));
}
