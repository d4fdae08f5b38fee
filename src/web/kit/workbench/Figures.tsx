import { useTranslation } from 'react-i18next';
import { StatCard } from '../charts/StatCard.tsx';
import { type Figure, figures, type Inquiry } from './answers.ts';
import type { Workbench } from './state.ts';

type FiguresProps = { answer: Inquiry | undefined; bench: Workbench; chosen: Figure; choose: (figure: Figure) => void };

/** The figures of the range, each against the other period; the chosen one is what the chart compares. */
export function Figures({ answer, bench, chosen, choose }: FiguresProps) {
  const { t } = useTranslation();
  return (
    <div className="lc-stats">
      {figures.map((figure) => (
        <div key={figure} className="lc-workbench-figure" aria-current={answer && figure === chosen ? 'true' : undefined}>
          <StatCard
            title={t(`qr_code_list.statistics.figures.${figure}`)}
            help={`qr_code_list.statistics.figures_help.${figure}`}
            value={answer?.totals[figure]}
            {...(answer?.before && bench.compare
              ? { before: answer.before.totals[figure], period: t(`historical_statistics.period.${bench.compare}`) }
              : {})}
            trend={answer?.series.map((point) => point[figure]) ?? []}
            isBad={figure === 'refused'}
            {...(answer ? { onClick: () => choose(figure) } : {})}
          />
        </div>
      ))}
    </div>
  );
}
