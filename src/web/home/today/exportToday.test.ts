import { describe, expect, test } from 'vitest';
import { exportLines } from './exportToday.ts';
import type { Today } from './useToday.ts';

const none24 = { value: 0, before: 0 };
const none = { carrier: [], country: [], region: [], city: [], system: [], brand: [], browser: [], source: [] };
const today: Today = {
  day: '2026-11-20',
  now: '2026-11-19T17:30:00.000Z',
  visits: { today: 12, yesterday: 10 },
  ips: { today: 9, yesterday: 8 },
  new_ips: { today: 4, yesterday: 0 },
  refused: { today: 2, yesterday: 3 },
  programs: { today: 0, yesterday: 0 },
  own: { today: 0, yesterday: 0 },
  active_codes: { today: 1, yesterday: 2 },
  last_day: { visits: none24, ips: none24, new_ips: none24, refused: none24, programs: none24, own: none24 },
  today: [
    { at: '2026-11-19T16:00:00.000Z', visits: 5, ips: 4, new_ips: 2, refused: 0, programs: 0, own: 0 },
    { at: '2026-11-19T17:00:00.000Z', visits: 7, ips: 5, new_ips: 2, refused: 2, programs: 0, own: 0 },
  ],
  yesterday: [{ at: '2026-11-18T16:00:00.000Z', visits: 10, ips: 8, new_ips: 0, refused: 3, programs: 0, own: 0 }],
  day_before: [],
  top_codes: [{ live_code_id: 1, name: '=cmd', file_name: 'tea-spring', visits: 12, ips: 9 }],
  breakdowns: { ...none, carrier: [{ value: 'mobile', visits: 12 }], city: [{ value: '', visits: 12 }] },
  outcomes: [
    { outcome: 'passed', visits: 12 },
    { outcome: 'entry', visits: 12 },
    { outcome: 'closed', visits: 2 },
  ],
};
const words = {
  t: (key: string) => key.replace('today_statistics.', ''),
  labelOf: (dimension: string, value: string) => `${dimension}:${value}`,
  timeZone: 'Asia/Shanghai',
};
const lines = exportLines(today, words);
const of = (category: string) => lines.filter((line) => line[0] === category).map((line) => line.slice(1));

describe('the exported figures', () => {
  test('are one table: every line has the columns of the head', () => {
    expect(lines[0]).toEqual(['export.category', 'export.item', 'common.field.today', 'hourly.yesterday']);
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([4]));
  });

  test('hold the cards with yesterday beside today', () => {
    expect(of('export.summary')).toEqual([
      ['figure.visits', 12, 10],
      ['figure.ips', 9, 8],
      ['figure.new_ips', 4, 0],
      ['figure.refused', 2, 3],
      ['figure.programs', 0, 0],
      ['figure.own', 0, 0],
      ['figure.active_codes', 1, 2],
    ]);
  });

  test('hold every hour of each figure, empty for the hours of today that have not begun', () => {
    const visits = of('hourly.visits');
    expect(visits).toHaveLength(24);
    expect(visits.slice(0, 3)).toEqual([
      ['00:00', 5, 10],
      ['01:00', 7, 0],
      ['02:00', '', 0],
    ]);
    expect(of('hourly.refused')[1]).toEqual(['01:00', 2, 0]);
  });

  test('hold codes, breakdowns in words, and refusals without what was no refusal', () => {
    expect(of('export.code_visits')).toEqual([['=cmd (tea-spring)', 12, '']]);
    expect(of('export.code_ips')).toEqual([['=cmd (tea-spring)', 9, '']]);
    expect(of('carrier.title')).toEqual([['carrier:mobile', 12, '']]);
    expect(of('city.title')).toEqual([['city:', 12, '']]);
    expect(of('outcomes.title')).toEqual([['outcomes.closed', 2, '']]);
  });
});
