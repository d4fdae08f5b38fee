import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './diff.ts';

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

test('what changed is told line by line', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
  expect(shown('a\nb', 'a\nb\nc')).toEqual([' a', ' b', '+c']);
  expect(shown('a\nb\nc\nd', 'b\nd\ne')).toEqual(['-a', ' b', '-c', ' d', '+e']);
  expect(shown('', 'a')).toEqual(['-', '+a']);
});

test('both texts can be read out of what differs', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join('\n');
      expect([without('added'), without('removed')]).toEqual([before, after]);
    }),
  );
});

test('very long texts are told, too', () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join('\n');
  expect(diffLines(lines('a'), lines('b'))).toHaveLength(6_000);
});
