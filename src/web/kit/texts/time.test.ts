import { expect, test } from 'vitest';
import { exactNumber, percent, shortNumber } from './numbers.ts';
import { inZone, shortTime } from './time.ts';

test('figures from 10,000 on are abbreviated as each language does it', () => {
  expect(shortNumber(9_999, 'zh-CN')).toBe('9,999');
  expect(shortNumber(12_345, 'zh-CN')).toBe('1.2万');
  expect(shortNumber(12_345, 'en-US')).toBe('12.3k');
  expect(shortNumber(1_234_567, 'en-US')).toBe('1.2M');
  expect(shortNumber(123_456_789, 'zh-CN')).toBe('1.2亿');
  expect(shortNumber(80_152_345, 'zh-CN')).toBe('8015万');
  expect(shortNumber(987_654, 'en-US')).toBe('987.7k');
  expect(shortNumber(-12_345, 'en-US')).toBe('-12.3k');
  expect(exactNumber(1_234_567, 'zh-CN')).toBe('1,234,567');
});

test('shares have one digit after the point at most', () => {
  expect(percent(1 / 3, 'zh-CN')).toBe('33.3%');
  expect(percent(1, 'en-US')).toBe('100%');
});

test('a time is shown in the time zone of the site, over midnight too', () => {
  expect(inZone('2026-03-01T16:30:00Z', 'Asia/Shanghai').format('YYYY-MM-DD HH:mm')).toBe('2026-03-02 00:30');
  expect(inZone('2026-03-01T16:30:00Z', 'America/New_York').format('YYYY-MM-DD HH:mm')).toBe('2026-03-01 11:30');
});

test('a zone follows its own clocks: half hours, quarter hours, summer time to the second', () => {
  const shown = (time: string, zone: string) => inZone(time, zone).format('YYYY-MM-DD HH:mm:ss');
  expect(shown('2026-03-01T18:30:00Z', 'Asia/Kolkata')).toBe('2026-03-02 00:00:00');
  expect(shown('2026-03-01T18:15:00Z', 'Asia/Kathmandu')).toBe('2026-03-02 00:00:00');
  expect(shown('2026-03-01T02:00:00Z', 'America/St_Johns')).toBe('2026-02-28 22:30:00');
  expect(shown('2026-03-08T06:59:59Z', 'America/New_York')).toBe('2026-03-08 01:59:59');
  expect(shown('2026-03-08T07:00:00Z', 'America/New_York')).toBe('2026-03-08 03:00:00');
  expect(shown('2026-11-01T05:59:59Z', 'America/New_York')).toBe('2026-11-01 01:59:59');
  expect(shown('2026-11-01T06:00:00Z', 'America/New_York')).toBe('2026-11-01 01:00:00');
  expect(shown('2026-07-01T12:00:00Z', 'Europe/London')).toBe('2026-07-01 13:00:00');
  expect(shown('2026-01-01T12:00:00Z', 'UTC')).toBe('2026-01-01 12:00:00');
  expect(inZone('2026-03-01T18:30:00Z', 'Asia/Kolkata').toISOString()).toBe('2026-03-01T18:30:00.000Z');
});

test('a recent time is relative, in the given language', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  expect(shortTime('2026-03-01T11:57:00Z', 'Asia/Shanghai', 'zh-CN', now)).toBe('3 分钟前');
  expect(shortTime('2026-03-01T11:57:00Z', 'Asia/Shanghai', 'en-US', now)).toBe('3 minutes ago');
});

test('an older time is a date, with the year only where it is another one', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  expect(shortTime('2026-02-01T11:57:00Z', 'Asia/Shanghai', 'zh-CN', now)).toBe('02-01 19:57');
  expect(shortTime('2024-02-01T20:57:00Z', 'Asia/Shanghai', 'zh-CN', now)).toBe('2024-02-02');
});
