import { describe, expect, test } from 'vitest';
import type { LiveTargets } from '../preview/decide.ts';
import { randomShare, rotationNote } from './rotation.ts';
import { type CodeValues, newCodeValues, newTarget, type TargetValues } from './values.ts';

const target = (values: Partial<TargetValues>): TargetValues => ({ ...newTarget(), content: 'https://example.com', ...values });
const none: LiveTargets = new Map();
const preview = (targets: TargetValues[], rotation_mode: CodeValues['rotation_mode'] = 1) => ({
  values: { ...newCodeValues(), targets, rotation_mode },
  live: none,
  now: Date.parse('2026-05-01T12:00:00Z'),
});
const noteOf = (targets: TargetValues[], mode: CodeValues['rotation_mode'] = 1) => {
  const { kind, key, values } = rotationNote(preview(targets, mode));
  return { kind, key: key.split('.').at(-1), values };
};

describe('the sentence about the rotation', () => {
  test('warns of an endless target that hides those after it, by their places in the list', () => {
    const targets = [target({ enabled: false }), target({ threshold: 5 }), target({}), target({ threshold: 5 })];
    expect(noteOf(targets)).toEqual({ kind: 'warning', key: 'unreached', values: { number: 3, next: 4 } });
  });

  test('tells who serves, how often, and who is next', () => {
    expect(noteOf([target({ threshold: 5 }), target({})])).toEqual({
      kind: 'info',
      key: 'sequential',
      values: { number: 1, left: 5, next: 2 },
    });
    expect(noteOf([target({ threshold: 5 }), target({ threshold: 7 })])).toMatchObject({ kind: 'warning', key: 'sequential_ends' });
  });

  test('says that nobody can be served', () => {
    expect(noteOf([target({ threshold: 0 }), target({ enabled: false })])).toMatchObject({ kind: 'warning', key: 'none' });
    expect(noteOf([])).toMatchObject({ key: 'none' });
  });

  test('of a single target is the same in every rotation', () => {
    for (const mode of [1, 2, 3] as const) {
      expect(noteOf([target({})], mode)).toMatchObject({ kind: 'info', key: 'single' });
      expect(noteOf([target({ threshold: 3 })], mode)).toMatchObject({ kind: 'warning', key: 'single_limited', values: { left: 3 } });
    }
  });

  test('counts only targets that serve', () => {
    const targets = [target({}), target({ enabled: false }), target({})];
    expect(noteOf(targets, 2)).toMatchObject({ key: 'random', values: { targets: 2 } });
    expect(noteOf(targets, 3)).toMatchObject({ key: 'round_robin', values: { targets: 2 } });
  });
});

describe('the share of a random target', () => {
  test('is its weight among those that serve', () => {
    const [one, off, three] = [target({ weight: 1 }), target({ weight: 100, enabled: false }), target({ weight: 3 })];
    const all = preview([one, off, three], 2);
    expect([randomShare(one, all), randomShare(off, all), randomShare(three, all)]).toEqual([0.25, undefined, 0.75]);
  });

  test('takes an emptied weight for 1', () => {
    const [one, other] = [target({ weight: null }), target({ weight: 1 })];
    expect(randomShare(one, preview([one, other], 2))).toBe(0.5);
  });
});
