import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../../contract/enums.ts';
import type { NewestVisit } from '../../../contract/visits/statistics.ts';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { usePartLabel } from '../../kit/charts/labels.ts';
import { Status, Time } from '../../kit/feedback.ts';
import { shortPlaceOf } from '../../kit/places.ts';

/** The newest visits, one line each. */
export function Newest({ visits }: { visits: readonly NewestVisit[] }) {
  const { t } = useTranslation();
  const labelOf = usePartLabel();
  return (
    <section className="lc-panel">
      <div className="lc-panel-head">
        <h2>{t('access_real_time_statistics.newest')}</h2>
      </div>
      {visits.length === 0 ? (
        <p className="lc-chart-none">{t('access_real_time_statistics.none')}</p>
      ) : (
        <div className="lc-real-time-newest">
          <table className="lc-figures">
            <thead>
              <tr>
                <th scope="col">{t('common.field.time')}</th>
                <th scope="col">{t('common.field.live_code')}</th>
                <th scope="col">{t('common.field.place')}</th>
                <th scope="col">{t('common.field.device')}</th>
                <th scope="col">{t('qr_code_list.visits.outcome')}</th>
              </tr>
            </thead>
            <tbody>
              {visits.map((visit) => (
                <tr key={visit.id}>
                  <td>
                    <Time value={visit.at} />
                  </td>
                  <td>
                    <CodeLink id={visit.live_code_id} name={visit.name || visit.file_name} />
                  </td>
                  <td>{shortPlaceOf(visit)}</td>
                  <td>
                    {visit.model_name || labelOf('brand', visit.brand)}{' '}
                    <span className="lc-soft">{t(`qr_code_list.sources.${visit.source}`)}</span>
                  </td>
                  <td>
                    <Status
                      kind={visit.outcome === 'passed' ? 'success' : isRefusal(visit.outcome) ? 'warning' : 'info'}
                      label={`qr_code_list.outcomes.${visit.outcome}`}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
