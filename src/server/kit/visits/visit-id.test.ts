import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maximumSegmentLength } from './journal/segment.ts';
import { createVisitIdReader, createVisitIds } from './visit-id.ts';

const key = randomBytes(32);
const source = '0-mb2k1c9x-4194304';
const position = fc.record({ number: fc.nat({ max: 999_999_999 }), offset: fc.nat({ max: maximumSegmentLength }) });

describe('the id that a visitor is told', () => {
  it('leads back to the record, with the key and among its sources only', () => {
    const idOf = createVisitIds(source);
    const read = createVisitIdReader(key, ['1-mb2k1c9x-7', source]);
    fc.assert(
      fc.property(position, ({ number, offset }) => {
        const id = idOf(key, number, offset);
        expect(id).toMatch(/^[\w-]{22}$/);
        expect(read(id)).toEqual({ source, number, offset });
        expect(createVisitIdReader(randomBytes(32), [source])(id)).toBeUndefined();
        expect(createVisitIdReader(key, ['1-mb2k1c9x-7'])(id)).toBeUndefined();
      }),
    );
  });

  it('is another one for every visit, and shows nothing of its process or place', () => {
    const ids = ['0', '1'].flatMap((slot) => {
      const idOf = createVisitIds(`${slot}-mb2k1c9x-7`);
      return [1, 2].flatMap((number) => Array.from({ length: 5000 }, (_, index) => idOf(key, number, index * 200)));
    });
    expect(new Set(ids).size).toBe(ids.length);
    // Of neighbours half of the bits differ, wherever they stand.
    const blocks = ids.map((id) => Buffer.from(id, 'base64url'));
    const ones = Array.from({ length: 128 }, () => 0);
    for (const [index, block] of blocks.entries()) {
      const before = blocks[index - 1];
      if (!before) continue;
      for (let bit = 0; bit < 128; bit += 1)
        ones[bit] = (ones[bit] ?? 0) + ((((block[bit >> 3] ?? 0) ^ (before[bit >> 3] ?? 0)) >> (bit & 7)) & 1);
    }
    for (const count of ones) expect(Math.abs(count / blocks.length - 0.5)).toBeLessThan(0.03);
  });

  it('is told from any other text', () => {
    const read = createVisitIdReader(key, [source]);
    fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String(), fc.constant('none')), (text) => read(text) === undefined));
  });
});
