import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFall, isRecovery, lowerTail, type Share } from './chance.ts';

const of = (visits: number, share: number): Share => ({ visits, messenger: Math.round(visits * share) });
const calm = { now: of(1000, 0.9), usual: of(100_000, 0.9) };

test('the tail is that of the binomial distribution', () => {
  expect(lowerTail(0, 10, 0.5)).toBeCloseTo(1 / 1024, 12);
  expect(lowerTail(1, 3, 0.5)).toBeCloseTo(0.5, 12);
  expect(lowerTail(5, 5, 0.9)).toBe(1);
  expect(lowerTail(4000, 10_000, 0.4)).toBeCloseTo(0.5, 1);
});

test('the tail never falls with the number, and lies between 0 and 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (all, probability) => {
      let before = 0;
      for (let few = 0; few < all; few += 1) {
        const tail = lowerTail(few, all, probability);
        expect(tail).toBeGreaterThanOrEqual(before - 1e-12);
        expect(tail).toBeLessThanOrEqual(1);
        before = tail;
      }
    }),
    { numRuns: 50 },
  );
});

test('a domain on which the messenger falls silent is suspected by a dozen visits', () => {
  expect(isFall({ now: of(12, 0), usual: of(5000, 0.9), others: calm })).toBe(true);
  expect(isFall({ now: of(7, 0), usual: of(5000, 0.9), others: calm })).toBe(false);
});

test.each([
  ['few usual visits', { now: of(50, 0), usual: of(100, 0.9), others: calm }],
  ['a share that was always small', { now: of(500, 0), usual: of(5000, 0.1), others: calm }],
  ['a fall by less than half', { now: of(5000, 0.6), usual: of(50_000, 0.9), others: calm }],
  ['a fall on all domains at once', { now: of(500, 0.2), usual: of(5000, 0.9), others: { now: of(1000, 0.2), usual: of(100_000, 0.9) } }],
])('%s is no suspicion', (_what, look) => {
  expect(isFall(look)).toBe(false);
});

test('chance alone hardly ever makes one: not once in 200,000 looks at a healthy domain', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  let falls = 0;
  for (let look = 0; look < 200_000; look += 1) {
    const visits = 8 + Math.floor(random() * 40);
    let messenger = 0;
    for (let visit = 0; visit < visits; visit += 1) messenger += random() < 0.6 ? 1 : 0;
    if (isFall({ now: { visits, messenger }, usual: of(3000, 0.6), others: calm })) falls += 1;
  }
  expect(falls).toBe(0);
});

test('it is over when they are back', () => {
  expect(isRecovery({ now: of(20, 0.8), usual: of(5000, 0.9), others: calm })).toBe(true);
  expect(isRecovery({ now: of(20, 0.3), usual: of(5000, 0.9), others: calm })).toBe(false);
});
