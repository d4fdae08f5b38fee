import { expect, test } from 'vitest';
import { arrange, readArrangement } from './arrangement.ts';

const columns = [{ key: 'a' }, { key: 'b' }, { key: 'c', hiddenByDefault: true }, { key: 'd' }];

test('without anything stored, the list decides', () => {
  const arrangement = readArrangement(undefined, columns);
  expect(arrange(columns, arrangement).map(({ key }) => key)).toEqual(['a', 'b', 'd']);
  expect(arrangement.density).toBe('medium');
});

test('order, hidden columns and density are kept', () => {
  const arrangement = readArrangement({ order: ['d', 'c', 'b', 'a'], hidden: ['b'], density: 'small' }, columns);
  expect(arrange(columns, arrangement).map(({ key }) => key)).toEqual(['d', 'c', 'a']);
  expect(arrangement.density).toBe('small');
});

test('a column that came later stands after its neighbour, one that is gone is forgotten', () => {
  const arrangement = readArrangement({ order: ['d', 'gone', 'a'], hidden: ['gone'], density: 'medium' }, columns);
  expect(arrangement.order).toEqual(['d', 'a', 'b', 'c']);
});

test.each([null, 7, 'text', [], { order: [1, 2], hidden: {}, density: 'huge' }])(
  'what cannot be an arrangement falls back: %j',
  (stored) => {
    expect(readArrangement(stored, columns)).toEqual({ order: ['a', 'b', 'c', 'd'], hidden: ['c'], density: 'medium' });
  },
);
