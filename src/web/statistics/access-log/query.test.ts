import { expect, test } from 'vitest';
import { addressesOf, firstRange, isSelectable, ordered, timesOf, wrongLines } from './query.ts';

test('the last three days are asked for at first, over the end of a month too', () => {
  expect(firstRange('2026-03-01')).toEqual(['2026-02-27', '2026-03-01']);
});

test('days from 7 days ago to today can be chosen', () => {
  const selectable = ['2026-03-03', '2026-03-04', '2026-03-11', '2026-03-12'].map((day) => isSelectable(day, '2026-03-11'));
  expect(selectable).toEqual([false, true, true, false]);
});

test("the time that is sent runs from 00:00:00 to 23:59:59 of the site's days", () => {
  expect(timesOf(['2026-03-09', '2026-03-11'], 'Asia/Shanghai')).toEqual({
    start_time: '2026-03-08T16:00:00.000Z',
    end_time: '2026-03-11T15:59:59.000Z',
  });
  // A day of 23 hours.
  expect(timesOf(['2026-03-08', '2026-03-08'], 'America/New_York')).toEqual({
    start_time: '2026-03-08T05:00:00.000Z',
    end_time: '2026-03-09T03:59:59.000Z',
  });
});

test('without one of the days the start is missing', () => {
  for (const range of [
    [null, null],
    ['2026-03-11', null],
    [null, '2026-03-11'],
  ] as const)
    expect(timesOf(range, 'Asia/Shanghai').start_time).toBe('');
});

test('days that were chosen the wrong way round change places', () => {
  expect(ordered('2026-03-11', '2026-03-09')).toEqual(['2026-03-09', '2026-03-11']);
  expect(ordered(null, '2026-03-09')).toEqual([null, '2026-03-09']);
});

test('addresses stand one a line; empty lines, blanks around them and repetitions do not count', () => {
  expect(addressesOf('1.1.1.1\r\n\n  2.2.2.2 \n1.1.1.1\n')).toEqual(['1.1.1.1', '2.2.2.2']);
  expect(addressesOf(' \n ')).toEqual([]);
  expect(addressesOf('1.1.1.1 2.2.2.2')).toEqual(['1.1.1.1 2.2.2.2']);
});

test('lines that are no IPv4 address are named by their numbers', () => {
  expect(wrongLines('1.1.1.1\n\n256.1.1.1\n::1\r\n1.1.1\n01.1.1.1\n255.255.255.255\n1.1.1.1,2.2.2.2')).toEqual([3, 4, 5, 6, 8]);
});
