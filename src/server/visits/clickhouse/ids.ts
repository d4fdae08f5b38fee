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

/** The codes that are asked for, and what is cleared of their histories. */
export async function codeConditions(db: Database, { codes, span }: Question): Promise<string[]> {
  const conditions = codes ? [within('live_code_id', await idsOf(db, sql`SELECT live_code.id FROM ${live_code} WHERE ${codes}`))] : [];
  const { rows } = await db.execute<{ id: number; from: number }>(sql`
    SELECT live_code.id::float8 AS id, ceil(extract(epoch FROM visible_from) * 1000)::float8 AS from FROM ${live_code}
    WHERE visible_from > ${new Date(span.from).toISOString()}::timestamptz AND ${codes ?? sql`true`}`);
  if (rows.length === 0) return conditions;
  const ids = rows.map(({ id }) => id);
  const cleared = within('live_code_id', ids);
  const since = `transform(live_code_id, [${ids.join(',')}], [${rows.map(({ from }) => from).join(',')}], 0)`;
  return [...conditions, `(NOT ${cleared} OR toUnixTimestamp64Milli(at) >= ${since})`];
}

const columnOf = { place: 'place_id', language: 'language_id', referer: 'referer_id', host: 'host_id' } as const;

/** Whether the filter on a dimension fits; its values are looked up in PostgreSQL, ids are what is asked. */
export async function filterCondition(db: Database, dimension: FilterDimension, question: Question): Promise<string> {
  const values = question.filters[dimension] ?? [];
  const family = familyOf[dimension];
  const dictionary = dictionaryOf[family];
  const given = sql`ANY (${sql.param(values)}::text[])`;
  if (dictionary === undefined) {
    const ids = values.map(Number).filter((id) => Number.isSafeInteger(id) && id >= 0);
    return within('target_id', await idsOf(db, sql`SELECT id FROM live_code_target WHERE id = ANY (${sql.param(ids)}::bigint[])`));
  }
  const fitting = sql`SELECT named.id FROM ${dictionary} AS named WHERE ${valueSql(dimension, question)} = ${given}`;
  if (family === 'agent') return within('agent_id', await idsOf(db, fitting));
  if (family === 'device')
    return within('agent_id', await idsOf(db, sql`SELECT known.id FROM visit_agent AS known WHERE known.device_id IN (${fitting})`));
  const column = columnOf[family as keyof typeof columnOf];
  const ids = await idsOf(db, fitting);
  // Without a text, a visit has no id of one.
  return within(column, family === 'place' || !values.includes('') ? ids : [0, ...ids]);
}
