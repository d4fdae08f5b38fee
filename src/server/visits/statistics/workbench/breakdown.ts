import { and, type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../../contract/enums.ts';
import type { Breakdown, FilterDimension, VisitFilters } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { goneTargets, mostVisited } from './by-id.ts';
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

/**
 * Visits by the values of each dimension, the most frequent first, with the sum of all values. Values that tell of single codes leave those
 * out whose figures are locked.
 */
export async function breakdownsOf(
  db: Database,
  { open, ...question }: Question,
  dimensions: readonly FilterDimension[],
  limit = shownParts,
): Promise<Breakdowns> {
  if (!open) return partsBy(db, question, dimensions, limit);
  const naming = dimensions.filter((dimension) => namesCodes.includes(dimension));
  const others = dimensions.filter((dimension) => !namesCodes.includes(dimension));
  return {
    ...(others.length > 0 && (await partsBy(db, question, others, limit))),
    ...(naming.length > 0 && (await partsBy(db, { ...question, codes: and(question.codes, open) }, naming, limit))),
  };
}

async function partsBy(db: Database, question: Question, dimensions: readonly FilterDimension[], limit: number): Promise<Breakdowns> {
  const groups = groupsOf(question, dimensions);
  const sources = Map.groupBy(groups, (group) => sourceOf(group.question, group.family));
  // What counts of many tell the store may know sooner, all that counts tell of places and devices in one look.
  const isMany = groups.some((group) => isOfMany(group.question, group.family));
  const many = [...sources].filter(([source]) => source !== 'rows' && source !== 'hours').flatMap(([, own]) => own);
  // Both are asked at once, so that a store looks once.
  const sooner = isMany ? question.store.ofCounts?.(db, question, many) : undefined;
  const looks = [...sources].map(async ([source, own]): Promise<Breakdowns> => {
    if (source === 'rows' || source === 'hours') return partsOf(db, own, await together(db, question, source, own), limit);
    return (await sooner) ? {} : partsOf(db, own, await together(db, question, source, own), limit);
  });
  const ofMany = async (): Promise<Breakdowns> => {
    const told = await sooner;
    return told ? partsOf(db, many, told, limit) : {};
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

async function partsOf(db: Database, groups: readonly Group[], looked: Countings, limit: number): Promise<Breakdowns> {
  const { fitting, found: parts, apart = [] } = looked;
  const once = fitting ? sql`WITH fitting AS MATERIALIZED (${fitting})` : sql``;
  const queries = groups.map((group, number) => {
    const own = parts[number] ?? sql``;
    return sql`(${apart[number] ? listQuery(own, number) : partsQuery({ ...group, found: own }, number, limit)})`;
  });
  const targets = apart.find((sums) => sums !== undefined);
  const [{ rows }, gone] = await Promise.all([
    db.execute<Row>(sql`${once} ${sql.join(queries, sql` UNION ALL `)} ORDER BY number, bits, place`),
    targets ? goneTargets(db, targets.keys()) : [],
  ]);
  const found: Breakdowns = {};
  for (const [number, { dimensions }] of groups.entries()) {
    const sums = apart[number];
    if (sums) {
      const more: [id: number, visits: number][] = JSON.parse(rows.find((row) => row.number === number)?.value ?? '[]');
      const fresh = more.flatMap(([id]) => (sums.has(id) ? [] : id));
      for (const [id, visits] of more) sums.set(id, (sums.get(id) ?? 0) + visits);
      for (const id of [...gone, ...(fresh.length > 0 ? await goneTargets(db, fresh) : [])]) sums.delete(id);
      found.target = rankedParts(sums, limit);
      continue;
    }
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

/** What was counted by id, as one list: of what else was counted apart. */
const listQuery = (found: SQL, number: number): SQL => sql`
  SELECT ${number}::integer AS number, 0 AS bits, json_agg(json_build_array(id, visits))::text AS value, 0::float8 AS visits, 0::float8 AS total, 0::bigint AS place
  FROM (SELECT id, sum(visits)::float8 AS visits FROM ${found} AS found WHERE id IS NOT NULL GROUP BY id) AS summed`;

function rankedParts(sums: ReadonlyMap<number, number>, limit: number): Breakdown {
  let total = 0;
  for (const visits of sums.values()) total += visits;
  return { total, parts: mostVisited(sums, limit).map((id) => ({ value: String(id), visits: sums.get(id) ?? 0 })) };
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
