import { Alert } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FilterDimension, filterDimensions, type VisitFilters } from '../../../contract/visits/historical-statistics.ts';
import { api } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';
import { useCall } from '../calls/query.ts';
import { Empty, Failure } from '../feedback.ts';
import { LockedFigures } from '../LockedFigures.tsx';
import { useLiveFigures } from '../socket/liveFigures.ts';
import { type Breakdowns, type Figure, figures, type Inquiry, narrowed } from './answers.ts';
import { Causes } from './Causes.tsx';
import { Course } from './Course.tsx';
import { DayTable } from './DayTable.tsx';
import { Dimensions, WaitingDimensions } from './Dimensions.tsx';
import { Figures } from './Figures.tsx';
import { FilterChips } from './FilterChips.tsx';
import { HeatMap } from './HeatMap.tsx';
import { filtersWithin, type Workbench as WorkbenchState } from './state.ts';
import { Targets } from './Targets.tsx';
import { Counting, MissingPanel, WaitingPanel } from './Waiting.tsx';
import './workbench.css';

export type WorkbenchProps = {
  bench: WorkbenchState;
  /** Codes that the screen is about; else those that the address names. */
  codes?: readonly number[];
  /** Filters that belong to the screen and are not shown as chips. */
  always?: VisitFilters;
  /** What the screen shows besides figures, course and dimensions; the heat map stands above where it is named first. */
  parts: readonly ('days' | 'heatmap' | 'targets')[];
  /** The bar above, which is given what is shown, for its export. */
  bar: (shown: Shown | undefined) => ReactNode;
};
export type Shown = { answer: Inquiry; breakdowns: Breakdowns; chart: () => HTMLCanvasElement | null | undefined };

const liveMilliseconds = 5_000;
const liveDays = 2;
/** These are read from rows, the others from counts by hour: they come later, and hold up nothing. */
const rowDimensions: FilterDimension[] = ['model', 'language', 'referer', 'host'];
const countedDimensions = filterDimensions.filter((dimension) => !rowDimensions.includes(dimension));

/** Visits of a range of days: figures, their course, why they changed, and what they are made of. Every value filters all the rest. */
export function Workbench({ bench, codes = bench.codes, always = {}, parts, bar }: WorkbenchProps) {
  const [figure, setFigure] = useState<Figure>('visits');
  const body = useRef<HTMLDivElement>(null);
  const { range, today } = bench;
  const isAhead = range.from > today;
  const filters = filtersWithin(bench.filters, always);
  const question = {
    ...range,
    ...(codes.length > 0 && { live_code_ids: [...codes] }),
    ...(bench.owner !== undefined && { owner_id: bench.owner }),
    ...(Object.keys(filters).length > 0 && { filters }),
  };
  // A long range changes little in a few seconds, and is dear to count.
  const isLive = range.from <= today && today <= range.to && dayjs(today).diff(range.from, 'day') <= liveDays;
  const refetchInterval = useLiveFigures('historical_statistics', isLive ? liveMilliseconds : false);
  const options = { refetchInterval, enabled: !isAhead };
  const shape = { ...(bench.step && { step: bench.step }), ...(bench.compare && { compare: bench.compare }) };
  const inquiry = useCall(api.historical_statistics.inquire, { ...question, ...shape }, options);
  const breakdown = useCall(api.historical_statistics.breakdown, { ...question, dimensions: countedDimensions }, options);
  const ofRows = useCall(
    api.historical_statistics.breakdown,
    { ...question, dimensions: rowDimensions },
    { ...options, refetchInterval: false },
  );
  const heatmap = useCall(api.historical_statistics.heatmap, question, { ...options, enabled: !isAhead && parts.includes('heatmap') });
  const { live_code_ids } = question;
  const happened = useCall(
    api.historical_statistics.annotations,
    { ...range, ...(live_code_ids && { live_code_ids }), ...(bench.owner !== undefined && { owner_id: bench.owner }) },
    { enabled: !isAhead },
  );
  const answer = isAhead ? undefined : inquiry.data;
  const breakdowns = narrowed({ ...breakdown.data?.breakdowns, ...ofRows.data?.breakdowns }, always);
  const names = new Map((breakdowns.target?.parts ?? []).map(({ value, name }) => [`target:${value}`, name ?? '']));
  const chart = () => body.current?.querySelector<HTMLCanvasElement>('.lc-chart canvas');

  const isWaiting = [inquiry, breakdown, ofRows].some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData);
  const busyHours = heatmap.data ? (
    <HeatMap heatmap={heatmap.data} bench={bench} />
  ) : heatmap.isLoading ? (
    <WaitingPanel title="historical_statistics.heatmap.title" rows={8} />
  ) : (
    <MissingPanel title="historical_statistics.heatmap.title" query={heatmap} />
  );

  return (
    <div className="lc-workbench" ref={body}>
      {bar(answer && { answer, breakdowns, chart })}
      <FilterChips bench={bench} names={names} />
      {isAhead ? (
        <section className="lc-panel">
          <Empty picture="visits" title="historical_statistics.ahead" help="historical_statistics.ahead_help" />
        </section>
      ) : inquiry.error?.code === 'live_code.figures_locked' ? (
        <LockedFigures why={failureText(inquiry.error)} />
      ) : inquiry.error && !answer ? (
        <section className="lc-panel">
          <Failure error={inquiry.error} retry={() => void inquiry.refetch()} isRetrying={inquiry.isFetching} />
        </section>
      ) : (
        <div className={inquiry.isPlaceholderData ? 'lc-workbench-body lc-list-stale' : 'lc-workbench-body'} aria-busy={!answer}>
          <Counting isWaiting={isWaiting} />
          <Figures answer={answer} bench={bench} chosen={figure} choose={setFigure} />
          <Unlogged codes={answer?.unlogged_codes ?? 0} />
          {parts[0] === 'heatmap' && busyHours}
          {answer ? (
            <Course answer={answer} bench={bench} codes={codes} figure={figure} annotations={happened.data?.content ?? []} />
          ) : (
            <WaitingPanel title="historical_statistics.course" rows={8} />
          )}
          {answer && isEmpty(answer) ? (
            <section className="lc-panel">
              <Empty picture="visits" title="historical_statistics.none" help="historical_statistics.none_help" />
            </section>
          ) : (
            <>
              {bench.compare && <Causes input={question} compare={bench.compare} bench={bench} />}
              {answer && parts.includes('days') && <DayTable answer={answer} />}
              {parts[0] !== 'heatmap' && busyHours}
              {parts.includes('targets') && <Targets input={question} />}
              {breakdown.isPending && <WaitingDimensions />}
              {breakdown.data && <Dimensions breakdowns={breakdowns} bench={bench} />}
              <MissingPanel title="historical_statistics.export.parts" query={breakdown.data ? ofRows : breakdown} />
            </>
          )}
        </div>
      )}
    </div>
  );
}

const isEmpty = ({ totals, before }: Inquiry): boolean =>
  figures.every((figure) => totals[figure] === 0 && (before?.totals[figure] ?? 0) === 0);

/** Filters read rows: what the codes without them miss is said. */
function Unlogged({ codes }: { codes: number }) {
  const { t } = useTranslation();
  if (codes === 0) return null;
  return <Alert type="info" showIcon title={t('historical_statistics.unlogged', { count: codes })} />;
}
