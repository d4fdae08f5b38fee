import { expect, test } from 'vitest';
import { expectDetection, runMany } from '../testing/simulation.ts';

test('in 100,000 random runs of detectors that lie, fail, time out and throttle the rules hold', () => {
  const { faults, falseAlarms, seen } = runMany(100_000);
  expect(faults).toEqual([]);
  expect(falseAlarms).toBeGreaterThan(1_000);
  expect(seen).toBeGreaterThan(10_000);
}, 180_000);

test('a block is seen by usual detectors in the time that is to be expected', () => {
  const [one, two, three] = [1, 2, 3].map((detectors) => expectDetection(detectors, 20_000));
  for (const found of [one, two, three])
    if (found)
      console.log(
        `${found.detectors} detectors: a block is seen after ${found.mean.toFixed(0)} s on average, 95 % within ${found.p95.toFixed(0)} s`,
      );
  // Half an interval to the next check; one alone must say it again.
  expect(two?.mean).toBeGreaterThan(140);
  expect(three?.mean).toBeLessThan(200);
  expect(one?.mean).toBeLessThan(300);
  expect([one?.missed, two?.missed, three?.missed]).toEqual([0, 0, 0]);
});
