import type { Language } from '../../../contract/enums.ts';
import type { FilterDimension } from '../../../contract/visits/historical-statistics.ts';
import { translate } from '../../kit/messages/messages.ts';
import { truncate } from '../../kit/texts.ts';
import type { LockedCode } from '../../orders/over-quota.public.ts';
import type { Sums, TopCode } from '../statistics/figures.ts';
import type { Breakdowns } from '../statistics/workbench/breakdown.ts';
import type { Days } from './periods.ts';

export type Figures = {
  days: Days;
  now: Sums;
  before: Sums;
  parts: Breakdowns;
  codes: readonly TopCode[];
  /** A code that is asked for whose figures are locked and left out; `isAll`: there is no other. */
  locked: { code: LockedCode; isAll: boolean } | undefined;
};

const figures = ['visits', 'ips', 'new_ips', 'refused'] as const;
/** Dimensions whose values are names; the largest of each are told. */
export const toldDimensions = ['region', 'city', 'brand', 'referer'] as const satisfies readonly FilterDimension[];
const shownValues = 3;
const maxValue = 40;
const maxTitle = 200;

const share = (now: number, before: number): number | undefined => (before > 0 ? (now - before) / before : undefined);

/** What a digest says, in its language: figures with their change against the period before, and the largest values. */
export function digestText(
  name: string,
  { days, now, before, parts, codes, locked }: Figures,
  language: Language,
): { title: string; content: string } {
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 });
  const changeOf = (figure: keyof Sums): string => {
    const change = share(now[figure], before[figure]);
    return change === undefined ? translate(language, 'visit_digest.text.no_change') : percent.format(change);
  };
  const values = (found: readonly { value: string; visits: number }[]) =>
    found
      .filter(({ value }) => value !== '')
      .slice(0, shownValues)
      .map(({ value, visits }) => `${truncate(value, maxValue)} ${number.format(visits)}`)
      .join(translate(language, 'common.comma'));
  const period = days.from === days.to ? days.from : `${days.from} – ${days.to}`;
  const why = locked ? [translate(language, 'errors.live_code.figures_locked', locked.code)] : [];
  if (locked?.isAll) return { title: truncate(`${name} ${period}`, maxTitle), content: why.join('') };
  const told = [
    ['codes', values(codes.map(({ name: code, file_name, visits }) => ({ value: code || file_name, visits })))],
    ...toldDimensions.map((dimension) => [dimension, values(parts[dimension]?.parts ?? [])]),
  ].filter(([, line]) => line !== '');
  const lines = [
    translate(language, 'visit_digest.text.period', { period }),
    ...figures.map((figure) =>
      translate(language, `visit_digest.text.${figure}`, { value: number.format(now[figure]), change: changeOf(figure) }),
    ),
    ...why,
    ...told.map(([what, line]) => translate(language, `visit_digest.text.top_${what}`, { values: line ?? '' })),
  ];
  const title = translate(language, 'visit_digest.text.title', {
    name,
    period,
    visits: number.format(now.visits),
    change: changeOf('visits'),
  });
  return { title: truncate(title, maxTitle), content: lines.join('\n') };
}
