import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlinePath, type Rounding } from './outline.ts';

const square: Rounding = { outer: [0, 0, 0, 0], inner: 0 };
const rounded: Rounding = { outer: [0.5, 0.5, 0.5, 0.5], inner: 0.2 };

/** Rows of `#` (dark) and `.` (light). */
const outline = (rows: string[], rounding: Rounding) => outlinePath(rows.length, (x, y) => rows[y]?.[x] === '#', rounding);

test('a module is a square, or a circle when its corners are rounded', () => {
  expect(outline(['#'], square)).toBe('M0 0h10v10h-10v-10z');
  expect(outline(['#'], rounded)).toBe('M5 0a5 5 0 0 1 5 5a5 5 0 0 1 -5 5a5 5 0 0 1 -5 -5a5 5 0 0 1 5 -5z');
});

test('touching modules share one path with no seam', () => {
  expect(outline(['##', '.#'], square)).toBe('M0 0h20v20h-10v-10h-10v-10z');
});

test('modules that touch at a corner only stay apart', () => {
  expect(outline(['#.', '.#'], square).match(/M/g)).toHaveLength(2);
  expect(outline(['.#', '#.'], rounded).match(/M/g)).toHaveLength(2);
});

test('a hole runs the other way round', () => {
  expect(outline(['###', '#.#', '###'], square)).toBe('M0 0h30v30h-30v-30zM10 20h10v-10h-10v10z');
});

test('the inside of a bend is rounded less than the outside', () => {
  const path = outline(['##', '.#'], rounded);
  expect(path.match(/a5 5 0 0 1/g)).toHaveLength(5);
  expect(path.match(/a2 2 0 0 0/g)).toHaveLength(1);
});

/** The area that a path of straight lines encloses, holes taken off, in modules. */
function areaOf(path: string): number {
  let area = 0;
  for (const part of path.split('z').filter(Boolean)) {
    const [, startX = '0', startY = '0', rest = ''] = /^M(-?\d+) (-?\d+)(.*)$/.exec(part) ?? [];
    let [x, y] = [Number(startX), Number(startY)];
    for (const [, command, length] of rest.matchAll(/([hv])(-?\d+)/g)) {
      if (command === 'h') {
        area -= Number(length) * y;
        x += Number(length);
      } else y += Number(length);
    }
    expect([x, y]).toEqual([Number(startX), Number(startY)]);
  }
  return area / 100;
}

test('the outline encloses exactly the dark modules, whatever the pattern', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }), (cells) => {
      const path = outlinePath(8, (x, y) => x >= 0 && y >= 0 && x < 8 && y < 8 && cells[y * 8 + x] === true, square);
      expect(areaOf(path)).toBe(cells.filter(Boolean).length);
    }),
  );
});
