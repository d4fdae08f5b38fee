import { describe, expect, test } from 'vitest';
import type { SeriesPoint } from '../../../contract/visits/statistics.ts';
import { hoursOf, hoursOfDay, overlay } from './hours.ts';

const point = (at: string, visits: number): SeriesPoint => ({ at, visits, ips: visits * 2, new_ips: 1, refused: 0, programs: 0, own: 0 });
const china = 'Asia/Shanghai';

describe('the hours of a day', () => {
  test('are 24 from local midnight on', () => {
    const hours = hoursOfDay('2026-11-20', china);
    expect(hours).toHaveLength(24);
    expect([hours[0], hours[23]]).toEqual(['2026-11-19T16:00:00.000Z', '2026-11-20T15:00:00.000Z']);
  });

  test('are 23 and 25 where the clocks change, at midnight too', () => {
    expect(hoursOfDay('2026-03-08', 'America/New_York')).toHaveLength(23);
    expect(hoursOfDay('2026-11-01', 'America/New_York')).toHaveLength(25);
    // Cairo goes from 00:00 to 01:00, and back from 24:00 to 23:00.
    expect(hoursOfDay('2026-04-24', 'Africa/Cairo')).toHaveLength(23);
    expect(hoursOfDay('2026-10-29', 'Africa/Cairo')).toHaveLength(25);
  });

  test('begin at the half hour where the time zone does', () => {
    expect(hoursOfDay('2026-11-20', 'Asia/Kolkata')[0]).toBe('2026-11-19T18:30:00.000Z');
  });
});

describe('one day over the other', () => {
  const now = '2026-11-20T02:30:00.000Z';
  const today = [point('2026-11-19T16:00:00.000Z', 3), point('2026-11-20T02:00:00.000Z', 7)];
  const yesterday = [point('2026-11-18T16:00:00.000Z', 5), point('2026-11-19T15:00:00.000Z', 9)];

  test("lays yesterday's hours on today's, all of them, with zero where there were no visits", () => {
    const points = overlay({ day: '2026-11-20', now, today, yesterday }, 'visits', china).yesterday;
    expect(points).toHaveLength(24);
    expect([points[0], points[1], points[23]]).toEqual([
      { at: '2026-11-19T16:00:00.000Z', value: 5 },
      { at: '2026-11-19T17:00:00.000Z', value: 0 },
      { at: '2026-11-20T15:00:00.000Z', value: 9 },
    ]);
  });

  test("ends today's hours with the one that runs", () => {
    const points = overlay({ day: '2026-11-20', now, today, yesterday }, 'ips', china).today;
    expect(points).toHaveLength(11);
    expect(points.at(-1)).toEqual({ at: '2026-11-20T02:00:00.000Z', value: 14 });
    expect(points.reduce((sum, { value }) => sum + value, 0)).toBe(20);
  });

  test('at the first moment of a day shows its first hour', () => {
    const start = '2026-11-19T16:00:00.000Z';
    const points = overlay({ day: '2026-11-20', now: start, today: [], yesterday: [] }, 'visits', china);
    expect(points.today).toEqual([{ at: start, value: 0 }]);
    expect(points.yesterday).toHaveLength(24);
  });

  test('loses no visit where the clocks repeat an hour', () => {
    const repeated = [point('2026-11-01T05:00:00.000Z', 4), point('2026-11-01T06:00:00.000Z', 6), point('2026-11-01T07:00:00.000Z', 1)];
    const day = { day: '2026-11-01', now: '2026-11-02T04:59:00.000Z', today: repeated, yesterday: [] };
    const points = overlay(day, 'visits', 'America/New_York').today;
    expect(points.filter(({ value }) => value > 0)).toEqual([
      { at: '2026-11-01T05:00:00.000Z', value: 10 },
      { at: '2026-11-01T07:00:00.000Z', value: 1 },
    ]);
    const asYesterday = { day: '2026-11-02', now: '2026-11-03T04:59:00.000Z', today: [], yesterday: repeated };
    expect(
      overlay(asYesterday, 'visits', 'America/New_York')
        .yesterday.map(({ value }) => value)
        .slice(0, 4),
    ).toEqual([0, 10, 1, 0]);
  });
});

describe('the last 24 hours', () => {
  const point = (at: string, visits: number) => ({ at, visits, ips: 0, new_ips: 0, refused: 0, programs: 0, own: 0 });
  const dayOf = (day: string, hours: number, visits: number) =>
    Array.from({ length: hours }, (_, hour) => point(`${day}T${String(hour).padStart(2, '0')}:00:00.000Z`, visits + hour));
  const hours = {
    day: '2026-11-20',
    now: '2026-11-20T00:16:00.000Z',
    day_before: dayOf('2026-11-18', 24, 1000),
    yesterday: dayOf('2026-11-19', 24, 100),
    today: dayOf('2026-11-20', 1, 7),
  };

  test('begin yesterday and end with the hour that runs, the 24 before laid over them', () => {
    const { now, before } = hoursOf(hours, 'last_day', 'visits', 'UTC');
    expect(now).toHaveLength(24);
    expect(now[0]).toEqual({ at: '2026-11-19T01:00:00.000Z', value: 101 });
    expect(now.at(-1)).toEqual({ at: '2026-11-20T00:00:00.000Z', value: 7 });
    expect(before).toHaveLength(24);
    expect(before[0]).toEqual({ at: '2026-11-19T01:00:00.000Z', value: 1001 });
    expect(before.at(-1)).toEqual({ at: '2026-11-20T00:00:00.000Z', value: 100 });
  });

  test('are not those of today', () => {
    expect(hoursOf(hours, 'today', 'visits', 'UTC').now).toEqual([{ at: '2026-11-20T00:00:00.000Z', value: 7 }]);
  });
});
