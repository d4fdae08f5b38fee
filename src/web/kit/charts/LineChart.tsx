import { Skeleton } from 'antd';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { useIsDark } from '../look/pageColors.ts';
import { inZone, useFormat } from '../texts/format.ts';
import { useText } from '../texts/text.ts';
import { ChartFrame, FigureTable } from './ChartFrame.tsx';
import { seriesColor } from './colors.ts';
import { fullFormats, isUnfinished, lineOption, markedSteps, stepsOf } from './lineOption.ts';
import type { Mark, Series, Step } from './types.ts';
import { useChart } from './useChart.ts';
import { useReducedMotion } from './useReducedMotion.ts';

/** So many names find room beside the title. */
const legendBeside = 4;

type LineChartProps = {
  /** Message key or text. */
  title: string;
  help?: string;
  series: readonly Series[];
  step: Step;
  /** The moment the figures are from (ISO): the step that holds it is drawn dashed. */
  now?: string;
  height?: number;
  /** What happened meanwhile. */
  marks?: readonly Mark[] | undefined;
  /** Opens what happened in this step. */
  openMark?: (at: string) => void;
  /** Acts beside the title. */
  actions?: ReactNode;
};

type Labelled = Series & { label: string };

/** Lines over time in the site's time zone, zero shown, with a legend that hides lines and a table of the same figures. */
export function LineChart({ title, help, series, step, now, height = 280, marks, openMark, actions }: LineChartProps) {
  const { t, i18n } = useTranslation();
  const text = useText();
  const format = useFormat();
  const isDark = useIsDark();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const labelled: Labelled[] = series.map((one) => ({ ...one, label: text(one.name) }));
  const steps = stepsOf(series);

  function toggle(key: string) {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    if (next.size < series.length) setHidden(next);
  }
  const timeOf = (at: string) => {
    const time = inZone(at, format.timeZone).format(fullFormats[step]);
    return isUnfinished(at, step, now, format.timeZone) ? `${time} *` : time;
  };
  const rows = [...steps].reverse().map((at) => ({
    key: at,
    cells: [timeOf(at), ...labelled.map((one) => valueAt(one, at, format.exact))],
  }));

  return (
    <ChartFrame
      title={title}
      help={help}
      actions={actions}
      aside={<Legend series={labelled} hidden={hidden} toggle={toggle} isDark={isDark} />}
      table={
        <>
          <FigureTable head={[t('common.field.time'), ...labelled.map((one) => one.label)]} rows={rows} />
          {now && <p className="lc-soft">* {t('common.chart.unfinished')}</p>}
        </>
      }
    >
      {steps.length === 0 ? (
        <p className="lc-chart-none" style={{ height }}>
          {t('common.chart.no_data')}
        </p>
      ) : (
        <Canvas
          key={i18n.language}
          series={labelled}
          step={step}
          now={now}
          hidden={hidden}
          marks={marks}
          {...(openMark ? { openMark } : {})}
          height={height}
          label={text(title)}
        />
      )}
    </ChartFrame>
  );
}

function valueAt(series: Series, at: string, exact: (value: number) => string): string {
  const point = series.points.find((candidate) => candidate.at === at);
  return point ? exact(point.value) : '–';
}

type LegendProps = { series: readonly Labelled[]; hidden: ReadonlySet<string>; toggle: (key: string) => void; isDark: boolean };

function Legend({ series, hidden, toggle, isDark }: LegendProps) {
  return (
    <ul className={series.length > legendBeside ? 'lc-legend lc-legend-below' : 'lc-legend'}>
      {series.map((one, at) => (
        <li key={one.key}>
          <button type="button" aria-pressed={!hidden.has(one.key)} onClick={() => toggle(one.key)}>
            <i
              className={one.isFaint ? 'lc-legend-faint' : undefined}
              style={{ borderColor: seriesColor(one.color ?? at, isDark) }}
              aria-hidden
            />
            {one.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

type CanvasProps = Omit<LineChartProps, 'title' | 'help' | 'height' | 'actions'> & {
  series: readonly Labelled[];
  hidden: ReadonlySet<string>;
  height: number;
  label: string;
};

function Canvas({ series, step, now, hidden, marks, openMark, height, label }: CanvasProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isDark = useIsDark();
  const isStill = useReducedMotion();
  // The figures themselves decide whether to draw again, not the arrays around them, which are new at each render.
  const figures = JSON.stringify([series, step, now, [...hidden], marks, format.timeZone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `figures` stands for everything that the drawing shows.
  const option = useMemo(
    () => lineOption({ series, step, now, hidden, marks, isDark, isStill, format, unfinished: t('common.chart.unfinished') }),
    [figures, isDark, isStill],
  );
  const { host, isLoading, error } = useChart(option, (index) => {
    const at = markedSteps(marks ?? [], stepsOf(series))[index];
    if (at !== undefined) openMark?.(at);
  });
  if (error) return <p className="lc-chart-none">{failureText(error)}</p>;
  return (
    <div className="lc-chart" style={{ height }}>
      {isLoading && <Skeleton active className="lc-chart-loading" title={false} paragraph={{ rows: 5 }} />}
      <div ref={host} role="img" aria-label={label} />
    </div>
  );
}
