import { expect, test } from 'vitest';
import { maxVariants } from '../../contract/content/mall-product-list.ts';
import { combinations, finished, matrixOf, type VariantValues } from './matrix.ts';

const size = { name: 'Size', values: ['M', 'L'] };
const color = { name: 'Colour', values: ['Red', 'Blue'] };
const only: VariantValues = { id: 1, options: [], sku: 'A', price: '9', stock: 4, stock_before: 4 };

test('all values of all attributes are combined, as far as a product may have so many', () => {
  expect(combinations([])).toEqual([[]]);
  expect(combinations([color, size])).toEqual([
    ['Red', 'M'],
    ['Red', 'L'],
    ['Blue', 'M'],
    ['Blue', 'L'],
  ]);
  const many = Array.from({ length: 30 }, (_, at) => String(at));
  expect(
    combinations([
      { name: 'a', values: many },
      { name: 'b', values: many },
    ]),
  ).toHaveLength(maxVariants);
});

test('attributes without a name or values are not finished', () => {
  expect(finished([{ name: ' Size ', values: ['M'] }, { name: '', values: ['x'] }, { name: 'y' }, undefined])).toEqual([
    { name: 'Size', values: ['M'] },
  ]);
});

test('a first attribute hands the only variant on to its first value, and its price to the others', () => {
  expect(matrixOf([size], [only])).toEqual([
    { ...only, options: ['M'] },
    { options: ['L'], sku: '', price: '9', stock: 0 },
  ]);
});

test('a further value adds variants and leaves the others as they are', () => {
  const present = matrixOf([size], [only]);
  const grown = matrixOf([{ ...size, values: ['S', 'M', 'L'] }], present);
  expect(grown.map(({ options }) => options)).toEqual([['S'], ['M'], ['L']]);
  expect(grown[1]).toBe(present[0]);
});

test('a further attribute and its end bring every variant back to itself', () => {
  const present = matrixOf([size], [only]);
  const both = matrixOf([size, color], present);
  expect(both.find(({ id }) => id === 1)?.options).toEqual(['M', 'Red']);
  expect(matrixOf([size], both)[0]).toEqual({ ...only, options: ['M'] });
});

test('a value that goes takes its variants with it', () => {
  const present = matrixOf([color, size], [only]);
  expect(matrixOf([{ ...color, values: ['Blue'] }, size], present).map(({ options }) => options)).toEqual([
    ['Blue', 'M'],
    ['Blue', 'L'],
  ]);
});
