import { type SQL, sql } from 'drizzle-orm';
import type { FilterDimension } from '../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { dictionaryOf, familyOf, valueSql } from '../statistics/workbench/dimensions.ts';
import type { Question } from '../statistics/workbench/store.ts';

/** A longer list is not sent: PostgreSQL answers. */
const maxIds = 1_000_000;

async function idsOf(db: Database, query: SQL): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`SELECT id::float8 AS id FROM (${query}) AS found LIMIT ${maxIds + 1}`);
  if (rows.length > maxIds) throw new Error('too many ids for a statement');
  return rows.map(({ id }) => id);
}

/** Numbers only, so that nothing needs to be quoted; a list without any fits nothing. */
export const within = (column: string, ids: readonly number[]): string =>
  ids.length === 0 ? 'false' : `${column} IN (${ids.map((id) => Math.trunc(Number(id))).join(',')})`;

/** The codes that are asked for. */
export const codesOf = (db: Database, { codes }: Question): Promise<number[]> =>
  idsOf(db, sql`SELECT live_code.id FROM ${live_code} WHERE ${codes ?? sql`true`}`);

/** Since when, in milliseconds since 1970, what codes recorded is seen whose histories were cleared. */
export async function clearedCodes(db: Database, { codes, span }: Question): Promise<[code: number, since: number][]> {
  const { rows } = await db.execute<{ id: number; from: number }>(sql`
    SELECT live_code.id::float8 AS id, ceil(extract(epoch FROM visible_from) * 1000)::float8 AS from FROM ${live_code}
    WHERE visible_from > ${new Date(span.from).toISOString()}::timestamptz AND ${codes ?? sql`true`}`);
  return rows.map(({ id, from }) => [id, from]);
}

/** The codes that are asked for, and what is cleared of their histories. */
export async function codeConditions(db: Database, question: Question): Promise<string[]> {
  const conditions = question.codes ? [within('live_code_id', await codesOf(db, question))] : [];
  const cleared = await clearedCodes(db, question);
  if (cleared.length === 0) return conditions;
  const ids = cleared.map(([id]) => id);
  const since = `transform(live_code_id, [${ids.join(',')}], [${cleared.map(([, from]) => from).join(',')}], 0)`;
  return [...conditions, `(NOT ${within('live_code_id', ids)} OR toUnixTimestamp64Milli(at) >= ${since})`];
}

type FilteredColumn = 'target' | 'agent' | 'place' | 'language' | 'referer' | 'host';

/** The ids that fit a filter on a dimension, looked up in PostgreSQL, and what they are ids of; 0 is a visit without any. */
export async function idsOfFilter(
  db: Database,
  dimension: FilterDimension,
  question: Question,
): Promise<{ column: FilteredColumn; ids: number[] }> {
  const values = question.filters[dimension] ?? [];
  const family = familyOf[dimension];
  const dictionary = dictionaryOf[family];
  const given = sql`ANY (${sql.param(values)}::text[])`;
  if (dictionary === undefined) {
    const ids = values.map(Number).filter((id) => Number.isSafeInteger(id) && id >= 0);
    return { column: 'target', ids: await idsOf(db, sql`SELECT id FROM live_code_target WHERE id = ANY (${sql.param(ids)}::bigint[])`) };
  }
  const fitting = sql`SELECT named.id FROM ${dictionary} AS named WHERE ${valueSql(dimension, question)} = ${given}`;
  if (family === 'agent') return { column: 'agent', ids: await idsOf(db, fitting) };
  // Which device a user agent is, only PostgreSQL knows.
  if (family === 'device')
    return {
      column: 'agent',
      ids: await idsOf(db, sql`SELECT known.id FROM visit_agent AS known WHERE known.device_id IN (${fitting})`),
    };
  const ids = await idsOf(db, fitting);
  const column = family as 'place' | 'language' | 'referer' | 'host';
  return { column, ids: column === 'place' || !values.includes('') ? ids : [0, ...ids] };
}

/** Whether the filter on a dimension fits. */
export async function filterCondition(db: Database, dimension: FilterDimension, question: Question): Promise<string> {
  const { column, ids } = await idsOfFilter(db, dimension, question);
  return within(`${column}_id`, ids);
}
