import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitInto } from './readLogo.ts';

test('a picture keeps its shape, fits the square and is never enlarged', () => {
  expect(fitInto(1024, 512, 256)).toEqual({ width: 256, height: 128 });
  expect(fitInto(40, 30, 256)).toEqual({ width: 40, height: 30 });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 1, max: 512 }),
      (width, height, side) => {
        const fitted = fitInto(width, height, side);
        for (const length of [fitted.width, fitted.height]) {
          expect(length).toBeGreaterThanOrEqual(1);
          expect(length).toBeLessThanOrEqual(side);
        }
        expect(fitted.width).toBeLessThanOrEqual(Math.max(1, width));
      },
    ),
  );
});
