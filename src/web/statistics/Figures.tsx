import { useTranslation } from 'react-i18next';
import { StatCard } from '../kit/charts/StatCard.tsx';
import { type HourlyFigure, hourlyFigures, overlay } from './hours.ts';
import { useGentle } from './useGentle.ts';
import type { Today } from './useToday.ts';

type FiguresProps = {
  today: Today | undefined;
  timeZone: string;
  /** The figure that the chart shows. */
  chosen: HourlyFigure;
  choose: (figure: HourlyFigure) => void;
};

/** The day's figures, each against the same time yesterday; those counted by the hour choose what the chart shows. */
export function Figures({ today, timeZone, chosen, choose }: FiguresProps) {
  return (
    <div className="lc-stats lc-today-figures">
      {hourlyFigures.map((figure) => (
        <div key={figure} className="lc-today-figure" aria-current={today && figure === chosen ? 'true' : undefined}>
          <Figure
            name={figure}
            compared={today?.[figure]}
            trend={today && overlay(today, figure, timeZone).today.map((point) => point.value)}
            onClick={() => choose(figure)}
          />
        </div>
      ))}
      <div className="lc-today-figure">
        <Figure name="active_codes" compared={today?.active_codes} />
      </div>
    </div>
  );
}

type FigureProps = {
  name: HourlyFigure | 'active_codes';
  compared: Today['visits'] | undefined;
  trend?: readonly number[];
  onClick?: () => void;
};

function Figure({ name, compared, trend, onClick }: FigureProps) {
  const { t } = useTranslation();
  const value = useGentle(compared?.today);
  return (
    <StatCard
      title={t(`today_statistics.figure.${name}`)}
      help={`today_statistics.figure.${name}_help`}
      value={value}
      before={compared?.yesterday}
      period="today_statistics.before"
      trend={trend}
      isBad={name === 'refused'}
      onClick={compared && onClick}
    />
  );
}
