import { type SQL, sql } from 'drizzle-orm';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { type CodeCondition, inSpan, type Span } from './spans.ts';

/** Counts by hour of codes: what each is a count of, and what is counted. Of both the table of packed rows has arrays. */
export const hourTables = {
  visit_hour: { key: ['outcome'], sums: ['visits', 'ips', 'new_ips'] },
  visit_hour_origin: { key: ['place_id', 'device_id'], sums: ['visits'] },
  visit_hour_target: { key: ['target_id'], sums: ['visits', 'presses'] },
} as const;
export type HourTable = keyof typeof hourTables;

export const countColumns = (table: HourTable): string[] => [...hourTables[table].key, ...hourTables[table].sums];
/** A packed row is of a month at most; in hours, because a day of the database's own time zone may have 23. */
const longestRow = '744 hours';
export const quarterSeconds = 900;
/** So long after its end a day or a month is packed: what is asked of the last days most often, and what comes late, are single counts. */
export const settledMilliseconds = 2 * 86_400_000;
const hourOfQuarter = `starts_at + quarter * interval '${quarterSeconds} seconds'`;
const unnested = (table: HourTable): string =>
  ['quarter', ...countColumns(table)].map((column) => `unnest(packed.${column}) AS ${column}`).join(', ');

/** The counts of packed rows one by one, as the text of a query; `packed` is what stands behind FROM under this name, and WHERE. */
export const unpacked = (table: HourTable, packed: string): string =>
  `SELECT live_code_id, ${hourOfQuarter} AS hour, ${countColumns(table).join(', ')} FROM (SELECT live_code_id, starts_at, ${unnested(table)} FROM ${packed}) AS counts`;

export const momentText = (at: number): string => `'${new Date(at).toISOString()}'::timestamptz`;
/** Packed rows that may have counts of hours from the first moment (SQL) on and before the other. */
export const mayHaveHours = (from: string, to: string): string =>
  `packed.ends_at > ${from} AND packed.ends_at < ${to} + interval '${longestRow}' AND packed.starts_at < ${to}`;

/** All that is read to find the counts of a span, because packed rows are read whole: days, or months where these are packed (both UTC). */
export function packedSpan({ from, to }: Span, now: number): Span {
  const boundsOf = (at: number): Span => {
    const date = new Date(at);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    const next = Date.UTC(year, month + 1);
    return next <= now - settledMilliseconds
      ? { from: Date.UTC(year, month), to: next }
      : { from: Date.UTC(year, month, day), to: Date.UTC(year, month, day + 1) };
  };
  return { from: boundsOf(from).from, to: boundsOf(to - 1).to };
}

const isVisible = (hour: SQL, visible_from: SQL): SQL => sql`(${visible_from} IS NULL OR ${hour} >= ${visible_from})`;

/** A code that was deleted has no row any more, and visits that reached none never had. */
export const joinCode = (codes: CodeCondition, id: SQL): SQL =>
  sql`${codes ? sql`` : sql`LEFT`} JOIN ${live_code} ON ${live_code.id} = ${id}`;
export const codeWhere = (codes: CodeCondition): SQL => codes ?? sql`true`;

type HourOptions = { isMeant?: typeof isVisible; isSingle?: SQL; isPacked?: SQL; withCodes?: boolean };

/**
 * The counts by hour of codes, single ones and packed ones, as a subquery with the columns live_code_id, hour, and those of the table; of
 * targets only those that are there. `isMeant` is told the hour and since when the code's history is seen (null: ever), and picks by them;
 * `isSingle` is a condition on the single ones alone, `isPacked` one on the arrays of others. Without `withCodes`, where no code decides, none is looked up, nor any target.
 */
export function hourCounts(
  table: HourTable,
  codes: CodeCondition,
  span: Span,
  { isMeant = isVisible, isSingle = sql`true`, isPacked = sql`true`, withCodes = true }: HourOptions = {},
): SQL {
  const columns = (of: string) =>
    sql.raw(
      countColumns(table)
        .map((column) => `${of}.${column}`)
        .join(', '),
    );
  const [name, ofTargets] = [sql.identifier(table), table === 'visit_hour_target'];
  const joined = ofTargets
    ? sql`live_code_target JOIN ${live_code} ON ${live_code.id} = live_code_target.live_code_id
        JOIN visit_hour_target ON visit_hour_target.target_id = live_code_target.id`
    : sql`${name} ${joinCode(codes, sql`${name}.live_code_id`)}`;
  const [codeOfTarget, visible_from, meant] = withCodes
    ? [sql`${live_code.id}`, sql`${live_code.visible_from}`, isMeant]
    : [sql`NULL::bigint`, sql`NULL::timestamptz`, () => sql`true`];
  const [hour, of] = [sql`${name}.hour`, ofTargets ? codeOfTarget : sql`${name}.live_code_id`];
  const [from, to] = [momentText(span.from), momentText(span.to)];
  return sql`(
    SELECT ${of} AS live_code_id, ${hour}, ${columns(table)} FROM ${withCodes ? joined : name}
    WHERE ${codeWhere(codes)} AND ${inSpan(hour, span)} AND ${meant(hour, visible_from)} AND ${isSingle}
    UNION ALL
    SELECT counts.live_code_id, counts.hour, ${columns('counts')} FROM (
      SELECT counts.*, ${sql.raw(hourOfQuarter)} AS hour FROM (
        SELECT packed.live_code_id, packed.starts_at, packed.ends_at, ${visible_from} AS visible_from, ${sql.raw(unnested(table))}
        FROM ${sql.identifier(`${table}_packed`)} AS packed ${withCodes ? joinCode(codes, sql`packed.live_code_id`) : sql``}
        WHERE ${codeWhere(codes)} AND ${sql.raw(mayHaveHours(from, to))} AND ${isPacked}
      ) AS counts
    ) AS counts ${ofTargets && withCodes ? sql`JOIN live_code_target ON live_code_target.id = counts.target_id` : sql``}
    WHERE (${sql.raw(`counts.starts_at >= ${from} AND counts.ends_at <= ${to}`)} OR ${inSpan(sql`counts.hour`, span)})
      AND ${meant(sql`counts.hour`, sql`counts.visible_from`)}
  )`;
}
