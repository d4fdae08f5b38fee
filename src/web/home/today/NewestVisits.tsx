import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../../contract/enums.ts';
import type { NewestVisit } from '../../../contract/visits/statistics.ts';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { usePartLabel } from '../../kit/charts/labels.ts';
import { Failure, Status, Time } from '../../kit/feedback.ts';
import { shortPlaceOf } from '../../kit/places.ts';
import { useLiveFigures } from '../../kit/socket/liveFigures.ts';

const pollMilliseconds = 10_000;

/** The last visits, one line each: when, of which code, from where, by what, and how they ended. */
export function NewestVisits({ isPaused }: { isPaused: boolean }) {
  const { t } = useTranslation();
  const refetchInterval = useLiveFigures('today_statistics', isPaused ? false : pollMilliseconds);
  const { data, error, refetch, isFetching } = useCall(api.today_statistics.newest_visits, {}, { refetchInterval });
  return (
    <section className="lc-panel" aria-labelledby="home-newest">
      <header className="lc-panel-head">
        <h2 id="home-newest">{t('home.newest.title')}</h2>
      </header>
      {data ? (
        data.content.length > 0 ? (
          <ul className="lc-home-visits">
            {data.content.map((visit) => (
              <Visit key={visit.id} visit={visit} />
            ))}
          </ul>
        ) : (
          <p className="lc-chart-none">{t('home.newest.none')}</p>
        )
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      ) : null}
    </section>
  );
}

function Visit({ visit }: { visit: NewestVisit }) {
  const labelOf = usePartLabel();
  const { t } = useTranslation();
  const kind = visit.outcome === 'passed' ? 'success' : isRefusal(visit.outcome) ? 'warning' : 'info';
  const device = visit.model_name || labelOf('brand', visit.brand);
  return (
    <li className="lc-home-visit">
      <span className="lc-soft">
        <Time value={visit.at} />
      </span>
      <CodeLink id={visit.live_code_id} name={visit.name || visit.file_name} />
      <span>{shortPlaceOf(visit)}</span>
      <span className="lc-soft">
        {device} · {t(`today_statistics.source.${visit.source}`)}
      </span>
      <Status kind={kind} label={visit.outcome === 'passed' ? t('home.newest.passed') : t(`today_statistics.outcomes.${visit.outcome}`)} />
    </li>
  );
}
