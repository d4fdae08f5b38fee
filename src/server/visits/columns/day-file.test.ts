import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { type Day, headerLength, narrow, openDay, writeDay } from './day-file.ts';
import { type NamedColumn, namedColumns } from './layout.ts';
import type { Range } from './picked.ts';

const visits = 60_000;
const numbers = (largest: number) => Uint32Array.from({ length: visits }, (_, row) => (row * 7_919) % largest);
const bytes = (largest: number) => Uint8Array.from(numbers(largest));
const wide = { at: numbers(86_400_000), visitor: numbers(40_000) };
const places = Object.fromEntries(namedColumns.map((column, index) => [column, numbers(200 + index * 400)])) as Record<
  NamedColumn,
  Uint32Array
>;
const totals = { all: new Uint8Array([1]), ofCodes: new Uint8Array([0]) };
const day: Day = {
  visits,
  codeless: 0,
  codes: { ids: Float64Array.of(3, 9), starts: Uint32Array.of(0, 40_000) },
  wide: { at: wide.at, visitor: narrow(wide.visitor) },
  bytes: { slot: bytes(96), outcome: bytes(9), flags: bytes(8) },
  named: Object.fromEntries(
    namedColumns.map((column) => [column, { ids: Float64Array.of(5, 6, 7), places: narrow(places[column]), totals }]),
  ) as Day['named'],
  firsts: { all: new Uint8Array([1]), returning: new Uint8Array([0]) },
  sums: {
    codes: Float64Array.of(9),
    visits: new Uint8Array([4]),
    ips: new Uint8Array([3]),
    new_ips: Float64Array.of(-1),
    refused: new Uint8Array(1),
  },
  incomplete: Float64Array.of(9),
};
const path = join(makeTestFolder(), '2026-03-11.0');
writeDay(path, day);

/** What ranges leave of a column. */
const of = (column: ArrayLike<number>, ranges: readonly Range[]) => ranges.flatMap(([first, end]) => Array.from(column).slice(first, end));
const someRanges = fc
  .uniqueArray(fc.integer({ min: 0, max: visits }), { maxLength: 8 })
  .map((ends) => ends.sort((one, other) => one - other))
  .map((ends) =>
    ends.flatMap((first, index): Range[] => (index % 2 === 0 && ends[index + 1] !== undefined ? [[first, ends[index + 1] ?? 0]] : [])),
  );

test('of each column those visits are picked that are asked for, wherever they lie in the file', () => {
  const open = openDay(path);
  fc.assert(
    fc.property(someRanges, (ranges) => {
      const picked = open.pick(ranges);
      expect(Array.from(picked.wide('at'))).toEqual(of(wide.at, ranges));
      expect(Array.from(picked.wide('visitor'))).toEqual(of(wide.visitor, ranges));
      expect(Array.from(picked.bytes('outcome'))).toEqual(of(day.bytes.outcome, ranges));
      expect(Array.from(picked.named('host').places)).toEqual(of(places.host, ranges));
      expect(Array.from(picked.named('target').places)).toEqual(of(places.target, ranges));
    }),
    { numRuns: 30, seed: 1 },
  );
  open.close();
});

test('sums of codes are told as they were, also what is below nothing', () => {
  const open = openDay(path);
  expect([open.sums('visits'), open.sums('new_ips')].map(({ codes, sums }) => [...codes, ...sums])).toEqual([
    [9, 4],
    [9, -1],
  ]);
  open.close();
});

test('a file that takes the place of one that was read is checked anew', () => {
  const [replaced, damaged] = [`${path}.replaced`, `${path}.other`];
  const whole = readFileSync(path);
  writeFileSync(replaced, whole);
  const readAll = () => {
    const open = openDay(replaced);
    try {
      return open.pick([[0, visits]]).wide('visitor').length;
    } finally {
      open.close();
    }
  };
  expect([readAll(), readAll()]).toEqual([visits, visits]);
  const at = headerLength + 300_000;
  whole[at] = (whole[at] ?? 0) ^ 1;
  writeFileSync(damaged, whole);
  renameSync(damaged, replaced);
  expect(readAll).toThrow('is damaged');
});

test('a file that is damaged is told where it is read, and only there', () => {
  const damaged = `${path}.damaged`;
  const whole = readFileSync(path);
  const at = headerLength + 300_000;
  whole[at] = (whole[at] ?? 0) ^ 1;
  writeFileSync(damaged, whole);
  const open = openDay(damaged);
  expect(open.pick([[0, 10]]).wide('at')).toHaveLength(10);
  // The visitors of all visits lie there.
  expect(() => open.pick([[0, visits]]).wide('visitor')).toThrow('is damaged');
  expect(open.pick([[0, 10]]).wide('visitor')).toHaveLength(10);
  open.close();
});
