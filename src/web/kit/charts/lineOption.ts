import type { EChartsOption, LineSeriesOption } from 'echarts/types/dist/shared';
import { fontFamily } from '../look/theme.ts';
import type { useFormat } from '../texts/format.ts';
import { inZone, stepEnd } from '../texts/time.ts';
import { chartPalette, seriesColor } from './colors.ts';
import type { Mark, Series, Step } from './types.ts';

type LineChartData = {
  series: readonly (Series & { label: string })[];
  step: Step;
  /** The moment the figures are from: the step that holds it isn't over. */
  now?: string;
  hidden: ReadonlySet<string>;
  marks?: readonly Mark[] | undefined;
  isDark: boolean;
  isStill: boolean;
  format: ReturnType<typeof useFormat>;
  unfinished: string;
};

const axisFormats: Record<Step, string> = { minute: 'HH:mm', hour: 'HH:mm', day: 'MM-DD', week: 'MM-DD', month: 'YYYY-MM' };
export const fullFormats: Record<Step, string> = {
  minute: 'MM-DD HH:mm',
  hour: 'MM-DD HH:mm',
  day: 'YYYY-MM-DD',
  week: 'YYYY-MM-DD',
  month: 'YYYY-MM',
};

/** Whether the step that begins at `at` still runs at `now`. */
export function isUnfinished(at: string, step: Step, now: string | undefined, timeZone: string): boolean {
  if (now === undefined) return false;
  const moment = Date.parse(now);
  return Date.parse(at) <= moment && stepEnd(at, step, timeZone) > moment;
}

/** Steps from the first to the last of all series. */
export const stepsOf = (series: readonly Series[]): string[] =>
  [...new Set(series.flatMap(({ points }) => points.map((point) => point.at)))].sort();

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A line in two parts: what is over is drawn through, the step that still runs is dashed. */
function linesOf(data: LineChartData, series: Series & { label: string }, at: number, steps: readonly string[]): LineSeriesOption[] {
  const color = seriesColor(series.color ?? at, data.isDark);
  const values = new Map(series.points.map((point) => [point.at, point.value]));
  const row = steps.map((step) => values.get(step) ?? null);
  const running = steps.findIndex((step) => isUnfinished(step, data.step, data.now, data.format.timeZone));
  const base: LineSeriesOption = {
    type: 'line',
    name: series.label,
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: row.filter((value) => value !== null).length < 2,
    color,
    lineStyle: { width: series.isFaint ? 1.5 : 2, type: series.isFaint ? [4, 4] : 'solid', opacity: series.isFaint ? 0.75 : 1 },
    emphasis: { disabled: true },
    animation: !data.isStill,
    animationDuration: 200,
    z: series.isFaint ? 2 : 3,
  };
  const area = series.isFaint || data.series.length > 2 ? undefined : { opacity: data.isDark ? 0.12 : 0.07, color };
  if (running < 1 || series.isFaint) return [{ ...base, id: series.key, data: row, areaStyle: area }];
  return [
    { ...base, id: series.key, data: row.map((value, index) => (index < running ? value : null)), areaStyle: area },
    {
      ...base,
      id: `${series.key} running`,
      data: row.map((value, index) => (index === running - 1 || index === running ? value : null)),
      lineStyle: { width: 2, type: [3, 4] },
    },
  ];
}

function tooltipOf(data: LineChartData, steps: readonly string[], index: number): string {
  const step = steps[index];
  if (step === undefined) return '';
  const time = inZone(step, data.format.timeZone).format(fullFormats[data.step]);
  const running = isUnfinished(step, data.step, data.now, data.format.timeZone) ? `<small>${escapeHtml(data.unfinished)}</small>` : '';
  const rows = data.series.flatMap((series, at) => {
    if (data.hidden.has(series.key)) return [];
    const value = series.points.find((point) => point.at === step)?.value;
    if (value === undefined) return [];
    const color = seriesColor(series.color ?? at, data.isDark);
    return [`<li><i style="background:${color}"></i>${escapeHtml(series.label)}<b>${escapeHtml(data.format.exact(value))}</b></li>`];
  });
  const marks = (data.marks ?? []).filter(({ at }) => at === step).map(({ label }) => `<small>◆ ${escapeHtml(label)}</small><br>`);
  return `<div class="lc-tip"><p>${escapeHtml(time)}</p>${running}<ul>${rows.join('')}</ul>${marks.slice(0, 6).join('')}</div>`;
}

/** The steps in which something happened, in the order in which their lines are drawn. */
export const markedSteps = (marks: readonly Mark[], steps: readonly string[]): string[] =>
  [...new Set(marks.map(({ at }) => at))].filter((at) => steps.includes(at));

/** Lines across the chart where something happened; what it was says the tooltip, and the list below. */
function withMarks(data: LineChartData, steps: readonly string[], lines: LineSeriesOption[]): LineSeriesOption[] {
  const [first, ...others] = lines;
  const marks = data.marks ?? [];
  const marked = markedSteps(marks, steps);
  if (!first || marked.length === 0) return lines;
  const { axis, strong } = chartPalette(data.isDark);
  const openable = new Set(marks.flatMap(({ at, isOpenable }) => (isOpenable ? [at] : [])));
  const bold = { symbolSize: 11, lineStyle: { color: strong } };
  return [
    {
      ...first,
      markLine: {
        silent: openable.size === 0,
        symbol: ['none', 'diamond'],
        symbolSize: 7,
        label: { show: false },
        animation: false,
        lineStyle: { color: axis, type: [2, 3], width: 1.5 },
        data: marked.map((at) => ({ xAxis: steps.indexOf(at), ...(openable.has(at) ? bold : {}) })),
      },
    },
    ...others,
  ];
}

export function lineOption(data: LineChartData): EChartsOption {
  const colors = chartPalette(data.isDark);
  const steps = stepsOf(data.series);
  const text = { color: colors.text, fontSize: 12 };
  return {
    animation: !data.isStill,
    textStyle: { fontFamily },
    grid: { left: 4, right: 12, top: 14, bottom: 4, containLabel: true },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: data.isStill ? 0 : 0.15,
      backgroundColor: colors.surface,
      borderColor: colors.axis,
      borderWidth: 1,
      padding: 10,
      textStyle: { color: colors.strong, fontSize: 13 },
      extraCssText: 'box-shadow:0 8px 24px rgb(0 0 0 / 14%);border-radius:8px',
      axisPointer: { type: 'line', lineStyle: { color: colors.axis } },
      formatter: (params) => tooltipOf(data, steps, Array.isArray(params) ? (params[0]?.dataIndex ?? -1) : params.dataIndex),
    },
    xAxis: {
      type: 'category',
      boundaryGap: false,
      data: steps.map((step) => inZone(step, data.format.timeZone).format(axisFormats[data.step])),
      axisLine: { lineStyle: { color: colors.axis } },
      axisTick: { show: false },
      axisLabel: { ...text, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      min: 0,
      minInterval: 1,
      splitNumber: 4,
      axisLabel: { ...text, formatter: (value: number) => data.format.short(value) },
      splitLine: { lineStyle: { color: colors.line } },
    },
    series: withMarks(
      data,
      steps,
      data.series
        .filter((series) => !data.hidden.has(series.key))
        .flatMap((series) => linesOf(data, series, data.series.indexOf(series), steps)),
    ),
  };
}
