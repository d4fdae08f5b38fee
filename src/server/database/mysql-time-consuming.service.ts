import { sql } from 'drizzle-orm';
import type { mysqlTimeConsuming, Relation, UnusedIndex } from '../../contract/system/mysql-time-consuming.ts';
import type { Service } from '../kit/calls/context.ts';
import type { Database } from '../kit/postgres/database.ts';
import { pageOfAll } from './paging.ts';
import { readLongSessions, releaseSessions } from './sessions.ts';
import { order, readStatements, recordsStatements, shareOf } from './statements.ts';

const defaultSeconds = 5;

async function readRelations(db: Database, sort: string, direction?: 'asc' | 'desc'): Promise<Relation[]> {
  const columns = { bytes: sql`bytes`, index_bytes: sql`index_bytes`, rows: sql`rows`, dead: sql`dead` };
  const { rows } = await db.execute<Relation>(sql`
    SELECT * FROM (
      SELECT relname AS id, n_live_tup AS rows, pg_total_relation_size(relid) AS bytes, pg_indexes_size(relid) AS index_bytes,
        coalesce(${shareOf(sql`n_dead_tup`, sql`n_live_tup`)}, 0) AS dead,
        to_char(greatest(last_vacuum, last_autovacuum) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS vacuumed_at
      FROM pg_stat_user_tables WHERE schemaname = 'public'
    ) AS tables ORDER BY ${order(columns, sort, direction)}`);
  return rows;
}

async function readUnusedIndexes(db: Database, direction?: 'asc' | 'desc'): Promise<UnusedIndex[]> {
  const { rows } = await db.execute<UnusedIndex>(sql`
    SELECT indexrelname AS id, relname AS table, pg_relation_size(indexrelid) AS bytes
    FROM pg_stat_user_indexes JOIN pg_index USING (indexrelid)
    WHERE schemaname = 'public' AND idx_scan = 0 AND NOT indisunique ORDER BY ${order({ bytes: sql`bytes` }, 'bytes', direction)}`);
  return rows;
}

async function readSummary(db: Database) {
  const { rows } = await db.execute<{
    bytes: number;
    hits: number | null;
    connections: number;
    max_connections: number;
    since: string | null;
  }>(sql`
    SELECT pg_database_size(current_database()) AS bytes, ${shareOf(sql`blks_hit`, sql`blks_read`)} AS hits,
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::integer AS connections,
      current_setting('max_connections')::integer AS max_connections,
      to_char(stats_reset AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since
    FROM pg_stat_database WHERE datname = current_database()`);
  const [found] = rows;
  if (!found) throw new Error('the database tells nothing of itself');
  return { ...found, records_statements: await recordsStatements(db) };
}

export const mysqlTimeConsumingService: Service<typeof mysqlTimeConsuming> = {
  inquire: async ({ min_seconds = defaultSeconds, ...input }, { db }) => pageOfAll(await readLongSessions(db, min_seconds), input),
  statements: async ({ sort = 'total_ms', order: direction, span = 'day', ...input }, { db }) =>
    pageOfAll(await readStatements(db, { sort, order: direction, span }), input),
  relations: async (input, { db }) => pageOfAll(await readRelations(db, input.sort ?? 'bytes', input.order), input),
  unused_indexes: async (input, { db }) => pageOfAll(await readUnusedIndexes(db, input.order), input),
  summary: (_input, { db }) => readSummary(db),
  release: ({ sessions, with_visits = false }, context) => releaseSessions(sessions, with_visits, context),
};
