import { expect, test } from 'vitest';
import { changeOf, copiedCells, fillIn, fillPrice, fillStock } from './filling.ts';
import type { VariantValues } from './matrix.ts';

const variant = (id: number | undefined, price = '9.9', stock = 4): VariantValues => ({
  ...(id === undefined ? {} : { id }),
  options: [],
  sku: '',
  price,
  stock,
});

test('a price is set, or changed by percent to the cent', () => {
  const made = (typed: string, price: string) => fillPrice(typed)?.(price);
  expect(made('12.5', '9.9')).toBe('12.5');
  expect(made('+10%', '9.99')).toBe('10.99');
  expect(made('-5％', '9.99')).toBe('9.49');
  expect(made('-100%', '9.99')).toBe('0.00');
  expect(made('-150%', '9.99')).toBe('0.00');
  expect(made('+10%', '')).toBe('');
  expect(made('+0.5%', '1')).toBe('1.01');
  for (const nonsense of ['', 'ten', '10%', '+%', '1e3', '-1']) expect(fillPrice(nonsense)).toBeUndefined();
});

test('a stock is set, or changed by pieces or percent, never below 0', () => {
  const made = (typed: string, stock: number | null) => fillStock(typed)?.(stock);
  expect(made('20', 4)).toBe(20);
  expect(made('+5', null)).toBe(5);
  expect(made('-5', 4)).toBe(0);
  expect(made('+50%', 5)).toBe(8);
  for (const nonsense of ['', 'many', '2.5', '+x']) expect(fillStock(nonsense)).toBeUndefined();
});

test('copied cells are filled in downwards and to the right, as far as there are lines', () => {
  const three = [variant(1), variant(2), variant(undefined)];
  const copied = copiedCells('1,200.5\t7\tA-1\r\n8\tmany\tA-2\tbeyond\r\n');
  expect(copied).toHaveLength(2);
  expect(fillIn(three, 1, 'price', copied ?? [])).toEqual([
    three[0],
    { ...three[1], price: '1200.5', stock: 7, sku: 'A-1' },
    { ...three[2], price: '8', stock: null, sku: 'A-2' },
  ]);
  expect(fillIn(three, 0, 'stock', [['-3']])[0]).toMatchObject({ stock: -3 });
  expect(fillIn(three, 2, 'stock', [['1'], ['2']])[2]).toMatchObject({ price: '9.9', stock: 1 });
  // A text of one cell is the field's own.
  expect(copiedCells('9.9\n')).toBeUndefined();
});

test('variants that come and go are told', () => {
  const stored = [variant(1), variant(2)];
  expect(changeOf(stored, [variant(2), variant(undefined), variant(undefined)])).toEqual({ added: 2, removed: 1 });
  expect(changeOf(stored, stored)).toEqual({ added: 0, removed: 0 });
});
