import { type SQL, sql } from 'drizzle-orm';
import {
  type AgentCourse,
  type AgentPeriod,
  type AgentStep,
  type agentDailyStatistics,
  type agentHistoricalStatistics,
  maxPeriods,
} from '../../../contract/money/agent-statistics.ts';
import { amountOf, millionthsOf } from '../../../contract/money/amounts.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import { defaultPageSize } from '../../kit/rows/list.ts';
import { amountSql } from '../../ledger/ledger.public.ts';

type Filters = { from?: string | undefined; to?: string | undefined; by?: AgentStep | undefined; agent_id?: number | undefined };
type Range = { from: string; to: string; by: AgentStep; time_zone: string };

const dayMilliseconds = 86_400_000;
const shift = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10);
const stepDays: Record<AgentStep, number> = { day: 1, week: 7, month: 28 };

/** The days that are asked for; the last thirty, or the last year by month, where nothing is said. */
async function rangeOf({ from, to, by }: Filters, usual: { by: AgentStep; days: number }, { now, settings }: Context): Promise<Range> {
  const { time_zone } = await settings();
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone }).format(now);
  const last = to ?? (from !== undefined && from > today ? from : today);
  const range = { from: from ?? shift(last, 1 - usual.days), to: last, by: by ?? usual.by, time_zone };
  if (range.from > range.to) throw invalidField('to', 'share_range');
  if ((Date.parse(range.to) - Date.parse(range.from)) / dayMilliseconds / stepDays[range.by] >= maxPeriods)
    throw invalidField('from', 'range_too_long');
  return range;
}

/** One agent, or all of them for administrators. */
const agentsOf = ({ agent_id }: Filters, { scope }: Context): SQL => {
  if (!scope.all) return sql`SELECT ${scope.owner_id}::bigint AS id`;
  if (agent_id !== undefined) return sql`SELECT ${agent_id}::bigint AS id`;
  return sql`SELECT user_account.id FROM user_account JOIN role ON role.id = role_id WHERE role.kind = 'agent'`;
};

type Row = Omit<AgentPeriod, 'at'> & { at: Date | string };

/** Each period of the range, also those in which nothing happened. */
async function periodsOf(filters: Filters, range: Range, context: Context): Promise<AgentPeriod[]> {
  const { from, to, by, time_zone } = range;
  const zone = sql`${time_zone}::text`;
  const periodOf = (at: SQL) => sql`date_trunc(${by}::text, ${at} AT TIME ZONE ${zone})::date`;
  const isWithin = (at: SQL) => sql`${at} >= ${from}::date::timestamp AT TIME ZONE ${zone}
    AND ${at} < (${to}::date + 1)::timestamp AT TIME ZONE ${zone}`;
  const { rows } = await context.db.execute<Row>(sql`
    WITH RECURSIVE agent AS MATERIALIZED (${agentsOf(filters, context)}),
    below AS (
      SELECT user_account.id FROM user_account WHERE superior_id IN (SELECT id FROM agent)
      UNION SELECT user_account.id FROM user_account JOIN below ON user_account.superior_id = below.id
    ),
    joined AS (
      SELECT ${periodOf(sql`created_at`)} AS period, count(*) AS number FROM user_account
      WHERE superior_id IN (SELECT id FROM agent) AND ${isWithin(sql`created_at`)} GROUP BY 1
    ),
    bought AS (
      SELECT ${periodOf(sql`paid_at`)} AS period, count(*) AS number, sum(amount) AS revenue FROM combo_order
      WHERE user_id IN (SELECT id FROM below) AND state = 'paid' AND ${isWithin(sql`paid_at`)} GROUP BY 1
    ),
    shared AS (
      SELECT ${periodOf(sql`created_at`)} AS period, sum(amount - refunded) AS shares, sum(refunded) AS reversed FROM order_share
      WHERE agent_id IN (SELECT id FROM agent) AND ${isWithin(sql`created_at`)} GROUP BY 1
    )
    SELECT to_char(period, 'YYYY-MM-DD') AS period, period::timestamp AT TIME ZONE ${zone} AS at,
      coalesce(joined.number, 0)::float8 AS customers, coalesce(bought.number, 0)::float8 AS orders,
      ${amountSql(sql`coalesce(bought.revenue, 0)`)} AS revenue,
      ${amountSql(sql`coalesce(shared.shares, 0)`)} AS shares, ${amountSql(sql`coalesce(shared.reversed, 0)`)} AS reversed
    FROM (
      SELECT generate_series(date_trunc(${by}::text, ${from}::date::timestamp), ${to}::date::timestamp, ('1 ' || ${by}::text)::interval)::date AS period
    ) AS periods
      LEFT JOIN joined USING (period) LEFT JOIN bought USING (period) LEFT JOIN shared USING (period)
    ORDER BY period`);
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
}

type PageInput = Filters & { page?: number | undefined; page_size?: number | undefined; order?: 'asc' | 'desc' | undefined };

/** Both screens ask for the same, in steps and over days of their own. */
const askedFor = (usual: { by: AgentStep; days: number }) => ({
  async inquire({ page = 1, page_size = defaultPageSize, order = 'desc', ...filters }: PageInput, context: Context) {
    const periods = await periodsOf(filters, await rangeOf(filters, usual, context), context);
    if (order === 'desc') periods.reverse();
    return { content: periods.slice((page - 1) * page_size, page * page_size), total: periods.length, page, page_size };
  },

  async course(filters: Filters, context: Context): Promise<AgentCourse> {
    const range = await rangeOf(filters, usual, context);
    const series = await periodsOf(filters, range, context);
    const sum = (key: 'revenue' | 'shares' | 'reversed') => amountOf(series.reduce((total, row) => total + millionthsOf(row[key]), 0n));
    const counted = (key: 'customers' | 'orders') => series.reduce((total, row) => total + row[key], 0);
    return {
      from: range.from,
      to: range.to,
      by: range.by,
      now: context.now.toISOString(),
      series,
      totals: {
        customers: counted('customers'),
        orders: counted('orders'),
        revenue: sum('revenue'),
        shares: sum('shares'),
        reversed: sum('reversed'),
      },
    };
  },
});

export const agentDailyStatisticsService: Service<typeof agentDailyStatistics> = askedFor({ by: 'day', days: 30 });
export const agentHistoricalStatisticsService: Service<typeof agentHistoricalStatistics> = askedFor({ by: 'month', days: 365 });
