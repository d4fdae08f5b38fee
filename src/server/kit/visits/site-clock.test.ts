import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, siteClock } from './site-clock.ts';

const at = (text: string): number => Date.parse(text);
const iso = (moment: number): string => new Date(moment).toISOString();

describe('the clock of a site', () => {
  test('begins a day of Shanghai at 16:00 UTC', () => {
    const clock = siteClock('Asia/Shanghai');
    expect(clock.dayOf(at('2026-03-01T15:59:59.999Z'))).toBe('2026-03-01');
    expect(clock.dayOf(at('2026-03-01T16:00:00Z'))).toBe('2026-03-02');
    expect(iso(clock.startOf('2026-03-02'))).toBe('2026-03-01T16:00:00.000Z');
    expect(iso(clock.startOf('2026-03-02', 3))).toBe('2026-03-01T19:00:00.000Z');
  });

  test('begins an hour of India at half past', () => {
    const clock = siteClock('Asia/Kolkata');
    expect(iso(clock.hourOf(at('2026-03-01T10:29:59Z')))).toBe('2026-03-01T09:30:00.000Z');
    expect(iso(clock.hourOf(at('2026-03-01T10:30:00Z')))).toBe('2026-03-01T10:30:00.000Z');
  });

  test('has 23 and 25 hours where clocks change', () => {
    const clock = siteClock('Europe/Berlin');
    expect(clock.hoursOf('2026-03-28')).toHaveLength(24);
    expect(clock.hoursOf('2026-03-29')).toHaveLength(23);
    expect(clock.hoursOf('2026-10-25')).toHaveLength(25);
    expect(iso(clock.startOf('2026-03-29', 2))).toBe('2026-03-29T01:00:00.000Z');
  });

  test('begins a day whose midnight is skipped at its first moment', () => {
    const clock = siteClock('America/Sao_Paulo');
    expect(iso(clock.startOf('2018-11-04'))).toBe('2018-11-04T03:00:00.000Z');
    expect(clock.dayOf(clock.startOf('2018-11-04'))).toBe('2018-11-04');
    expect(clock.dayOf(clock.startOf('2018-11-04') - 1)).toBe('2018-11-03');
  });

  test('takes an unknown zone for the default one', () => {
    expect(siteClock('Moon/Base').startOf('2026-01-01')).toBe(siteClock('Asia/Shanghai').startOf('2026-01-01'));
  });

  test('every moment lies in its own hour and day, in any zone', () => {
    for (const zone of ['Asia/Kathmandu', 'Pacific/Apia', 'America/New_York', 'Australia/Adelaide', 'UTC']) {
      const clock = siteClock(zone);
      for (let moment = at('2026-01-01T00:00:00Z'); moment < at('2027-01-01T00:00:00Z'); moment += 7_777_777) {
        const hour = clock.hourOf(moment);
        const day = clock.dayOf(moment);
        expect(hour <= moment && moment < hour + 3_600_000).toBe(true);
        expect(clock.startOf(day) <= moment && moment < clock.startOf(addDays(day, 1))).toBe(true);
      }
    }
  });
});

test('days follow each other over the ends of months and years', () => {
  expect(daysBetween('2027-12-30', '2028-01-02')).toEqual(['2027-12-30', '2027-12-31', '2028-01-01', '2028-01-02']);
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
});
