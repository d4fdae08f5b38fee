import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SeriesPoint } from '../../contract/visits/statistics.ts';
import { inZone, useFormat } from '../kit/texts/format.ts';
import { type HourBar, hourBars } from './hours.ts';

type HourBarsProps = { points: readonly SeriesPoint[]; now: number };

/** Today's visits by hour: plain bars, because this page is opened on phones and must not wait for a chart library. */
export function HourBars({ points, now }: HourBarsProps) {
  const { t } = useTranslation();
  const { timeZone } = useFormat();
  const [isTable, setIsTable] = useState(false);
  const bars = hourBars(points, timeZone, inZone(now, timeZone).hour());
  const largest = Math.max(1, ...bars.map((bar) => bar.visits));
  return (
    <section className="share-hours" aria-labelledby="share-hours-title">
      <header className="share-hours-head">
        <h2 className="share-hours-title" id="share-hours-title">
          {t('share_access.by_hour')}
        </h2>
        <Button type="link" size="small" aria-expanded={isTable} onClick={() => setIsTable(!isTable)}>
          {t(isTable ? 'common.chart.chart' : 'common.chart.table')}
        </Button>
      </header>
      {isTable ? <HourTable bars={bars} /> : <Bars bars={bars} largest={largest} />}
    </section>
  );
}

function Bars({ bars, largest }: { bars: readonly HourBar[]; largest: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [looked, setLooked] = useState<number | null>(null);
  const current = bars.find((bar) => bar.isCurrent);
  const shown = bars[looked ?? -1] ?? current;
  return (
    <>
      <p className="share-hour" aria-hidden>
        {shown && (
          <>
            <span className="share-hour-time">{shown.label}</span> {format.exact(shown.visits)}
          </>
        )}
      </p>
      <div className="share-bars" role="img" aria-label={t('share_access.by_hour')} onPointerLeave={() => setLooked(null)}>
        {bars.map((bar, hour) => (
          <span key={bar.label} className="share-bar" onPointerEnter={() => setLooked(hour)}>
            <i
              className={`share-bar-fill share-bar-${bar.isCurrent ? 'current' : bar.isAhead ? 'ahead' : 'past'}`}
              style={{ height: `${(bar.visits / largest) * 100}%` }}
            />
          </span>
        ))}
      </div>
      <div className="share-axis lc-num" aria-hidden>
        {['00:00', '06:00', '12:00', '18:00', '24:00'].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
    </>
  );
}

function HourTable({ bars }: { bars: readonly HourBar[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="lc-panel-table">
      <table className="lc-figures">
        <thead>
          <tr>
            <th scope="col">{t('common.chart.time')}</th>
            <th scope="col">{t('share_access.visits')}</th>
            <th scope="col">{t('share_access.ips')}</th>
          </tr>
        </thead>
        <tbody>
          {bars
            .filter((bar) => !bar.isAhead)
            .reverse()
            .map((bar) => (
              <tr key={bar.label}>
                <td>{bar.label}</td>
                <td>{format.exact(bar.visits)}</td>
                <td>{format.exact(bar.ips)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
