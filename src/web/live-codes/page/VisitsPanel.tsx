import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Failure, Status, Time } from '../../kit/feedback.ts';
import { placeOf } from '../../kit/places.ts';
import { useLiveFigures } from '../../kit/socket/liveFigures.ts';
import { deviceOf, outcomeState } from '../statistics/VisitList.tsx';
import { PanelHead } from './PanelHead.tsx';

const shownVisits = 6;
const pollMilliseconds = 15_000;

/** Who came last. */
export function VisitsPanel({ code }: { code: LiveCodeDetails }) {
  const { t } = useTranslation();
  const refetchInterval = useLiveFigures('qr_code_access', pollMilliseconds);
  const { data, error, refetch, isFetching } = useCall(
    api.qr_code_access.inquire,
    { live_code_id: code.id, page: 1, page_size: shownVisits },
    { refetchInterval },
  );
  return (
    <section className="lc-panel lc-code-newest">
      <PanelHead title="qr_code.newest_visits" id={code.id} part="statistics" link="qr_code.all_visits" />
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      ) : data.content.length === 0 ? (
        <p className="lc-soft">{t(code.open_log ? 'qr_code_list.visits.none_help' : 'qr_code_list.visits.log_off')}</p>
      ) : (
        <ul className="lc-code-visit-lines">
          {data.content.map((visit) => (
            <li key={visit.id}>
              <Status {...outcomeState(visit.outcome)} />
              <span>{placeOf(visit)}</span>
              <span className="lc-soft">{deviceOf(visit)}</span>
              <Time value={visit.at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
