import { useTranslation } from 'react-i18next';
import { LineChart } from '../../kit/charts/LineChart.tsx';
import { type HourlyFigure, hoursOf, type Span } from './hours.ts';
import type { Today } from './useToday.ts';

/** One figure by the hour, over the same hours of the day before. */
export function HourlyChart({ today, span, figure, timeZone }: { today: Today; span: Span; figure: HourlyFigure; timeZone: string }) {
  const { t } = useTranslation();
  const { now, before } = hoursOf(today, span, figure, timeZone);
  return (
    <LineChart
      title={t(`today_statistics.hourly.${figure}`)}
      step="hour"
      // The hour that runs, not the moment: the chart is drawn again only when its figures change, and an open tooltip stays.
      now={now.at(-1)?.at ?? today.now}
      series={[
        { key: 'now', name: `today_statistics.span.${span}`, points: now, color: 0 },
        {
          key: 'before',
          name: span === 'today' ? 'today_statistics.hourly.yesterday' : 'today_statistics.span.day_before',
          points: before,
          color: 7,
          isFaint: true,
        },
      ]}
    />
  );
}
