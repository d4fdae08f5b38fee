import { describe, expect, test } from 'vitest';
import { hourBars } from './hours.ts';

const point = (at: string, visits: number, ips = visits) => ({ at, visits, ips, new_ips: 0, refused: 0, programs: 0, own: 0 });

describe('the bars of a day', () => {
  test('are 24, in the site’s time zone, with the hours to come marked', () => {
    const bars = hourBars([point('2026-05-01T00:00:00.000Z', 3, 2), point('2026-05-01T02:00:00.000Z', 1)], 'Asia/Shanghai', 10);
    expect(bars).toHaveLength(24);
    expect(bars[8]).toEqual({ label: '08:00', visits: 3, ips: 2, isCurrent: false, isAhead: false });
    expect(bars[10]).toMatchObject({ visits: 1, isCurrent: true, isAhead: false });
    expect(bars[11]).toMatchObject({ visits: 0, isCurrent: false, isAhead: true });
  });

  test('add up an hour that a clock change repeats', () => {
    const bars = hourBars([point('2026-10-25T00:00:00.000Z', 4), point('2026-10-25T01:00:00.000Z', 5)], 'Europe/Berlin', 23);
    expect(bars[2]).toMatchObject({ visits: 9 });
    expect(bars.reduce((sum, bar) => sum + bar.visits, 0)).toBe(9);
  });

  test('stand empty before the first visit', () => {
    expect(hourBars([], 'Asia/Shanghai', 0).every((bar) => bar.visits === 0)).toBe(true);
  });
});
