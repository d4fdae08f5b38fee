import { Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { seriesColor } from '../charts/colors.ts';
import { contrast, mix } from '../look/color.ts';
import { useIsDark } from '../look/pageColors.ts';
import { paletteOf } from '../look/theme.ts';
import { useFormat } from '../texts/format.ts';
import type { Heatmap } from './answers.ts';
import { useValueLabel } from './labels.ts';
import type { Workbench } from './state.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
/** So many days stand below each other; a longer range begins with its weekdays. */
const manyDays = 14;

type Line = { key: string; name: string; weekday?: string; hours: readonly (number | null)[] };

/** Visits by day and hour as a table whose cells are coloured by their figure: the stronger, the more. */
export function HeatMap({ heatmap, bench }: { heatmap: Heatmap; bench: Workbench }) {
  const { t } = useTranslation();
  const labelOf = useValueLabel();
  const [chosen, choose] = useState<'days' | 'weekdays'>();
  const rows = chosen ?? (heatmap.days.length > manyDays ? 'weekdays' : 'days');
  const lines: Line[] =
    rows === 'days'
      ? [...heatmap.days].reverse().map(({ day, hours: visits }) => ({ key: day, name: day.slice(5), hours: visits }))
      : heatmap.weekdays
          .filter(({ days }) => days > 0)
          .map(({ weekday, hours: visits }) => ({
            ...{ key: String(weekday), name: labelOf('weekday', String(weekday)), weekday: String(weekday) },
            hours: visits,
          }));
  return (
    <section className="lc-panel">
      <div className="lc-panel-head">
        <div>
          <h2>{t('historical_statistics.heatmap.title')}</h2>
          <p className="lc-soft">{t('historical_statistics.heatmap.help')}</p>
        </div>
        <Segmented
          value={rows}
          onChange={choose}
          aria-label={t('historical_statistics.heatmap.rows')}
          options={(['days', 'weekdays'] as const).map((value) => ({ value, label: t(`historical_statistics.heatmap.${value}`) }))}
        />
      </div>
      {lines.length === 0 ? <p className="lc-chart-none">{t('common.chart.no_data')}</p> : <Cells lines={lines} bench={bench} />}
    </section>
  );
}

function Cells({ lines, bench }: { lines: readonly Line[]; bench: Workbench }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isDark = useIsDark();
  const largest = Math.max(1, ...lines.flatMap((line) => line.hours.map((value) => value ?? 0)));
  const ground = paletteOf(isDark).hover;
  const lookOf = (value: number) => {
    const background = value === 0 ? ground : mix(ground, seriesColor(0, isDark), 0.15 + 0.8 * Math.sqrt(value / largest));
    return { background, color: contrast('#ffffff', background) >= 4.5 ? '#ffffff' : '#000000' };
  };
  return (
    <div className="lc-heat">
      <table>
        <thead>
          <tr>
            <td />
            {hours.map((hour) => (
              <th key={hour} scope="col">
                <button
                  type="button"
                  className="lc-workbench-value"
                  aria-pressed={bench.filters.hour?.includes(String(hour)) ?? false}
                  title={t('historical_statistics.heatmap.only', { name: `${String(hour).padStart(2, '0')}:00` })}
                  onClick={() => bench.toggle('hour', String(hour))}
                >
                  {hour}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key}>
              <th scope="row">
                <RowName line={line} bench={bench} />
              </th>
              {line.hours.map((value, hour) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the position is the hour.
                <td key={hour} title={value === null ? undefined : `${line.name} ${hour}:00 · ${format.exact(value)}`}>
                  {value === null ? (
                    <div className="lc-heat-none" />
                  ) : (
                    <span className="lc-heat-cell" style={lookOf(value)}>
                      {value > 0 ? format.short(value) : ''}
                    </span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RowName({ line, bench }: { line: Line; bench: Workbench }) {
  if (line.weekday === undefined) return line.name;
  const { weekday } = line;
  return (
    <button
      type="button"
      className="lc-workbench-value"
      aria-pressed={bench.filters.weekday?.includes(weekday) ?? false}
      onClick={() => bench.toggle('weekday', weekday)}
    >
      {line.name}
    </button>
  );
}
