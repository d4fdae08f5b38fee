import { expect, test } from 'vitest';
import { presetsAhead, rangePresets } from './ranges.ts';

test('presets look back a week of seven days, a month and three months, today included', () => {
  expect(rangePresets('2026-05-31')).toEqual([
    { key: 'today', from: '2026-05-31', to: '2026-05-31' },
    { key: 'yesterday', from: '2026-05-30', to: '2026-05-30' },
    { key: 'last_week', from: '2026-05-25', to: '2026-05-31' },
    { key: 'last_month', from: '2026-05-01', to: '2026-05-31' },
    { key: 'last_three_months', from: '2026-03-01', to: '2026-05-31' },
  ]);
});

test('for what ends they look ahead as far', () => {
  expect(presetsAhead('2026-11-30')).toEqual([
    { key: 'today', from: '2026-11-30', to: '2026-11-30' },
    { key: 'next_week', from: '2026-11-30', to: '2026-12-06' },
    { key: 'next_month', from: '2026-11-30', to: '2026-12-29' },
    { key: 'next_three_months', from: '2026-11-30', to: '2027-02-28' },
  ]);
});
