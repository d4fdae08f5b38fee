import { expect, test } from 'vitest';
import { quietUntil } from './pushes.quiet.ts';

const night = { quiet_from: '22:30', quiet_to: '07:00' };
const until = (at: string, hours = night, zone = 'Asia/Shanghai') => quietUntil(new Date(at), hours, zone)?.toISOString();

test('quiet hours over midnight last from the evening to the morning of the site’s time zone', () => {
  expect(until('2026-03-01T14:29:59Z')).toBeUndefined();
  expect(until('2026-03-01T14:30:00Z')).toBe('2026-03-01T23:00:00.000Z');
  expect(until('2026-03-01T16:30:00Z')).toBe('2026-03-01T23:00:00.000Z');
  expect(until('2026-03-01T22:59:59Z')).toBe('2026-03-01T23:00:00.000Z');
  expect(until('2026-03-01T23:00:00Z')).toBeUndefined();
});

test('quiet hours within a day end on it', () => {
  const noon = { quiet_from: '12:00', quiet_to: '13:30' };
  expect(until('2026-03-01T03:59:00Z', noon)).toBeUndefined();
  expect(until('2026-03-01T04:00:00Z', noon)).toBe('2026-03-01T05:30:00.000Z');
  expect(until('2026-03-01T05:30:00Z', noon)).toBeUndefined();
});

test('quiet hours end by the clock where it is changed for summer time', () => {
  // New York: at 02:00 of 8 March 2026 clocks are set to 03:00, on 1 November back from 02:00 to 01:00.
  expect(until('2026-03-08T04:00:00Z', night, 'America/New_York')).toBe('2026-03-08T11:00:00.000Z');
  expect(until('2026-11-01T04:00:00Z', night, 'America/New_York')).toBe('2026-11-01T12:00:00.000Z');
});

test('a rule without quiet hours is never quiet', () => {
  expect(quietUntil(new Date(), { quiet_from: null, quiet_to: null }, 'Asia/Shanghai')).toBeUndefined();
});
