import { expect, test } from 'vitest';
import { readLines } from './lines.ts';

test('empty lines are no addresses, and the others keep their numbers', () => {
  expect(readLines('a.example\n\n  b.example  \r\nc.example').lines).toEqual([
    { number: 1, text: 'a.example' },
    { number: 3, text: 'b.example' },
    { number: 4, text: 'c.example' },
  ]);
});

test('a line that repeats another is named and taken once', () => {
  expect(readLines('a.example\nb.example\n a.example\na.example')).toEqual({
    lines: [
      { number: 1, text: 'a.example' },
      { number: 2, text: 'b.example' },
    ],
    repeated: [3, 4],
  });
});
