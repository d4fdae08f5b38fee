import dayjs from 'dayjs';

type RangePreset = { key: 'today' | 'yesterday' | 'last_week' | 'last_month' | 'last_three_months'; from: string; to: string };

/** The specification's presets that look back (a list's rows lie in the past), from today's date in the site's time zone. */
export function rangePresets(today: string): RangePreset[] {
  const back = (amount: number, unit: 'day' | 'week' | 'month') => dayjs(today).subtract(amount, unit).format('YYYY-MM-DD');
  return [
    { key: 'today', from: today, to: today },
    { key: 'yesterday', from: back(1, 'day'), to: back(1, 'day') },
    { key: 'last_week', from: back(1, 'week'), to: today },
    { key: 'last_month', from: back(1, 'month'), to: today },
    { key: 'last_three_months', from: back(3, 'month'), to: today },
  ];
}
