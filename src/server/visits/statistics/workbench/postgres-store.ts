import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../kit/postgres/database.ts';
import { addressHash, type Later } from '../../columns/addresses.ts';
import { isRefused, ofOwner, ofProgram, passed } from '../visible.ts';
import { outcomeCondition } from './conditions.ts';
import { counted, countedTogether, rowsThatFit, stepOf } from './counted.ts';
import type { Question, StepSums, VisitStore } from './store.ts';

/** `fitting`, the visits that fit, and `figures`, what they sum up to by step, but for addresses. */
function figuresOf(question: Question, starts: readonly number[], isAsked: SQL): SQL {
  return sql`fitting AS MATERIALIZED (
      SELECT visit.at, visit.live_code_id, visit.ip, visit.outcome, visit.first_visit FROM ${rowsThatFit(question)}
    ), figures AS (
      SELECT ${stepOf(sql`at`, starts)} AS step, count(*) FILTER (WHERE ${isAsked})::float8 AS visits,
        count(*) FILTER (WHERE first_visit AND ${isAsked})::float8 AS new_ips, count(*) FILTER (WHERE ${isRefused(sql`outcome`)})::float8 AS refused,
        count(*) FILTER (WHERE outcome = ${ofProgram})::float8 AS programs,
        count(*) FILTER (WHERE outcome = ${ofOwner})::float8 AS own
      FROM fitting GROUP BY step
    )`;
}

/** In one look at the rows; addresses count each once a code and day, where the first visit of the day stands that fits. */
function figuresOfRows(question: Question, starts: readonly number[]): SQL {
  const isAsked = outcomeCondition(sql`outcome`, question.filters);
  return sql`WITH ${figuresOf(question, starts, isAsked)}, addresses AS (
      SELECT ${stepOf(sql`first.at`, starts)} AS step, count(*)::float8 AS ips FROM (
        SELECT min(at) AS at FROM fitting WHERE ${isAsked} GROUP BY live_code_id, ip, (at AT TIME ZONE ${question.time_zone})::date
      ) AS first GROUP BY step
    )
    SELECT figures.*, coalesce(ips, 0) AS ips FROM figures LEFT JOIN addresses USING (step)`;
}

/**
 * The figures of a part of one day, with its addresses by themselves: whether they were here before on that day, who asks knows.
 * Resolves to sums whose `ips` are 0.
 */
export async function figuresOfPart(
  db: Database,
  question: Question,
  starts: readonly number[],
): Promise<{ steps: StepSums[]; later: Later }> {
  const isAsked = outcomeCondition(sql`outcome`, question.filters);
  const { rows } = await db.execute<StepSums & { addresses: string }>(sql`WITH ${figuresOf(question, starts, isAsked)}, addresses AS (
      SELECT ${stepOf(sql`first.at`, starts)} AS step, string_agg(code || ' ' || hash, ' ') AS addresses FROM (
        SELECT min(at) AS at, coalesce(live_code_id, 0) AS code, ${sql.raw(addressHash('ip'))} AS hash FROM fitting WHERE ${isAsked} GROUP BY code, ip
      ) AS first GROUP BY step
    )
    SELECT figures.*, 0 AS ips, coalesce(addresses, '') AS addresses FROM figures LEFT JOIN addresses USING (step)`);
  const found = rows.flatMap(({ step, addresses }) => {
    const numbers = addresses === '' ? [] : addresses.split(' ').map(Number);
    return Array.from({ length: numbers.length / 2 }, (_, index) => [step, numbers[2 * index] ?? 0, numbers[2 * index + 1] ?? 0] as const);
  });
  return {
    steps: rows.map(({ addresses: _addresses, ...sums }) => sums),
    later: {
      steps: Uint16Array.from(found, ([step]) => step),
      codes: Float64Array.from(found, ([, code]) => code),
      hashes: Float64Array.from(found, ([, , hash]) => hash),
    },
  };
}

/** The rows of `visit`, where they were loaded. */
export const postgresStore: VisitStore = {
  counted: async (_db, question, family) => counted(question, family),

  countedTogether: async (_db, question, countings) => countedTogether(question, 'rows', countings),

  figures: async (db, question, starts) => ({
    steps: (await db.execute<StepSums>(figuresOfRows(question, starts))).rows,
    areWhole: false,
  }),

  returning: async (db, question, target_ids) => {
    const { rows } = await db.execute<{ target_id: number; all: number; returning: number }>(sql`
      SELECT target_id::float8 AS target_id, count(*)::float8 AS all, count(*) FILTER (WHERE NOT first_visit)::float8 AS returning
      FROM ${rowsThatFit(question)} AND outcome = ${passed} AND unique_ip AND target_id = ANY (${sql.param(target_ids)}::bigint[]) GROUP BY target_id`);
    return rows;
  },
};
