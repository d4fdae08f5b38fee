import { expect, test } from 'vitest';
import { type TargetState, targetState } from './targetState.ts';

const now = Date.parse('2030-01-10T12:00:00Z');
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
const target = { enabled: true, expires_at: null, threshold: null, remaining: null };

test.each<[TargetState, Partial<Parameters<typeof targetState>[0]>]>([
  ['serving', {}],
  ['serving', { threshold: 200, remaining: 21, expires_at: inHours(73) }],
  ['nearly_full', { threshold: 200, remaining: 20 }],
  ['nearly_full', { threshold: 200, remaining: 1, expires_at: inHours(73) }],
  ['expiring', { expires_at: inHours(72) }],
  ['expiring', { threshold: 200, remaining: 1, expires_at: inHours(1) }],
  ['exhausted', { threshold: 200, remaining: 0, expires_at: inHours(1) }],
  ['exhausted', { threshold: 0, remaining: 0 }],
  ['expired', { threshold: 200, remaining: 0, expires_at: inHours(0) }],
  ['disabled', { enabled: false, expires_at: inHours(-1) }],
])('a target is %s: %j', (state, more) => {
  expect(targetState({ ...target, ...more }, now)).toBe(state);
});
