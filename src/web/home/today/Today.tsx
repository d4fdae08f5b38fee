import { Segmented, Skeleton } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeSelect } from '../../kit/codes/CodeSelect.tsx';
import { Failure } from '../../kit/feedback.ts';
import { usePreference } from '../../kit/preferences.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { Breakdowns } from './Breakdowns.tsx';
import { Figures } from './Figures.tsx';
import { HourlyChart } from './HourlyChart.tsx';
import { type HourlyFigure, spans } from './hours.ts';
import { Quiet } from './Quiet.tsx';
import { TopCodes } from './TopCodes.tsx';
import './today.css';
import type { Today as TodayFigures, useToday } from './useToday.ts';

type TodayProps = ReturnType<typeof useToday> & {
  codes: readonly number[];
  chooseCodes: (ids: readonly number[]) => void;
  /** The newest visits, beside the codes that had most. */
  newest: ReactNode;
};

/** The visits of today and of the last 24 hours, live: figures, by the hour, by code, and what they are made of. */
export function Today({ query, codes, chooseCodes, newest }: TodayProps) {
  const { t } = useTranslation();
  const { timeZone } = useFormat();
  const [figure, setFigure] = useState<HourlyFigure>('visits');
  const [kept, keep] = usePreference('home.span');
  const span = spans.find((one) => one === kept) ?? 'last_day';
  const { data: today, error } = query;

  return (
    <div className={query.isPlaceholderData ? 'lc-today-body lc-today-stale' : 'lc-today-body'} aria-busy={!today && !error}>
      <div className="lc-today-head">
        <Segmented
          value={span}
          onChange={keep}
          options={spans.map((value) => ({ value, label: t(`today_statistics.span.${value}`) }))}
          aria-label={t('today_statistics.span.label')}
        />
        <CodeSelect value={codes} onChange={chooseCodes} known={codesIn(today)} />
      </div>
      {!today && error ? (
        <section className="lc-panel">
          <Failure error={error} retry={() => void query.refetch()} isRetrying={query.isFetching} />
        </section>
      ) : (
        <>
          <Figures today={today} span={span} timeZone={timeZone} chosen={figure} choose={setFigure} />
          {today ? <HourlyChart today={today} span={span} figure={figure} timeZone={timeZone} /> : <LoadingPanel height={280} />}
          {today && isQuiet(today) ? (
            <Quiet isFiltered={codes.length > 0} showAll={() => chooseCodes([])} />
          ) : (
            <>
              <div className="lc-grid-2">
                {today ? <TopCodes codes={today.top_codes} chosen={codes} choose={chooseCodes} /> : <LoadingPanel height={320} />}
                {newest}
              </div>
              {today && <Breakdowns today={today} />}
            </>
          )}
        </>
      )}
    </div>
  );
}

const isQuiet = ({ last_day, visits, refused, programs, own }: TodayFigures): boolean =>
  [visits, refused, programs, own].every(({ today }) => today === 0) &&
  [last_day.visits, last_day.refused, last_day.programs, last_day.own].every(({ value }) => value === 0);

const codesIn = (today: TodayFigures | undefined) =>
  (today?.top_codes ?? []).map(({ live_code_id, name, file_name }) => ({ id: live_code_id, name, file_name }));

function LoadingPanel({ height }: { height: number }) {
  return (
    <div className="lc-panel">
      <Skeleton active title={{ width: 140 }} paragraph={false} />
      <Skeleton.Node active style={{ width: '100%', height }} classNames={{ root: 'lc-today-block' }} />
    </div>
  );
}
