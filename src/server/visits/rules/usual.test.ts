import { expect, test } from 'vitest';
import { changeIn, type Hours } from './usual.ts';

const day = (each: number): Hours => Array.from({ length: 24 }, () => each);
/** Six weeks about this number an hour. */
const weeks = (each: number): Hours[] => [0, 1, -1, 2, -2, 0].map((more) => day(each + more));
const falls = { direction: 'falls', percent: 50 } as const;
const lastHour = (visits: number, each: number): Hours => [visits, ...day(each).slice(1)];

test('a fall by half of what is usual in one hour is one', () => {
  const change = changeIn({ now: lastHour(40, 100), weeks: weeks(100) }, falls);
  expect(change).toEqual({ visits: 40, usual: 100, percent: 60, hours: 1 });
});

test('who asks for falls hears of no rise, and the other way round', () => {
  const [few, many] = [
    { now: lastHour(40, 100), weeks: weeks(100) },
    { now: lastHour(200, 100), weeks: weeks(100) },
  ];
  expect(changeIn(many, falls)).toBeUndefined();
  expect(changeIn(few, { direction: 'rises', percent: 50 })).toBeUndefined();
  expect(changeIn(many, { direction: 'rises', percent: 50 })).toMatchObject({ percent: 100, visits: 200 });
  expect([few, many].map((course) => changeIn(course, { direction: 'both', percent: 50 })?.percent)).toEqual([60, 100]);
});

test('few visits an hour are looked at over more hours, and too few a day not at all', () => {
  expect(changeIn({ now: day(2), weeks: weeks(12) }, falls)).toEqual({ visits: 12, usual: 72, percent: 83, hours: 6 });
  expect(changeIn({ now: day(0), weeks: Array.from({ length: 6 }, () => day(1)) }, falls)).toBeUndefined();
});

test.each([
  ['a fall by less than was asked for', { now: lastHour(60, 100), weeks: weeks(100) }],
  ['one that is no wider than the weeks themselves are', { now: lastHour(30, 100), weeks: [30, 180, 60, 150, 100, 20].map(day) }],
  ['weeks that are too few to have a usual', { now: lastHour(0, 100), weeks: [day(100), day(100), day(0), day(0), day(0), day(0)] }],
])('%s is told of nothing', (_what, course) => {
  expect(changeIn(course, falls)).toBeUndefined();
});

test('one strange week among six changes nothing', () => {
  expect(changeIn({ now: lastHour(40, 100), weeks: [day(900), ...weeks(100).slice(1)] }, falls)).toMatchObject({ usual: 101, percent: 60 });
});
