import { type SQL, sql } from 'drizzle-orm';

/**
 * The codes whose visits are asked for, as a condition on `live_code`. Undefined is everything that was recorded: also visits that
 * reached no code, or one that is deleted by now; but not what passed a short code.
 */
export type CodeCondition = SQL | undefined;

/** Moments in milliseconds since 1970, both at the start of an hour of the site; `to` is not included. */
export type Span = { from: number; to: number };

export const momentSql = (at: number): SQL => sql`${new Date(at).toISOString()}::timestamptz`;
/** Milliseconds since 1970 of a moment, as a number. */
export const millisecondsOf = (moment: SQL): SQL => sql`(extract(epoch FROM ${moment}) * 1000)::float8`;
export const inSpan = (hour: SQL, { from, to }: Span): SQL => sql`${hour} >= ${momentSql(from)} AND ${hour} < ${momentSql(to)}`;
