import { expect, test } from 'vitest';
import { isUnfinished, stepsOf } from './lineOption.ts';

const zone = 'Asia/Shanghai';

test('the hour that holds the present moment is unfinished, its neighbours are not', () => {
  const now = '2026-03-01T05:20:00Z';
  expect(isUnfinished('2026-03-01T04:00:00Z', 'hour', now, zone)).toBe(false);
  expect(isUnfinished('2026-03-01T05:00:00Z', 'hour', now, zone)).toBe(true);
  expect(isUnfinished('2026-03-01T06:00:00Z', 'hour', now, zone)).toBe(false);
});

test("a day ends at midnight of the site's time zone, also when the clocks change", () => {
  expect(isUnfinished('2026-02-28T16:00:00Z', 'day', '2026-03-01T15:59:59Z', zone)).toBe(true);
  expect(isUnfinished('2026-02-28T16:00:00Z', 'day', '2026-03-01T16:00:00Z', zone)).toBe(false);
  // In New York the 8th of March 2026 has 23 hours.
  expect(isUnfinished('2026-03-08T05:00:00Z', 'day', '2026-03-09T03:30:00Z', 'America/New_York')).toBe(true);
  expect(isUnfinished('2026-03-08T05:00:00Z', 'day', '2026-03-09T04:00:00Z', 'America/New_York')).toBe(false);
});

test('without a present moment every step is over', () => {
  expect(isUnfinished('2026-03-01T05:00:00Z', 'hour', undefined, zone)).toBe(false);
});

test('the axis holds every step of all series once, in order', () => {
  const point = (at: string) => ({ at, value: 1 });
  const series = [
    { key: 'a', name: 'a', points: [point('2026-03-01T02:00:00Z'), point('2026-03-01T01:00:00Z')] },
    { key: 'b', name: 'b', points: [point('2026-03-01T03:00:00Z'), point('2026-03-01T02:00:00Z')] },
  ];
  expect(stepsOf(series)).toEqual(['2026-03-01T01:00:00Z', '2026-03-01T02:00:00Z', '2026-03-01T03:00:00Z']);
});
