import { useTranslation } from 'react-i18next';
import type { DomainMonitor } from '../../../contract/detection/domain-monitor.ts';
import { Sparkline } from '../charts/Sparkline.tsx';
import { useFormat } from '../texts/format.ts';
import { BeatLegend, Heartbeats } from './Heartbeats.tsx';

const spans = ['24h', '30d', '90d'] as const;

/** A share of time with as many digits as tell a good one from a perfect one: 99.95 % is not 100 %. */
function useShare(): (share: number | null) => string {
  const { percent } = useFormat();
  return (share) =>
    share === null ? '–' : share > 0.99 && share < 1 ? `${(Math.floor(share * 10_000) / 100).toFixed(2)}%` : percent(share);
}

/** How much of the last day, month and quarter an address was well. */
export function Uptime({ row }: { row: DomainMonitor }) {
  const { t } = useTranslation();
  const share = useShare();
  return (
    <dl className="lc-uptime">
      {spans.map((span) => (
        <div key={span}>
          <dt>{t(`domain_monitor.uptime_${span}`)}</dt>
          <dd className="lc-num">{share(row[`uptime_${span}`])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How long checks took over the last day, and in the last hour that had any. */
export function Latency({ row, width = 84 }: { row: DomainMonitor; width?: number }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const measured = row.latency.filter((value) => value !== null);
  const newest = measured.at(-1);
  if (newest === undefined) return <span className="lc-soft">–</span>;
  return (
    <span className="lc-latency">
      <Sparkline values={measured} width={width} height={24} />
      <span className="lc-num">{t('domain_monitor.milliseconds', { number: exact(newest) })}</span>
    </span>
  );
}

/** The course of an address's checks: its bars with what they mean, its share of good time, its latency. */
export function MonitorFigures({ row }: { row: DomainMonitor }) {
  const { t } = useTranslation();
  return (
    <div className="lc-monitor-figures">
      <Heartbeats beats={row.beats} />
      <BeatLegend />
      <dl className="lc-facts">
        <div>
          <dt>{t('domain_monitor.uptime')}</dt>
          <dd>
            <Uptime row={row} />
          </dd>
        </div>
        <div>
          <dt>{t('domain_monitor.latency')}</dt>
          <dd>
            <Latency row={row} width={220} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
