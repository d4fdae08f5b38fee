import { expect, test } from 'vitest';
import { presetsOf, readState, toggleValue, writeState } from './state.ts';

const today = '2026-03-11';
const of = (address: string) => readState(new URLSearchParams(address), today, 'last_week');

test('the ranges are those of the specification', () => {
  expect(presetsOf(today).map(({ key }) => key)).toEqual([
    ...['today', 'yesterday', 'last_week', 'last_month', 'last_three_months'],
    ...['next_week', 'next_month', 'next_three_months'],
  ]);
});

test('an address says range, comparison, step, codes and filters, several values of one dimension too', () => {
  const state = of(
    'range=custom&from=2026-02-01&to=2026-02-03&compare=year&step=hour&codes=3-14&f=carrier:mobile&f=carrier:unicom&f=host:a.example:80',
  );
  expect(state).toEqual({
    ...{ kind: 'custom', range: { from: '2026-02-01', to: '2026-02-03' }, compare: 'year', step: 'hour', codes: [3, 14], owner: undefined },
    filters: { carrier: ['mobile', 'unicom'], host: ['a.example:80'] },
  });
  expect(readState(writeState(new URLSearchParams(), state), today, 'today')).toEqual(state);
});

test('what an address says wrongly is left out', () => {
  for (const odd of [
    '',
    'range=nothing',
    'range=custom',
    'range=custom&from=x&to=2026-02-03',
    'range=custom&from=2026-02-03&to=2026-02-01',
  ])
    expect(of(odd)).toMatchObject({ kind: 'last_week', range: { from: '2026-03-05', to: today } });
  expect(of('compare=never&step=minute&codes=x&owner=-1&f=nothing:1&f=carrier')).toMatchObject({
    codes: [],
    owner: undefined,
    filters: {},
  });
});

test('a range never grows too long', () => {
  expect(of('range=custom&from=2000-01-01&to=2026-03-11').range).toEqual({ from: '2025-02-05', to: today });
});

test('a value that is clicked filters, and clicked again lets go; an empty value is one, too', () => {
  const one = toggleValue({}, 'city', '');
  expect(one).toEqual({ city: [''] });
  expect(readState(writeState(new URLSearchParams('range=today'), { filters: one }), today, 'today').filters).toEqual(one);
  expect(toggleValue(toggleValue(one, 'city', '杭州'), 'city', '')).toEqual({ city: ['杭州'] });
  expect(toggleValue(one, 'city', '')).toEqual({});
});
