import { useTranslation } from 'react-i18next';
import { StatCard } from '../../kit/charts/StatCard.tsx';
import { type HourlyFigure, hourlyFigures, hoursOf, type Span } from './hours.ts';
import { useGentle } from './useGentle.ts';
import type { Today } from './useToday.ts';

type FiguresProps = {
  today: Today | undefined;
  span: Span;
  timeZone: string;
  /** The figure that the chart shows. */
  chosen: HourlyFigure;
  choose: (figure: HourlyFigure) => void;
};

/** The figures of today, each against the same time yesterday, or of the last 24 hours; those counted by the hour choose what the chart shows. */
export function Figures({ today, span, timeZone, chosen, choose }: FiguresProps) {
  const compared = (figure: HourlyFigure) =>
    today && (span === 'today' ? { value: today[figure].today, before: today[figure].yesterday } : today.last_day[figure]);
  return (
    <div className="lc-stats lc-today-figures">
      {hourlyFigures.map((figure) => (
        <div key={figure} className="lc-today-figure" aria-current={today && figure === chosen ? 'true' : undefined}>
          <Figure
            name={figure}
            span={span}
            compared={compared(figure)}
            trend={today && hoursOf(today, span, figure, timeZone).now.map((point) => point.value)}
            onClick={() => choose(figure)}
          />
        </div>
      ))}
      <div className="lc-today-figure">
        <Figure
          name="active_codes"
          span="today"
          compared={today && { value: today.active_codes.today, before: today.active_codes.yesterday }}
        />
      </div>
    </div>
  );
}

type FigureProps = {
  name: HourlyFigure | 'active_codes';
  span: Span;
  compared: { value: number; before: number } | undefined;
  trend?: readonly number[];
  onClick?: () => void;
};

function Figure({ name, span, compared, trend, onClick }: FigureProps) {
  const { t } = useTranslation();
  const value = useGentle(compared?.value);
  return (
    <StatCard
      title={t(`today_statistics.figure.${name}`)}
      help={`today_statistics.figure.${name}_help`}
      value={value}
      before={compared?.before}
      period={span === 'today' ? 'today_statistics.before' : 'today_statistics.span.day_before'}
      trend={trend}
      isBad={name === 'refused'}
      onClick={compared && onClick}
    />
  );
}
