import { expect, test } from 'vitest';
import { membershipOf } from './membership.ts';

const now = '2026-03-11T04:30:00.000Z';

test.each([
  [null, { kind: 'endless', days: 0 }],
  ['2026-03-11T04:30:00.000Z', { kind: 'expired', days: 0 }],
  ['2026-03-09T04:29:00.000Z', { kind: 'expired', days: 2 }],
  ['2026-03-11T04:30:00.001Z', { kind: 'soon', days: 1 }],
  ['2026-03-18T04:30:00.000Z', { kind: 'soon', days: 7 }],
  ['2026-03-18T04:30:00.001Z', { kind: 'active', days: 8 }],
  ['2027-03-11T04:30:00.000Z', { kind: 'active', days: 365 }],
])('a membership until %s', (end, state) => {
  expect(membershipOf(end, now)).toEqual(state);
});
