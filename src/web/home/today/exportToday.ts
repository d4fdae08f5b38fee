import { isRefusal } from '../../../contract/enums.ts';
import type { Dimension } from '../../../contract/visits/statistics.ts';
import { hourlyFigures, hourOf, overlay } from './hours.ts';
import type { Today } from './useToday.ts';

type Words = {
  t: (key: string) => string;
  labelOf: (dimension: Dimension, value: string) => string;
  timeZone: string;
};

/** The breakdowns that the screen shows, in its order. */
const shownDimensions = ['source', 'carrier', 'system', 'brand', 'browser', 'region', 'city', 'country'] as const satisfies Dimension[];

/** The figures of the screen as one table: category, item, today, yesterday (empty where it isn't known). */
export function exportLines(today: Today, { t, labelOf, timeZone }: Words): (string | number)[][] {
  const figure = (name: string) => t(`today_statistics.figure.${name}`);
  const summary = [...hourlyFigures, 'active_codes' as const].map((name) => [
    t('today_statistics.export.summary'),
    figure(name),
    today[name].today,
    today[name].yesterday,
  ]);
  const hours = hourlyFigures.flatMap((name) => {
    const { today: counted, yesterday } = overlay(today, name, timeZone);
    return yesterday.map(({ at, value }, index) => [
      t(`today_statistics.hourly.${name}`),
      `${hourOf(at, timeZone)}:00`,
      counted[index]?.value ?? '',
      value,
    ]);
  });
  const codes = (['visits', 'ips'] as const).flatMap((name) =>
    today.top_codes.map((code) => [t(`today_statistics.export.code_${name}`), `${code.name} (${code.file_name})`, code[name], '']),
  );
  const parts = shownDimensions.flatMap((dimension) =>
    today.breakdowns[dimension].map(({ value, visits }) => [
      t(`today_statistics.${dimension}.title`),
      labelOf(dimension, value),
      visits,
      '',
    ]),
  );
  const outcomes = today.outcomes
    .filter(({ outcome }) => isRefusal(outcome))
    .map(({ outcome, visits }) => [t('today_statistics.outcomes.title'), t(`today_statistics.outcomes.${outcome}`), visits, '']);
  const head = [
    'today_statistics.export.category',
    'today_statistics.export.item',
    'common.field.today',
    'today_statistics.hourly.yesterday',
  ].map((key) => t(key));
  return [head, ...summary, ...hours, ...codes, ...parts, ...outcomes];
}
