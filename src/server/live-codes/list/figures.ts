import { type SQL, sql } from 'drizzle-orm';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { outcomes } from '../../../contract/enums.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { codeTotals, countsSince, type SiteTime, siteClock, todayByCode } from '../../visits/visits.public.ts';
import { live_code, live_code_total } from '../live-codes.table.ts';
import { type Found, isFound } from './search.ts';

type Figures = Pick<LiveCode, 'view_number' | 'ip_view_number' | 'today_view_number' | 'today_ip_view_number'>;

const outcome = outcomes.indexOf('passed');

/** Of a code whose figures are not told. */
export const lockedFigures: Figures = { view_number: null, ip_view_number: null, today_view_number: null, today_ip_view_number: null };

/** The figures of each of these codes. */
export async function figuresOf(db: Database, ids: readonly number[], time: SiteTime): Promise<(id: number) => Figures> {
  const totals = await codeTotals(db, ids, time);
  const today = await todayByCode(db, ids, time);
  return (id) => ({
    view_number: totals.get(id)?.visits ?? 0,
    ip_view_number: totals.get(id)?.ips ?? 0,
    today_view_number: today.get(id)?.visits ?? 0,
    today_ip_view_number: today.get(id)?.ips ?? 0,
  });
}

/** Visits that passed and their addresses by code, of the codes for which `where` holds, from the moment on and since their history begins. */
const passedSince = (where: SQL, since: Date): SQL => sql`(
  SELECT live_code_id, sum(visits) AS visits, sum(ips) AS ips FROM ${countsSince(where, since)} AS counts
  WHERE outcome = ${outcome} GROUP BY live_code_id)`;

const figureColumns = {
  view_number: 'visits',
  ip_view_number: 'ips',
  today_view_number: 'visits',
  today_ip_view_number: 'ips',
} as const;
type FigureSort = keyof typeof figureColumns;
export const isFigure = (sort: string): sort is FigureSort => sort in figureColumns;

/** More rows than any table of this product has. */
const maxRows = 2 ** 31 - 1;

/** `limit` ids from the place `offset` of the order on. */
export type IdSpan = { offset: number; limit: number };
type FigureOrder = { sort: FigureSort; order: 'asc' | 'desc' };

/** Holds all codes for which `where` holds, where a search found them. */
type Narrowing = { found: Found | undefined };

/** Visits and addresses of codes whose history was never cleared, and of the few whose was: those are summed from there on. */
function figureSources(sort: FigureSort, where: SQL, { now, time_zone, found }: SiteTime & Narrowing): { whole: SQL; cleared: SQL } {
  const clock = siteClock(time_zone);
  const midnight = new Date(clock.startOf(clock.dayOf(now.getTime())));
  const isToday = sort.startsWith('today');
  const among = found ? isFound(sql`live_code_id`, found) : sql`true`;
  const whole = isToday
    ? sql`(SELECT live_code_id, sum(visits) AS visits, sum(ips) AS ips FROM visit_hour
        WHERE hour >= ${midnight.toISOString()} AND outcome = ${outcome} AND ${among} GROUP BY live_code_id)`
    : found
      ? sql`(SELECT live_code_id, visits, ips FROM ${live_code_total} WHERE ${among})`
      : sql`${live_code_total}`;
  return { whole, cleared: passedSince(sql`${where} AND ${live_code.visible_from} IS NOT NULL`, isToday ? midnight : new Date(0)) };
}

/**
 * The ids of the codes for which `where` holds in the order of a figure, exact over all pages. Codes with visits and those without are
 * two lists, one after the other: nearly all codes of a large installation are of the second kind, which an index gives in order. Codes for
 * which `open` does not hold stand among those without, so that their place tells nothing.
 */
export async function idsByFigure(
  where: SQL,
  { sort, order }: FigureOrder,
  { offset, limit }: IdSpan,
  {
    db,
    isWide,
    open = sql`true`,
    ...time
  }: SiteTime & Narrowing & { db: Database; open?: SQL | undefined /** Nearly every code fits. */; isWide: boolean },
): Promise<number[]> {
  const figure = sql.raw(figureColumns[sort]);
  const direction = sql.raw(order);
  const told = sql`${where} AND ${open}`;
  const { whole, cleared } = figureSources(sort, told, time);
  // One by one where the day's visits are in a table, as a set where they have to be summed first.
  const hasNone = sort.startsWith('today')
    ? sql`${live_code.id} NOT IN (SELECT live_code_id FROM ${whole} AS whole WHERE ${figure} > 0)`
    : sql`NOT EXISTS (SELECT FROM ${live_code_total} AS whole WHERE whole.live_code_id = ${live_code.id} AND whole.${figure} > 0)`;
  const inOrder = sql`ORDER BY ${figure} ${direction}, live_code_id ${direction}`;
  // Where most of the visited codes fit, those with most visits are looked up one after the other until there are enough of them.
  const uncleared = sql`${told} AND ${live_code.visible_from} IS NULL AND ${live_code.id} = whole.live_code_id`;
  const joined =
    time.found || (isWide && sort.startsWith('today'))
      ? sql`(SELECT * FROM ${whole} AS summed ${inOrder}) AS whole CROSS JOIN LATERAL (SELECT FROM ${live_code} WHERE ${uncleared} LIMIT 1) AS code`
      : sql`${whole} AS whole JOIN ${live_code} ON ${uncleared}`;
  const visited = (rows: number) => sql`SELECT live_code_id AS id FROM (
    (SELECT whole.live_code_id, whole.${figure} FROM ${joined} WHERE whole.${figure} > 0 ${inOrder} LIMIT ${rows})
    UNION ALL (SELECT live_code_id, ${figure} FROM ${cleared} AS cleared WHERE ${figure} > 0)) AS visited ${inOrder}`;
  const unvisited = () => sql`SELECT ${live_code.id} AS id FROM ${live_code} WHERE ${where}
    AND (NOT (${open}) OR ((${live_code.visible_from} IS NOT NULL OR ${hasNone})
    AND (${live_code.visible_from} IS NULL OR ${live_code.id} NOT IN (SELECT live_code_id FROM ${cleared} AS cleared WHERE ${figure} > 0))))
    ORDER BY ${live_code.id} ${direction}`;
  const [first, second] = order === 'desc' ? [visited, unvisited] : [unvisited, visited];
  const read = async (list: (rows: number) => SQL, from: number, rows: number): Promise<number[]> =>
    (await db.execute<{ id: number }>(sql`${list(from + rows)} LIMIT ${rows} OFFSET ${from}`)).rows.map(({ id }) => id);

  const found = await read(first, offset, limit);
  if (found.length === limit) return found;
  const before = found.length > 0 || offset === 0 ? offset + found.length : await countOf(db, first(maxRows));
  return [...found, ...(await read(second, Math.max(0, offset - before), limit - found.length))];
}

const countOf = async (db: Database, list: SQL): Promise<number> =>
  (await db.execute<{ number: number }>(sql`SELECT count(*) AS number FROM (${list}) AS counted`)).rows[0]?.number ?? 0;
