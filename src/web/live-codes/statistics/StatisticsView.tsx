import { useTranslation } from 'react-i18next';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { Dimension } from '../../../contract/visits/statistics.ts';
import { BarList } from '../../kit/charts/BarList.tsx';
import { ChinaMap } from '../../kit/charts/ChinaMap.tsx';
import { LineChart } from '../../kit/charts/LineChart.tsx';
import { StatCard } from '../../kit/charts/StatCard.tsx';
import { dimensionParts } from './parts.ts';
import type { Range } from './range.ts';

export type Statistics = OutputOf<(typeof qrCodeList)['calls']['statistics']>;

type StatisticsViewProps = {
  /** Undefined while loading. */
  answer: Statistics | undefined;
  /** The same number of days before, to compare with. */
  before: Statistics | undefined;
  /** The figures are still those of another range. */
  isStale: boolean;
  /** The range ends today, so its last step isn't over. */
  isCurrent: boolean;
  range: Range;
};

const figures = ['visits', 'ips', 'new_ips', 'refused'] as const;

/** Figures, their course and their breakdowns. */
export function StatisticsView({ answer, before, isStale, isCurrent }: StatisticsViewProps) {
  const { t } = useTranslation();
  const series = answer?.series ?? [];
  const targetParts = (figure: 'visits' | 'presses') =>
    (answer?.targets ?? []).map((target, index) => ({
      key: String(target.target_id),
      label: target.name || t('qr_code_list.statistics.target', { number: index + 1 }),
      value: target[figure],
    }));
  return (
    <div className={isStale ? 'code-statistics-view lc-list-stale' : 'code-statistics-view'} aria-busy={isStale || !answer}>
      <div className="lc-stats">
        {figures.map((figure) => (
          <StatCard
            key={figure}
            title={`qr_code_list.statistics.figures.${figure}`}
            help={`qr_code_list.statistics.figures_help.${figure}`}
            value={answer?.totals[figure]}
            before={before?.totals[figure]}
            period="qr_code_list.statistics.before"
            trend={series.map((point) => point[figure])}
            isBad={figure === 'refused'}
          />
        ))}
      </div>
      {answer && (
        <>
          <LineChart
            title="qr_code_list.statistics.series"
            step={answer.step}
            now={isCurrent ? new Date().toISOString() : undefined}
            series={(['visits', 'ips', 'refused'] as const).map((key) => ({
              key,
              name: `qr_code_list.statistics.figures.${key}`,
              points: series.map((point) => ({ at: point.at, value: point[key] })),
            }))}
          />
          <div className="lc-grid-2">
            <div className="code-statistics-stack">
              <BarList title="qr_code_list.statistics.targets" maximum={5} parts={targetParts('visits')} />
              {answer.targets.some(({ presses }) => presses > 0) && (
                <BarList
                  title="qr_code_list.statistics.presses"
                  help="qr_code_list.statistics.presses_help"
                  maximum={5}
                  parts={targetParts('presses').filter(({ value }) => value > 0)}
                />
              )}
              <Breakdown of="carrier" answer={answer} />
              <Breakdown of="source" answer={answer} />
            </div>
            <ChinaMap parts={dimensionParts(answer.breakdowns, 'region')} />
            <Breakdown of="city" answer={answer} />
            <Breakdown of="system" answer={answer} />
            <Breakdown of="brand" answer={answer} />
            <Breakdown of="browser" answer={answer} />
          </div>
        </>
      )}
    </div>
  );
}

function Breakdown({ of, answer }: { of: Dimension; answer: Statistics }) {
  return <BarList title={`qr_code_list.statistics.dimensions.${of}`} parts={dimensionParts(answer.breakdowns, of)} maximum={6} />;
}
