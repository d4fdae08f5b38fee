import dayjs from 'dayjs';

type Back = 'today' | 'yesterday' | 'last_week' | 'last_month' | 'last_three_months';
type Ahead = 'today' | 'next_week' | 'next_month' | 'next_three_months';
type RangePreset<Key> = { key: Key; from: string; to: string };

const days = (moment: dayjs.Dayjs): string => moment.format('YYYY-MM-DD');

/**
 * The specification's presets that look back, where rows lie in the past, from today's date in the site's time zone. Today is one of
 * their days: a week has seven, and so the same days of the week as the one before, with which it is compared.
 */
export function rangePresets(today: string): RangePreset<Back>[] {
  const back = (amount: number, unit: 'week' | 'month') => days(dayjs(today).subtract(amount, unit).add(1, 'day'));
  const yesterday = days(dayjs(today).subtract(1, 'day'));
  return [
    { key: 'today', from: today, to: today },
    { key: 'yesterday', from: yesterday, to: yesterday },
    { key: 'last_week', from: back(1, 'week'), to: today },
    { key: 'last_month', from: back(1, 'month'), to: today },
    { key: 'last_three_months', from: back(3, 'month'), to: today },
  ];
}

/** Those that look ahead, for what ends. */
export function presetsAhead(today: string): RangePreset<Ahead>[] {
  const ahead = (amount: number, unit: 'week' | 'month') => days(dayjs(today).subtract(1, 'day').add(amount, unit));
  return [
    { key: 'today', from: today, to: today },
    { key: 'next_week', from: today, to: ahead(1, 'week') },
    { key: 'next_month', from: today, to: ahead(1, 'month') },
    { key: 'next_three_months', from: today, to: ahead(3, 'month') },
  ];
}
