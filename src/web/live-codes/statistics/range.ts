import dayjs from 'dayjs';

/** Days of the site's time zone, both included. */
export type Range = { from: string; to: string };
export const rangeKinds = ['today', 'last_7', 'last_30', 'custom'] as const;
export type RangeKind = (typeof rangeKinds)[number];

const day = 'YYYY-MM-DD';

/** The days of a preset, the running one included. */
export function presetRange(kind: Exclude<RangeKind, 'custom'>, today: string): Range {
  const back = { today: 0, last_7: 6, last_30: 29 }[kind];
  return { from: dayjs(today).subtract(back, 'day').format(day), to: today };
}

const lengthOf = ({ from, to }: Range): number => dayjs(to).diff(dayjs(from), 'day') + 1;

/** As many days right before. */
export function rangeBefore(range: Range): Range {
  const length = lengthOf(range);
  return { from: dayjs(range.from).subtract(length, 'day').format(day), to: dayjs(range.from).subtract(1, 'day').format(day) };
}

/** The longest range that one may look at; a longer series would neither load quickly nor be readable. */
const maxDays = 366;

/** Dates as `YYYY-MM-DD` sort as texts. */
const later = (one: string, other: string): string => [one, other].sort()[1] ?? one;
const earlier = (one: string, other: string): string => [one, other].sort()[0] ?? one;

/** A range that was picked, its end moved to today at most and its start into the longest range. */
export function limitRange({ from, to }: Range, today: string): Range {
  const end = earlier(to, today);
  const earliest = dayjs(end)
    .subtract(maxDays - 1, 'day')
    .format(day);
  return { from: later(earlier(from, end), earliest), to: end };
}
