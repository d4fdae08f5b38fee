import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { addressHash } from '../columns/addresses.ts';
import { type CodeCondition, momentSql, type Span } from './spans.ts';
import { type Hidden, isRefused, passed, visibleRows } from './visible.ts';

/** The last minutes, `first` and `to` being moments in milliseconds since 1970; who came since `present` is here now. */
export type RecentSpan = { first: number; to: number; minutes: number; present: number };
/** Whose visits, and what of their histories was cleared. */
type Asked = { codes: CodeCondition; hidden: Hidden };
/** Visits that passed and that were refused by minute. */
export type MinuteSums = { visits: ArrayLike<number>; refused: ArrayLike<number> };
/** `places` is a subquery with the columns id and visits. */
export type RecentVisits = MinuteSums & { visitors: number; visitors_now: number; places: SQL };

/** The minutes of which rows of a part of the span tell. */
export async function minutesOfRows(
  db: Database,
  { codes, hidden }: Asked,
  part: Span,
  { first, minutes }: RecentSpan,
): Promise<MinuteSums> {
  const { rows } = await db.execute<{ minute: number; visits: number; refused: number }>(sql`
    SELECT floor(extract(epoch FROM visit.at - ${momentSql(first)}) / 60)::integer AS minute, count(*) FILTER (WHERE outcome = ${passed})::float8 AS visits,
      count(*) FILTER (WHERE ${isRefused(sql`outcome`)})::float8 AS refused FROM ${visibleRows(codes, part, { hidden })} GROUP BY minute`);
  const sums = { visits: new Uint32Array(minutes), refused: new Uint32Array(minutes) };
  for (const { minute, visits, refused } of rows) {
    sums.visits[minute] = visits;
    sums.refused[minute] = refused;
  }
  return sums;
}

export const placesOfRows = ({ codes, hidden }: Asked, part: Span): SQL =>
  sql`(SELECT visit.place_id AS id, count(*) AS visits FROM ${visibleRows(codes, part, { hidden })} AND outcome = ${passed} GROUP BY visit.place_id)`;

const lastOfAddresses = ({ codes, hidden }: Asked, part: Span): SQL =>
  sql`(SELECT visit.ip, max(visit.at) AS last FROM ${visibleRows(codes, part, { hidden })} AND outcome = ${passed} GROUP BY visit.ip) AS visitor`;

/** The addresses of a part as hashes, with a mark for those that are here now. */
export async function addressesOfRows(db: Database, asked: Asked, part: Span, { present }: RecentSpan) {
  const { rows } = await db.execute<{ is_present: boolean; hashes: string }>(sql`
    SELECT last >= ${momentSql(present)} AS is_present, string_agg(${sql.raw(addressHash('ip'))}::text, ' ') AS hashes
    FROM ${lastOfAddresses(asked, part)} GROUP BY 1`);
  const found = rows.flatMap(({ is_present, hashes }) => hashes.split(' ').map((hash) => ({ hash: Number(hash), is_present })));
  return {
    hashes: Float64Array.from(found, ({ hash }) => hash),
    isPresent: Uint8Array.from(found, ({ is_present }) => Number(is_present)),
  };
}

/** What rows tell of all of it. */
export async function recentOfRows(db: Database, asked: Asked, span: RecentSpan): Promise<RecentVisits> {
  const all = { from: span.first, to: span.to };
  const minutes = await minutesOfRows(db, asked, all, span);
  const { rows } = await db.execute<{ visitors: number; visitors_now: number }>(sql`
    SELECT count(*)::float8 AS visitors, count(*) FILTER (WHERE last >= ${momentSql(span.present)})::float8 AS visitors_now
    FROM ${lastOfAddresses(asked, all)}`);
  return { ...minutes, ...(rows[0] ?? { visitors: 0, visitors_now: 0 }), places: placesOfRows(asked, all) };
}
