import { describe, expect, test } from 'vitest';
import { siteClock } from '../../../kit/visits/site-clock.ts';
import { causesOf } from './explain.ts';
import { daysBefore, spanBefore } from './question.ts';
import { estimateOf } from './wilson.ts';

describe('periods', () => {
  const clock = siteClock('Asia/Shanghai');
  const days = { from: '2024-02-26', to: '2024-03-03' };
  test('are compared with as many days before, the week before, or the same dates of the year before', () => {
    expect(daysBefore(days, 'before')).toEqual({ from: '2024-02-19', to: '2024-02-25' });
    expect(daysBefore({ from: '2024-03-01', to: '2024-03-02' }, 'week')).toEqual({ from: '2024-02-23', to: '2024-02-24' });
    expect(daysBefore({ from: '2024-02-29', to: '2024-03-01' }, 'year')).toEqual({ from: '2023-02-28', to: '2023-03-01' });
  });
  test('end at the same time of day where the range is not over', () => {
    const now = new Date('2024-02-28T02:00:00Z');
    expect(spanBefore(days, 'before', now, clock)).toEqual({ from: clock.startOf('2024-02-19'), to: clock.startOf('2024-02-21', 10) });
    expect(spanBefore(days, 'before', new Date('2024-04-01T00:00:00Z'), clock).to).toBe(clock.startOf('2024-02-26'));
    expect(spanBefore(days, 'before', new Date('2024-01-01T00:00:00Z'), clock)).toEqual({
      from: clock.startOf('2024-02-19'),
      to: clock.startOf('2024-02-19'),
    });
  });
});

describe('why figures changed', () => {
  const parts = (values: Record<string, number>) => ({
    total: 0,
    parts: Object.entries(values).map(([value, visits]) => ({ value, visits })),
  });
  test('names what changed otherwise than the whole, the largest first, with its part of the change', () => {
    const causes = causesOf(
      { country: parts({ 中国: 690 }), carrier: parts({ mobile: 400, unicom: 100, telecom: 190 }) },
      { country: parts({ 中国: 1000 }), carrier: parts({ mobile: 400, unicom: 400, telecom: 200 }) },
      690,
      1000,
    );
    expect(causes.map(({ value }) => value)).toEqual(['unicom', 'telecom']);
    expect(causes[0]).toMatchObject({ dimension: 'carrier', now: 100, before: 400, share: 300 / 310 });
  });
  test('says nothing where all values changed alike', () => {
    expect(causesOf({ carrier: parts({ mobile: 200, unicom: 100 }) }, { carrier: parts({ mobile: 401, unicom: 199 }) }, 300, 600)).toEqual(
      [],
    );
  });
});

test("a share's bounds are Wilson's", () => {
  const { share, low, high } = estimateOf(10, 50) ?? { share: 0, low: 0, high: 0 };
  expect([share, low.toFixed(4), high.toFixed(4)]).toEqual([0.2, '0.1124', '0.3304']);
  expect(estimateOf(0, 0)).toBeNull();
  expect(estimateOf(0, 20)?.low).toBe(0);
});
