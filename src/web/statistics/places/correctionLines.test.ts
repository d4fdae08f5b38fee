import { expect, test } from 'vitest';
import { correctionLines, csvCells, lineColumns } from './correctionLines.ts';

const read = (text: string) =>
  correctionLines(
    text,
    (name) => lineColumns.find((column) => column === name),
    (cell) => cell === 'no',
  );

test('cells of a CSV file are read with quotes, and with the separator that it has', () => {
  expect(csvCells('\uFEFFa,b\r\n"1,2","say ""x"""\r\n\r\n')).toEqual([
    ['a', 'b'],
    ['1,2', 'say "x"'],
  ]);
  expect(csvCells('a;b\n1;2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

test('columns are known by their names in any order; those that are missing are empty', () => {
  expect(read('Country,Range,enabled\n中国,1.2.3.0/24,no\n美国,1.2.4.0/24,')).toEqual([
    { range: '1.2.3.0/24', country: '中国', region: '', city: '', carrier: '', remark: '', enabled: false },
    { range: '1.2.4.0/24', country: '美国', region: '', city: '', carrier: '', remark: '', enabled: true },
  ]);
  expect(read('country\n中国')).toBeNull();
});
