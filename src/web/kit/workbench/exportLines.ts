import type { FilterDimension } from '../../../contract/visits/historical-statistics.ts';
import { fullFormats } from '../charts/lineOption.ts';
import { inZone } from '../texts/time.ts';
import { type Breakdowns, figures, type Inquiry } from './answers.ts';

export type ExportWords = {
  t: (key: string) => string;
  labelOf: (dimension: FilterDimension, value: string, name?: string) => string;
  timeZone: string;
};
type Line = (string | number)[];

/** The figures by step, as a table. */
export function courseLines({ series, step, totals, before }: Inquiry, { t, timeZone }: ExportWords): Line[] {
  const names = figures.map((figure) => t(`qr_code_list.statistics.figures.${figure}`));
  return [
    [t('common.field.time'), ...names],
    ...series.map((point): Line => [inZone(point.at, timeZone).format(fullFormats[step]), ...figures.map((figure) => point[figure])]),
    [t('historical_statistics.export.sum'), ...figures.map((figure) => totals[figure])],
    ...(before ? [[`${before.from} – ${before.to}`, ...figures.map((figure) => before.totals[figure])]] : []),
  ];
}

/** The values of every dimension, as a table. */
export const breakdownLines = (breakdowns: Breakdowns, dimensions: readonly FilterDimension[], { t, labelOf }: ExportWords): Line[] => [
  [t('today_statistics.export.category'), t('today_statistics.export.item'), t('common.field.visits')],
  ...dimensions.flatMap((dimension) =>
    (breakdowns[dimension]?.parts ?? []).map(
      ({ value, visits, name }): Line => [t(`historical_statistics.dimension.${dimension}`), labelOf(dimension, value, name), visits],
    ),
  ),
];
