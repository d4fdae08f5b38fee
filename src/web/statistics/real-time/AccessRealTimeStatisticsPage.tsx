import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { accessRealTimeStatistics } from '../../../contract/visits/access-real-time-statistics.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { BarList } from '../../kit/charts/BarList.tsx';
import { ChinaMap } from '../../kit/charts/ChinaMap.tsx';
import { figureColors } from '../../kit/charts/colors.ts';
import { LineChart } from '../../kit/charts/LineChart.tsx';
import { StatCard } from '../../kit/charts/StatCard.tsx';
import { CodeSelect } from '../../kit/codes/CodeSelect.tsx';
import { codesIn } from '../../kit/codes/codes.ts';
import { Failure, Page } from '../../kit/feedback.ts';
import { china, countryName } from '../../kit/places.ts';
import { LiveState } from '../../kit/socket/LiveState.tsx';
import { useLiveFigures } from '../../kit/socket/liveFigures.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { WaitingPanel } from '../../kit/workbench/Waiting.tsx';
import { Newest } from './Newest.tsx';
import './real-time.css';

export type RealTime = OutputOf<(typeof accessRealTimeStatistics)['calls']['inquire']>;

const pollMilliseconds = 5_000;

/** The visits of the last half hour as they come: by minute, by province, and the newest one by one. */
export function AccessRealTimeStatisticsPage() {
  const { timeZone } = useFormat();
  const [params, setParams] = useSearchParams();
  const [isPaused, setIsPaused] = useState(false);
  const codes = codesIn(params.get('codes'));
  const refetchInterval = useLiveFigures('access_real_time_statistics', isPaused ? false : pollMilliseconds);
  const query = useCall(api.access_real_time_statistics.inquire, codes.length > 0 ? { live_code_ids: codes } : {}, {
    refetchInterval,
    refetchOnWindowFocus: !isPaused,
  });
  const { data, error } = query;
  function pause(next: boolean) {
    setIsPaused(next);
    if (!next) void query.refetch();
  }
  return (
    <Page
      title="menu.access_real_time_statistics"
      actions={data && <LiveState now={data.now} timeZone={timeZone} isPaused={isPaused} pause={pause} isFailing={error !== null} />}
    >
      <div className="lc-real-time">
        <CodeSelect
          value={codes}
          onChange={(ids) => setParams(ids.length > 0 ? { codes: ids.join('-') } : {})}
          known={data?.newest.map(({ live_code_id, name, file_name }) => ({ id: live_code_id, name, file_name })) ?? []}
        />
        {error && !data ? (
          <section className="lc-panel">
            <Failure error={error} retry={() => void query.refetch()} isRetrying={query.isFetching} />
          </section>
        ) : (
          <Figures data={data} />
        )}
      </div>
    </Page>
  );
}

function Figures({ data }: { data: RealTime | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="lc-stats">
        <StatCard
          title="access_real_time_statistics.visitors_now"
          help="access_real_time_statistics.visitors_now_help"
          value={data?.visitors_now}
        />
        <StatCard title="access_real_time_statistics.visits" value={data?.visits} trend={data?.minutes.map(({ visits }) => visits) ?? []} />
        <StatCard title="access_real_time_statistics.visitors" value={data?.visitors} />
        <StatCard
          title="access_real_time_statistics.refused"
          value={data?.refused}
          trend={data?.minutes.map(({ refused }) => refused) ?? []}
          isBad
        />
      </div>
      {data ? (
        <>
          <LineChart
            title="access_real_time_statistics.minutes"
            step="minute"
            now={data.minutes.at(-1)?.at ?? data.now}
            height={220}
            series={(['visits', 'refused'] as const).map((key) => ({
              key,
              color: figureColors[key],
              name: t(`qr_code_list.statistics.figures.${key}`),
              points: data.minutes.map((point) => ({ at: point.at, value: point[key] })),
            }))}
          />
          <div className="lc-grid-2">
            <Places regions={data.regions} />
            <Newest visits={data.newest} />
          </div>
        </>
      ) : (
        <>
          <WaitingPanel title="access_real_time_statistics.minutes" rows={6} />
          <div className="lc-grid-2">
            <WaitingPanel title="access_real_time_statistics.regions" rows={10} />
            <WaitingPanel title="access_real_time_statistics.newest" rows={10} />
          </div>
        </>
      )}
    </>
  );
}

/** China by province, other countries below where there are any. */
function Places({ regions }: { regions: RealTime['regions'] }) {
  const { i18n } = useTranslation();
  const abroad = new Map<string, number>();
  for (const { country, visits } of regions) {
    if (country !== china && country !== '') abroad.set(country, (abroad.get(country) ?? 0) + visits);
  }
  return (
    <div className="lc-real-time-places">
      <ChinaMap
        title="access_real_time_statistics.regions"
        parts={regions.map(({ country, region, visits }) => ({ key: country === china ? region : country, label: region, value: visits }))}
      />
      {abroad.size > 0 && (
        <BarList
          title="today_statistics.country.title"
          maximum={4}
          parts={[...abroad].map(([country, value]) => ({ key: country, label: countryName(country, i18n.language), value }))}
        />
      )}
    </div>
  );
}
