import { describe, expect, test } from 'vitest';
import { limitRange, presetRange, rangeBefore } from './range.ts';

const today = '2026-03-01';

describe('a range of days', () => {
  test('holds as many days as its name says, the running one included', () => {
    expect(presetRange('today', today)).toEqual({ from: today, to: today });
    expect(presetRange('last_7', today)).toEqual({ from: '2026-02-23', to: today });
    expect(presetRange('last_30', today)).toEqual({ from: '2026-01-31', to: today });
  });

  test('is compared with as many days right before it', () => {
    expect(rangeBefore({ from: '2026-02-23', to: today })).toEqual({ from: '2026-02-16', to: '2026-02-22' });
    expect(rangeBefore({ from: today, to: today })).toEqual({ from: '2026-02-28', to: '2026-02-28' });
    // A day on which clocks change has 23 or 25 hours and is still one day.
    expect(rangeBefore({ from: '2026-03-29', to: '2026-03-30' })).toEqual({ from: '2026-03-27', to: '2026-03-28' });
  });

  test('ends today at the latest and never grows too long', () => {
    expect(limitRange({ from: '2026-02-20', to: '2026-05-01' }, today)).toEqual({ from: '2026-02-20', to: today });
    expect(limitRange({ from: '2027-01-01', to: '2027-02-01' }, today)).toEqual({ from: today, to: today });
    expect(limitRange({ from: '2000-01-01', to: today }, today)).toEqual({ from: '2025-03-01', to: today });
  });
});
