import { describe, expect, test } from 'vitest';
import { type CodeValues, newCodeValues, newTarget, type TargetValues } from '../edit/values.ts';
import { type LiveTargets, sightOf, visitsLeft } from './decide.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const target = (values: Partial<TargetValues>): TargetValues => ({ ...newTarget(), content: 'https://example.com', ...values });
const code = (values: Partial<CodeValues>): CodeValues => ({ ...newCodeValues(), ...values });
const none: LiveTargets = new Map();
const sight = (
  values: Partial<CodeValues>,
  visitor: Parameters<typeof sightOf>[1] = 'scan_messenger',
  live = none,
  chosen: string | null = null,
) => sightOf({ values: code(values), live, now }, visitor, chosen);

describe('visits left', () => {
  test('of a new target are its threshold', () => {
    expect(visitsLeft(target({ threshold: 200 }), none)).toBe(200);
    expect(visitsLeft(target({ threshold: null }), none)).toBeNull();
  });

  test('follow a changed threshold by the difference, never below none', () => {
    const live: LiveTargets = new Map([[1, { threshold: 200, remaining: 50 }]]);
    expect(visitsLeft(target({ id: 1, threshold: 200 }), live)).toBe(50);
    expect(visitsLeft(target({ id: 1, threshold: 300 }), live)).toBe(150);
    expect(visitsLeft(target({ id: 1, threshold: 100 }), live)).toBe(0);
    expect(visitsLeft(target({ id: 1, threshold: null }), live)).toBeNull();
  });

  test('of a target that was endless begin with the whole threshold', () => {
    expect(visitsLeft(target({ id: 1, threshold: 80 }), new Map([[1, { threshold: null, remaining: null }]]))).toBe(80);
  });
});

describe('a visitor', () => {
  test('is turned away by the first rule that fails', () => {
    const strict: Partial<CodeValues> = { open: false, access_mode: 2, restriction_visit: 2, targets: [] };
    expect(sight(strict, 'link_browser')).toEqual({ kind: 'refusal', refusal: 'closed' });
    expect(sight({ ...strict, open: true }, 'link_browser')).toEqual({ kind: 'refusal', refusal: 'not_scanned' });
    expect(sight({ ...strict, open: true }, 'scan_browser')).toEqual({ kind: 'refusal', refusal: 'not_messenger' });
    expect(sight({ ...strict, open: true }, 'scan_messenger')).toEqual({ kind: 'refusal', refusal: 'exhausted' });
  });

  test('finds an expired code closed', () => {
    expect(sight({ expires_at: '2026-05-01T12:00:00Z', targets: [target({})] })).toMatchObject({ refusal: 'closed' });
    expect(sight({ expires_at: '2026-05-01T12:00:01Z', targets: [target({})] })).toMatchObject({ kind: 'target' });
  });

  test('gets the first target that may serve and has visits left', () => {
    const targets = [
      target({ enabled: false }),
      target({ threshold: 0 }),
      target({ expires_at: '2026-04-01T00:00:00Z' }),
      target({ id: 4, threshold: 10 }),
      target({ name: 'this one' }),
    ];
    expect(sight({ targets }, 'scan_messenger', new Map([[4, { threshold: 10, remaining: 0 }]]))).toMatchObject({ index: 4 });
  });

  test('gets the likeliest target of a random rotation', () => {
    expect(sight({ rotation_mode: 2, targets: [target({ weight: 1 }), target({ weight: 9 }), target({ weight: 2 })] })).toMatchObject({
      index: 1,
    });
  });

  test('goes to the fallback when nothing is left, but a chosen target is shown all the same', () => {
    const spent = target({ threshold: 0 });
    expect(sight({ targets: [spent], fallback_url: 'https://f.example.com' })).toEqual({ kind: 'fallback', url: 'https://f.example.com' });
    expect(sight({ targets: [spent] }, 'scan_messenger', none, spent.key)).toMatchObject({ kind: 'target', index: 0 });
  });
});
