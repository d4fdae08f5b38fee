import { useTranslation } from 'react-i18next';
import { LineChart } from '../kit/charts/LineChart.tsx';
import { type HourlyFigure, overlay } from './hours.ts';
import type { Today } from './useToday.ts';

/** One figure by the hour, over yesterday's same hours. */
export function HourlyChart({ today, figure, timeZone }: { today: Today; figure: HourlyFigure; timeZone: string }) {
  const { t } = useTranslation();
  const { today: counted, yesterday } = overlay(today, figure, timeZone);
  return (
    <LineChart
      title={t(`today_statistics.hourly.${figure}`)}
      step="hour"
      // The hour that runs, not the moment: the chart is drawn again only when its figures change, and an open tooltip stays.
      now={counted.at(-1)?.at ?? today.now}
      series={[
        { key: 'today', name: 'common.field.today', points: counted, color: 0 },
        { key: 'yesterday', name: 'today_statistics.hourly.yesterday', points: yesterday, color: 7, isFaint: true },
      ]}
    />
  );
}
