import type { Option } from '../options.ts';
import { translate } from '../texts/i18n.ts';

/** What forms offer; `byDefault` stands for what the settings say, as a choice always holds a value. */
export const byDefault = 0;
const offered = [30, 60, 120, 300, 600, 1800, 3600, 21_600, 86_400];

/** A time between checks in the largest unit that it is a whole number of. */
export function intervalText(seconds: number): string {
  if (seconds % 3600 === 0) return translate('domain_monitor.hours', { number: seconds / 3600 });
  if (seconds % 60 === 0) return translate('domain_monitor.minutes', { number: seconds / 60 });
  return translate('domain_monitor.seconds', { number: seconds });
}

type Offered = {
  /** One that was set by other means than these forms. */
  present?: number | null;
  /** The shortest that the user may set. */
  minimum?: number | null | undefined;
};

export function intervalOptions({ present = null, minimum = null }: Offered = {}): Option[] {
  const least = minimum ?? 0;
  const choices = [
    ...offered.filter((seconds) => seconds >= least),
    ...(minimum === null ? [] : [minimum]),
    ...(present === null ? [] : [present]),
  ];
  return [
    { value: byDefault, label: 'common.default' },
    ...[...new Set(choices)].sort((one, other) => one - other).map((seconds) => ({ value: seconds, label: intervalText(seconds) })),
  ];
}

export const toInterval = (chosen: unknown): number | null => (typeof chosen === 'number' && chosen !== byDefault ? chosen : null);

/** What the user's quota says of intervals; empty where it says nothing. */
export const shortestText = (minimum: number | null | undefined): string =>
  minimum ? translate('domain_monitor.shortest', { interval: intervalText(minimum) }) : '';
