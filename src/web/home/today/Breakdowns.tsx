import { useTranslation } from 'react-i18next';
import { isRefusal } from '../../../contract/enums.ts';
import type { Dimension } from '../../../contract/visits/statistics.ts';
import { BarList } from '../../kit/charts/BarList.tsx';
import { ChinaMap } from '../../kit/charts/ChinaMap.tsx';
import { usePartLabel } from '../../kit/charts/labels.ts';
import { isForeign } from '../../kit/places.ts';
import type { Today } from './useToday.ts';

/** What the day's visits are made of: places, carriers, devices, and why some were refused. */
export function Breakdowns({ today }: { today: Today }) {
  const labelOf = usePartLabel();
  const { breakdowns } = today;
  const partsOf = (dimension: Dimension) =>
    breakdowns[dimension].map(({ value, visits }) => ({ key: value, label: labelOf(dimension, value), value: visits }));
  const abroad = partsOf('country').filter(({ key }) => isForeign(key));

  return (
    <>
      <div className="lc-grid-2">
        <ChinaMap title="today_statistics.region.title" help="today_statistics.region.help" parts={partsOf('region')} />
        <div className="lc-today-column">
          <BarList title="today_statistics.city.title" parts={partsOf('city')} />
          {abroad.length > 0 && <BarList title="today_statistics.country.title" parts={abroad} total={today.visits.today} maximum={4} />}
          <Refusals outcomes={today.outcomes} />
        </div>
      </div>
      <div className="lc-today-row">
        <BarList title="today_statistics.source.title" parts={partsOf('source')} />
        <BarList title="today_statistics.carrier.title" parts={partsOf('carrier')} />
        <BarList title="today_statistics.system.title" parts={partsOf('system')} />
        <BarList title="today_statistics.brand.title" parts={partsOf('brand')} />
        <BarList title="today_statistics.browser.title" parts={partsOf('browser')} />
      </div>
    </>
  );
}

/** Why visits were refused, in words. */
function Refusals({ outcomes }: { outcomes: Today['outcomes'] }) {
  const { t } = useTranslation();
  const refused = outcomes.filter(({ outcome, visits }) => isRefusal(outcome) && visits > 0);
  const parts = refused.map(({ outcome, visits }) => ({ key: outcome, label: t(`today_statistics.outcomes.${outcome}`), value: visits }));
  if (parts.length > 0) return <BarList title="today_statistics.outcomes.title" parts={parts} />;
  return (
    <section className="lc-panel">
      <div className="lc-panel-head">
        <h2>{t('today_statistics.outcomes.title')}</h2>
      </div>
      <p className="lc-chart-none">{t('today_statistics.outcomes.none')}</p>
    </section>
  );
}
