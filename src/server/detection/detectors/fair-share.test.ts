import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairShare } from './fair-share.ts';

const needs = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 30 });
const budget = fc.nat(50_000);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test('nobody is given more than there is, and what suffices is given whole', () => {
  fc.assert(
    fc.property(needs, budget, (all, limit) => {
      const share = fairShare(all, limit);
      const given = sum(all.map((need) => Math.min(need, share)));
      expect(given).toBeLessThanOrEqual(limit);
      if (sum(all) <= limit) expect(given).toBe(sum(all));
    }),
  );
});

test('however much others need, nobody gets less than an equal part, or less than he needs', () => {
  fc.assert(
    fc.property(needs, budget, (all, limit) => {
      const share = fairShare(all, limit);
      for (const need of all) expect(Math.min(need, share)).toBeGreaterThanOrEqual(Math.min(need, Math.floor(limit / all.length)));
    }),
  );
});

test("one user's ten thousand checks leave the others theirs", () => {
  expect(fairShare([10_000, 300, 200], 1000)).toBe(500);
});
