import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { logFilterSchema } from '../../contract/system/log.ts';
import type { Scope } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { betweenDays, defaultPageSize, equals } from '../kit/rows/list.ts';
import { log } from '../kit/rows/tables.ts';
import { addressesOf } from './logs.addresses.ts';
import { heaviestPortion, weightBefore } from './logs.chain.ts';
import { lastSeal } from './logs.seal.ts';

export type LogFilters = z.output<typeof logFilterSchema>;
export type LogView = { scope: Scope; time_zone: string };

/** Counting goes no further: to count millions for every look at a list would cost more than the list. */
const mostCounted = 10_000;
/** Larger contents are read with their entry only. */
const longestContent = 32_768;

function ofType(type: string | undefined): SQL | undefined {
  if (type === undefined) return undefined;
  const group = /^(.+)\/\*$/.exec(type)?.[1];
  // From `group/` to just before `group0`, the character after the slash: an index finds that, and no pattern is needed.
  return group === undefined ? eq(log.type, type) : sql`${log.type} >= ${`${group}/`} AND ${log.type} < ${`${group}0`}`;
}

function fromNetwork(ip: string | undefined): SQL | undefined {
  if (ip === undefined || ip.trim() === '') return undefined;
  const meant = addressesOf(ip.trim());
  if (!meant) throw invalidField('ip', 'invalid_ip');
  if ('ranges' in meant) return or(...meant.ranges.map(([first, last]) => sql`${log.ip} BETWEEN ${first}::inet AND ${last}::inet`));
  return meant.network.includes('/') ? sql`${log.ip} <<= ${meant.network}::inet` : sql`${log.ip} = ${meant.network}::inet`;
}

export const logWhere = ({ user_id, type, ip, from, to }: LogFilters, { scope, time_zone }: LogView): SQL | undefined =>
  and(scope.sees(log.user_id), equals(log.user_id, user_id), ofType(type), fromNetwork(ip), betweenDays(log.at, { from, to }, time_zone));

export type ReadRow = {
  id: number;
  at: string;
  /** The moment to the microsecond, which decides the order of rows. */
  exact_at: string;
  user_id: number | null;
  user_account: string | null;
  impersonator_id: number | null;
  impersonator_account: string | null;
  type: string;
  /** Null where it is too large for a list. */
  content: unknown;
  changes: { before?: unknown; after?: unknown } | null;
  source: string;
  ip: string | null;
  user_agent: string;
  has_changes: boolean;
};

const rowFields = (isWhole: boolean): SQL => sql`
  log.id, log.at, to_char(log.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS exact_at, log.user_id, actor.account AS user_account,
  log.impersonator_id, impersonator.account AS impersonator_account, log.type, log.source, host(log.ip) AS ip, log.user_agent,
  log.changes IS NOT NULL AS has_changes,
  ${
    isWhole
      ? sql`log.content, log.changes`
      : sql`CASE WHEN pg_column_size(log.content) < ${longestContent} THEN log.content END AS content,
    CASE WHEN pg_column_size(log.changes) < ${longestContent} THEN log.changes END AS changes`
  }`;
const rowJoins: SQL = sql`
  LEFT JOIN user_account AS actor ON actor.id = log.user_id LEFT JOIN user_account AS impersonator ON impersonator.id = log.impersonator_id`;

const asRead = (row: Omit<ReadRow, 'at'> & { at: Date | string }): ReadRow => ({ ...row, at: new Date(row.at).toISOString() });

/** One entry whole; undefined where there is none that the caller may see. */
export async function readLogRow(db: Database, id: number, { scope }: Pick<LogView, 'scope'>): Promise<ReadRow | undefined> {
  const { rows } = await db.execute<ReadRow>(
    sql`SELECT ${rowFields(true)} FROM log ${rowJoins} WHERE ${and(eq(log.id, id), scope.sees(log.user_id))}`,
  );
  return rows[0] && asRead(rows[0]);
}

