import { expect, test } from 'vitest';
import { nextTimes, timesOf } from './times.ts';

const at = (cron: string, zone: string, after: string, number = 2): string[] =>
  nextTimes(cron, zone, new Date(after), number).map((time) => time.toISOString().slice(0, 16));

test('an expression means what clocks of its time zone show', () => {
  expect(at('30 3 * * 1-5', 'Asia/Shanghai', '2026-03-06T00:00:00Z')).toEqual(['2026-03-08T19:30', '2026-03-09T19:30']);
  expect(at('0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T03:30']);
  expect(at('0 0 L * *', 'UTC', '2026-02-01T00:00:00Z')).toEqual(['2026-02-28T00:00', '2026-03-31T00:00']);
  expect(at('0 3 * * 7', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-04T03:00']);
  // A day of the month or a weekday, as cron has it.
  expect(at('0 0 13 * 5', 'UTC', '2026-01-10T00:00:00Z', 3)).toEqual(['2026-01-13T00:00', '2026-01-16T00:00', '2026-01-23T00:00']);
  expect(at('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 5)).toHaveLength(5);
});

test('a moment is never found again once it has been met', () => {
  expect(at('0 3 * * *', 'UTC', '2026-01-01T03:00:00Z', 1)).toEqual(['2026-01-02T03:00']);
  expect(at('*/5 * * * *', 'UTC', '2026-01-01T03:05:00Z', 1)).toEqual(['2026-01-01T03:10']);
});

// In Berlin clocks went from 2 to 3 on March 29 at 01:00 UTC, and from 3 back to 2 on October 25 at 01:00 UTC.
test.each([
  ['30 2 * * *', ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']],
  ['0,30 2 * * *', ['2026-03-28T01:00', '2026-03-28T01:30', '2026-03-29T01:00', '2026-03-29T01:30', '2026-03-30T00:00']],
  ['0 2,14 * * *', ['2026-03-28T01:00', '2026-03-28T13:00', '2026-03-29T01:00', '2026-03-29T12:00']],
  // Two that clocks bring together are one.
  ['0 2,3 * * *', ['2026-03-28T01:00', '2026-03-28T02:00', '2026-03-29T01:00', '2026-03-30T00:00']],
])('what falls into an hour that clocks skip comes later on that day: %s', (cron, times) => {
  expect(at(cron, 'Europe/Berlin', '2026-03-27T22:00:00Z', times.length)).toEqual(times);
});

test('what names an hour comes once in the hour that clocks repeat', () => {
  expect(at('30 2 * * *', 'Europe/Berlin', '2026-10-24T22:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
  for (const after of ['2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z', '2026-10-25T01:30:00Z'])
    expect(at('30 2 * * *', 'Europe/Berlin', after, 1)).toEqual(['2026-10-26T01:30']);
  expect(at('0,30 2 * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:00']);
});

test('what comes every hour comes in every hour that passes', () => {
  expect(at('15 * * * *', 'Europe/Berlin', '2026-10-24T23:50:00Z', 4)).toEqual([
    ...['2026-10-25T00:15', '2026-10-25T01:15', '2026-10-25T02:15', '2026-10-25T03:15'],
  ]);
  expect(at('15 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 3)).toEqual([
    '2026-03-29T00:15',
    '2026-03-29T01:15',
    '2026-03-29T02:15',
  ]);
});

test.each([
  ['60 * * * *', 'cron_minute'],
  ['*/0 * * * *', 'cron_minute'],
  ['0 24 * * *', 'cron_hour'],
  ['0 3 32 * *', 'cron_day'],
  ['0 3 * 13 *', 'cron_month'],
  ['0 3 * * 8', 'cron_weekday'],
  ['0 3 * * MONDAYS', 'cron_weekday'],
  ['0 3 31 2 *', 'cron_never'],
])('%s is refused: %s', (cron, code) => {
  expect(() => timesOf(cron, 'UTC', new Date('2026-01-01T00:00:00Z'), 5)).toThrow(
    expect.objectContaining({ details: { fields: { cron: code } } }),
  );
});
