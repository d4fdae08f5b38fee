import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { databaseSession, releaseSessions } from './database-session.ts';

/** What of the finished statements is compared. */
export const slowSorts = ['total_ms', 'mean_ms', 'calls', 'rows'] as const;
/** What is counted: the last hour, the last 24, or all since the server began to count. Samples are ten minutes apart. */
export const statementSpans = ['hour', 'day', 'all'] as const;
export type StatementSpan = (typeof statementSpans)[number];

const slowStatement = z.object({
  /** As PostgreSQL names the statement, whatever its values. */
  id: z.string(),
  statement: z.string(),
  calls: count,
  /** Milliseconds. */
  total_ms: z.number(),
  mean_ms: z.number(),
  /** Of the time of all statements, 0 to 1. */
  share: z.number(),
  rows: count,
  /** Of the pages it read, the share found in memory; null where it read none. */
  hits: z.number().nullable(),
});
export type SlowStatement = z.infer<typeof slowStatement>;

const relation = z.object({
  id: z.string(),
  /** Estimated. */
  rows: count,
  /** Bytes: with its indexes and long values. */
  bytes: count,
  index_bytes: count,
  /** The share of rows that were changed or removed and not cleared away yet, 0 to 1. */
  dead: z.number(),
  vacuumed_at: time.nullable(),
});
export type Relation = z.infer<typeof relation>;

const unusedIndex = z.object({ id: z.string(), table: z.string(), bytes: count });
export type UnusedIndex = z.infer<typeof unusedIndex>;

export const mysqlTimeConsuming = group('mysql_time_consuming', {
  inquire: call({
    summary: 'Sessions whose statement or transaction takes longer than so many seconds (default 5), the longest first.',
    access: requireAny('mysql_time_consuming'),
    input: listInput(['id'], { min_seconds: z.number().int().min(0).max(86_400).optional() }),
    output: pageOf(databaseSession),
  }),
  statements: call({
    summary:
      'Finished statements of the last day (or hour, or of all time) by what they took together; none where the server does not record them.',
    access: requireAny('mysql_time_consuming'),
    input: listInput(slowSorts, { span: z.enum(statementSpans).optional() }),
    output: pageOf(slowStatement),
  }),
  relations: call({
    summary: 'Tables by their size, with what is to be cleared away.',
    access: requireAny('mysql_time_consuming'),
    input: listInput(['bytes', 'index_bytes', 'rows', 'dead'], {}),
    output: pageOf(relation),
  }),
  unused_indexes: call({
    summary: 'Indexes that no statement has used since the statistics began, those that keep rows unique apart.',
    access: requireAny('mysql_time_consuming'),
    input: listInput(['bytes'], {}),
    output: pageOf(unusedIndex),
  }),
  summary: call({
    summary: "The database's size, its share of pages found in memory, its connections, and whether statements are recorded.",
    access: requireAny('mysql_time_consuming'),
    input: z.object({}),
    output: z.object({
      bytes: count,
      hits: z.number().nullable(),
      connections: count,
      max_connections: count,
      records_statements: z.boolean(),
      since: time.nullable(),
    }),
  }),
  release: releaseSessions('mysql_time_consuming.release'),
});