/** The newest entry that matches. */
export async function newestLogRow(db: Database, where: SQL | undefined): Promise<ReadRow | undefined> {
  const [found] = await db.select({ id: log.id }).from(log).where(where).orderBy(desc(log.at), desc(log.id)).limit(1);
  if (!found) return undefined;
  const { rows } = await db.execute<ReadRow>(sql`SELECT ${rowFields(true)} FROM log ${rowJoins} WHERE log.id = ${found.id}`);
  return rows[0] && asRead(rows[0]);
}

/** Entries after a given one, newest first, whole: for exports. */
export async function logRowsAfter(
  db: Database,
  where: SQL | undefined,
  { after, limit }: { after: ReadRow | undefined; limit: number },
): Promise<ReadRow[]> {
  const isAfter = after && sql`(log.at, log.id) < (${after.exact_at}::timestamptz, ${after.id})`;
  const { rows } = await db.execute<ReadRow>(sql`
    SELECT ${rowFields(true)} FROM (
      SELECT id, ${weightBefore(sql`at DESC, id DESC`)} AS weight FROM log WHERE ${and(where, isAfter) ?? sql`true`} ORDER BY at DESC, id DESC LIMIT ${limit}
    ) AS next JOIN log ON log.id = next.id ${rowJoins} WHERE weight < ${heaviestPortion} ORDER BY log.at DESC, log.id DESC`);
  return rows.map(asRead);
}

type PageInput = LogFilters & { page?: number; page_size?: number; order?: 'asc' | 'desc' };
type LogPage = { rows: ReadRow[]; total: number; at_least: boolean; page: number; page_size: number; sealed_to: number };

/** One page of entries. The ids are found in an index first; only what is shown is read from the table. */
export async function readLogPage(db: Database, input: PageInput, view: LogView): Promise<LogPage> {
  const { page = 1, page_size = defaultPageSize, order = 'desc', ...filters } = input;
  const where = logWhere(filters, view);
  const direction = sql.raw(order);
  const inOrder = sql`ORDER BY log.at ${direction}, log.id ${direction}`;
  const { rows } = await db.execute<ReadRow>(sql`
    WITH shown AS (SELECT log.id FROM log WHERE ${where ?? sql`true`} ${inOrder} LIMIT ${page_size} OFFSET ${(page - 1) * page_size})
    SELECT ${rowFields(false)} FROM shown JOIN log ON log.id = shown.id ${rowJoins} ${inOrder}`);
  const { last_id } = await lastSeal(db);
  return { rows: rows.map(asRead), ...(await countLog(db, filters, view, last_id)), page, page_size, sealed_to: last_id };
}

/** How many entries fit. All of them, and those of one type, are known from the sealer's counts; others are counted up to 10,000. */
async function countLog(
  db: Database,
  filters: LogFilters,
  view: LogView,
  sealed_to: number,
): Promise<{ total: number; at_least: boolean }> {
  const { type, ...others } = filters;
  const isCounted = view.scope.all && !type?.endsWith('/*') && Object.values(others).every((value) => value === undefined);
  if (isCounted) return { total: await countByTypes(db, type, sealed_to), at_least: false };
  const { rows } = await db.execute<{ number: number }>(sql`
    SELECT count(*) AS number FROM (SELECT FROM log WHERE ${logWhere(filters, view) ?? sql`true`} LIMIT ${mostCounted + 1}) AS found`);
  const number = rows[0]?.number ?? 0;
  return { total: Math.min(number, mostCounted), at_least: number > mostCounted };
}

async function countByTypes(db: Database, type: string | undefined, sealed_to: number): Promise<number> {
  const ofThis = type === undefined ? sql`true` : sql`type = ${type}`;
  const { rows } = await db.execute<{ number: number }>(sql`
    SELECT (SELECT coalesce(sum(number), 0)::bigint FROM log_type WHERE ${ofThis}) + (SELECT count(*) FROM log WHERE id > ${sealed_to} AND ${ofThis}) AS number`);
  return rows[0]?.number ?? 0;
}
