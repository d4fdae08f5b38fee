import { Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Allowed } from '../kit/calls/session.tsx';
import { Failure, Page } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';
import { Breakdowns } from './Breakdowns.tsx';
import { CodeSelect, useCodeOptions } from './CodeSelect.tsx';
import { ExportToday } from './ExportToday.tsx';
import { Figures } from './Figures.tsx';
import { HourlyChart } from './HourlyChart.tsx';
import type { HourlyFigure } from './hours.ts';
import { LiveState } from './LiveState.tsx';
import { NewUser, Quiet } from './Nothing.tsx';
import './today.css';
import { type Today, useChosenCodes, useToday } from './useToday.ts';

/** A day in words, "Friday, November 20, 2026", in the calendar of all other dates here: Thai would count other years. */
function dayInWords(day: string, language: string): string {
  const options = { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(`${language}-u-ca-gregory`, options).format(new Date(`${day}T00:00:00Z`));
}

/** Today's visits, live: figures against yesterday, by the hour, by code, place and device. */
export function TodayStatisticsPage() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { timeZone } = format;
  const [codes, chooseCodes] = useChosenCodes();
  const { query, isPaused, pause } = useToday(codes);
  const { data: today, error } = query;
  const options = useCodeOptions();
  const hasNone = codes.length === 0 && today?.visits.today === 0 && today.visits.yesterday === 0;
  const isNewUser = hasNone && options.data?.content.length === 0;
  // Zeros are shown only once it is known that there are codes which they belong to.
  const isReady = today !== undefined && !(hasNone && options.isPending);

  return (
    <Page
      title="today_statistics.title"
      help={t('today_statistics.day_note', { day: dayInWords(today?.day ?? format.today(), i18n.language) })}
      actions={
        today &&
        !isNewUser && (
          <>
            <LiveState now={today.now} timeZone={timeZone} isPaused={isPaused} pause={pause} isFailing={error !== null} />
            <Allowed node="today_statistics.export">
              <ExportToday today={today} timeZone={timeZone} />
            </Allowed>
          </>
        )
      }
    >
      {isNewUser ? (
        <NewUser />
      ) : (
        <>
          <CodeSelect value={codes} onChange={chooseCodes} known={codesIn(today)} />
          {isReady ? (
            <div className={query.isPlaceholderData ? 'today-body today-stale' : 'today-body'}>
              <Content today={today} timeZone={timeZone} codes={codes} chooseCodes={chooseCodes} />
            </div>
          ) : error ? (
            <section className="lc-panel">
              <Failure error={error} retry={() => void query.refetch()} isRetrying={query.isFetching} />
            </section>
          ) : (
            <Loading timeZone={timeZone} />
          )}
        </>
      )}
    </Page>
  );
}

const codesIn = (today: Today | undefined) =>
  (today?.top_codes ?? []).map(({ live_code_id, name, file_name }) => ({ id: live_code_id, name, file_name }));

type ContentProps = { today: Today; timeZone: string; codes: readonly number[]; chooseCodes: (ids: readonly number[]) => void };

function Content({ today, timeZone, codes, chooseCodes }: ContentProps) {
  const [figure, setFigure] = useState<HourlyFigure>('visits');
  const isQuiet = today.visits.today === 0 && today.refused.today === 0;
  return (
    <>
      <Figures today={today} timeZone={timeZone} chosen={figure} choose={setFigure} />
      <HourlyChart today={today} figure={figure} timeZone={timeZone} />
      {isQuiet ? (
        <Quiet isFiltered={codes.length > 0} showAll={() => chooseCodes([])} />
      ) : (
        <Breakdowns today={today} chosen={codes} choose={chooseCodes} />
      )}
    </>
  );
}

/** The screen's outline until its figures are there. */
function Loading({ timeZone }: { timeZone: string }) {
  return (
    <div className="today-body" aria-busy>
      <Figures today={undefined} timeZone={timeZone} chosen="visits" choose={() => {}} />
      <LoadingPanel height={280} />
      <div className="lc-grid-2">
        <LoadingPanel height={360} />
        <LoadingPanel height={360} />
      </div>
    </div>
  );
}

function LoadingPanel({ height }: { height: number }) {
  return (
    <div className="lc-panel">
      <Skeleton active title={{ width: 140 }} paragraph={false} />
      <Skeleton.Node active style={{ width: '100%', height }} classNames={{ root: 'today-block' }} />
    </div>
  );
}
