import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type AgentCourse, type AgentPeriod, type AgentStep, agentSteps } from '../../contract/money/agent-statistics.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { LineChart } from '../kit/charts/LineChart.tsx';
import { Amount, Failure, Num, Page } from '../kit/feedback.ts';
import type { Filter } from '../kit/ListPage.tsx';
import { columnsOf, type KindColumn } from '../kit/list/kinds.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { SumList } from './SumList.tsx';
import './money.css';

const counted = ['customers', 'orders'] as const;
const paid = ['revenue', 'shares', 'reversed'] as const;

const figureColumns: KindColumn<AgentPeriod>[] = [
  ...counted.map((key) => ({ key, kind: 'number' as const, title: `agent_daily_statistics.${key}`, width: 130 })),
  ...paid.map((key) => ({
    key,
    title: `agent_daily_statistics.${key}`,
    width: 150,
    align: 'right' as const,
    card: 'field' as const,
    render: (row: AgentPeriod) => <Amount value={row[key]} />,
  })),
];
/** A period leads to the shares of its days; a month is named without its first one. */
function Period({ row: { period }, by }: { row: AgentPeriod; by: AgentStep }) {
  const last = dayjs(period).add(1, by).subtract(1, 'day').format('YYYY-MM-DD');
  const name = by === 'month' ? period.slice(0, 7) : period;
  const { allows } = useSession();
  if (!allows('agent_divided_into')) return name;
  return <Link to={`/customer/agent_divided_into?created_from=${period}&created_to=${last}`}>{name}</Link>;
}

const columnsBy = (by: AgentStep): KindColumn<AgentPeriod>[] => [
  {
    key: 'period',
    kind: 'name',
    width: 140,
    title: 'agent_daily_statistics.period',
    render: (row) => <Period row={row} by={by} />,
  },
  ...figureColumns,
];

const agentFilter = {
  kind: 'remote',
  key: 'agent_id',
  label: 'agent_divided_into.agent',
  source: accountOptions,
  node: 'user_list',
} as const;
const range = { kind: 'date_range', key: 'from', to: 'to', label: 'agent_daily_statistics.from' } as const;
const defaultSort = { sort: 'period', order: 'desc' } as const;

const dailyColumns = columnsOf(api.agent_daily_statistics.inquire, columnsBy('day'));
const dailyFilters: Filter<'from' | 'to' | 'agent_id'>[] = [range, agentFilter];
const historyColumns = {
  day: columnsOf(api.agent_historical_statistics.inquire, columnsBy('day')),
  week: columnsOf(api.agent_historical_statistics.inquire, columnsBy('week')),
  month: columnsOf(api.agent_historical_statistics.inquire, columnsBy('month')),
};
const historyFilters: Filter<'from' | 'to' | 'by' | 'agent_id'>[] = [
  {
    kind: 'select',
    key: 'by',
    label: 'agent_daily_statistics.by',
    options: agentSteps.map((value) => ({ value, label: `agent_daily_statistics.by_${value}` })),
  },
  range,
  agentFilter,
];

const seriesOf = (course: AgentCourse, keys: readonly ('customers' | 'orders' | 'revenue' | 'shares')[]) =>
  keys.map((key, index) => ({
    key,
    name: `agent_daily_statistics.${key}`,
    color: index,
    points: course.series.map((row) => ({ at: row.at, value: Number(row[key]) })),
  }));

/** The sums of the range, and its course in money and in numbers. */
function Course({ course }: { course: AgentCourse }) {
  const { t } = useTranslation();
  const { totals, by, now, from, to } = course;
  const label = (key: (typeof counted)[number] | (typeof paid)[number]) => t(`agent_daily_statistics.${key}`);
  const numbers = counted.map((key) => [label(key), <Num key={key} value={totals[key]} />] as const);
  const amounts = paid.map((key) => [label(key), <Amount key={key} value={totals[key]} />] as const);
  return (
    <>
      <SumList sums={[[t('agent_daily_statistics.total'), `${from} – ${to}`], ...numbers, ...amounts]} />
      <div className="lc-money-charts">
        <LineChart title="agent_daily_statistics.money" series={seriesOf(course, ['revenue', 'shares'])} step={by} now={now} height={220} />
        <LineChart title="agent_daily_statistics.numbers" series={seriesOf(course, counted)} step={by} now={now} height={220} />
      </div>
    </>
  );
}

type AnswerProps = Pick<ReturnType<typeof useCall<object, AgentCourse>>, 'data' | 'error' | 'refetch' | 'isFetching'>;

/** What is above the table of a range: its course, or why there is none. */
function Above({ data, error, refetch, isFetching }: AnswerProps) {
  if (data) return <Course course={data} />;
  return error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />;
}

const empty = { title: 'agent_daily_statistics.empty', help: 'agent_daily_statistics.empty_help' };

/** New customers, orders, revenue and shares of agents, day by day. */
export function AgentDailyStatisticsPage() {
  const state = useUrlListState(dailyFilters, ['period'], defaultSort);
  const course = useCall(api.agent_daily_statistics.course, state.values);
  return (
    <Page title="menu.agent_daily_statistics">
      <Above {...course} />
      <ListView
        list={api.agent_daily_statistics.inquire}
        columns={dailyColumns}
        filters={dailyFilters}
        state={state}
        rowKey="period"
        defaultSort={defaultSort}
        exportName="menu.agent_daily_statistics"
        empty={empty}
        isEmbedded
      />
    </Page>
  );
}

/** The same by day, week or month over any range. */
export function AgentHistoricalStatisticsPage() {
  const state = useUrlListState(historyFilters, ['period'], defaultSort);
  const course = useCall(api.agent_historical_statistics.course, state.values);
  const by = agentSteps.find((step) => step === state.values.by) ?? 'month';
  return (
    <Page title="menu.agent_historical_statistics">
      <Above {...course} />
      <ListView
        list={api.agent_historical_statistics.inquire}
        columns={historyColumns[by]}
        filters={historyFilters}
        state={state}
        rowKey="period"
        defaultSort={defaultSort}
        exportName="menu.agent_historical_statistics"
        empty={empty}
        isEmbedded
      />
    </Page>
  );
}
