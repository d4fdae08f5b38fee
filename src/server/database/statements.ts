import { type SQL, sql } from 'drizzle-orm';
import type { SlowStatement, StatementSpan } from '../../contract/system/mysql-time-consuming.ts';
import type { Database } from '../kit/postgres/database.ts';

const statementLength = 4000;
/** The rest is of no weight. */
const maxStatements = 500;
const hoursOf = { hour: 1, day: 24 } as const;

export const shareOf = (part: SQL, rest: SQL) => sql`(${part} / nullif((${part} + ${rest})::float8, 0))`;
export const order = (columns: Record<string, SQL>, sort: string, direction: 'asc' | 'desc' = 'desc') =>
  sql`${columns[sort]} ${direction === 'asc' ? sql`ASC` : sql`DESC`} NULLS LAST, id`;

/** Whether the server records statements: its administrator may not have loaded what does, or not for this database. */
export async function recordsStatements(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ is_there: boolean }>(sql`
    SELECT to_regclass('pg_stat_statements') IS NOT NULL AND current_setting('shared_preload_libraries') LIKE '%pg_stat_statements%' AS is_there`);
  return rows[0]?.is_there ?? false;
}

/** The moment that a span is counted from: the last sample before it began, or the first there is; null for all that was ever counted. */
async function baseOf(db: Database, span: StatementSpan): Promise<string | null> {
  if (span === 'all') return null;
  const { rows } = await db.execute<{ at: string | null }>(sql`
    SELECT to_char(coalesce(max(at) FILTER (WHERE at <= now() - make_interval(hours => ${hoursOf[span]})), min(at)) AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM statement_sample`);
  return rows[0]?.at ?? null;
}

type Asked = { sort: string; order?: 'asc' | 'desc' | undefined; span: StatementSpan };

/** The statements that cost something in the span; none where the server does not record them. */
export async function readStatements(db: Database, { sort, order: direction, span }: Asked): Promise<SlowStatement[]> {
  if (!(await recordsStatements(db))) return [];
  const since = await baseOf(db, span);
  const columns = { total_ms: sql`total_ms`, mean_ms: sql`mean_ms`, calls: sql`calls`, rows: sql`rows` };
  const { rows } = await db.execute<SlowStatement>(sql`
    SELECT id, statement, calls, round(total_ms::numeric, 1)::float8 AS total_ms, round((total_ms / calls)::numeric, 3)::float8 AS mean_ms, rows, hits,
      coalesce(total_ms / nullif(sum(total_ms) OVER (), 0), 0) AS share
    FROM (
      SELECT counted.id, statement, counted.calls - coalesce(base.calls, 0) AS calls, counted.total_ms - coalesce(base.total_ms, 0) AS total_ms,
        counted.rows - coalesce(base.rows, 0) AS rows,
        ${shareOf(sql`(counted.pages_hit - coalesce(base.pages_hit, 0))`, sql`(counted.pages_read - coalesce(base.pages_read, 0))`)} AS hits
      FROM (
        SELECT queryid::text AS id, left(min(query), ${statementLength}) AS statement, sum(calls)::bigint AS calls, sum(total_exec_time) AS total_ms,
          sum(rows)::bigint AS rows, sum(shared_blks_hit)::bigint AS pages_hit, sum(shared_blks_read)::bigint AS pages_read
        FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND queryid IS NOT NULL
        GROUP BY queryid
      ) AS counted
      -- One that was counted less often than in the sample was forgotten meanwhile, and began anew.
      LEFT JOIN statement_sample AS base ON base.at = ${since}::timestamptz AND base.id = counted.id AND base.calls <= counted.calls
    ) AS spent WHERE calls > 0 ORDER BY ${order(columns, sort, direction)} LIMIT ${maxStatements}`);
  return rows;
}
