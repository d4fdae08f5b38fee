import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamXlsxRows } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTable } from './tabular.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'livecode-tables-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Excel reads so many rows of a sheet, its heads among them. */
const rowsOfSheet = 1_048_576;

test('rows beyond those that a sheet holds go on in the next one, below the same heads, none lost and none twice', async () => {
  const rows = rowsOfSheet + 10;
  async function* portions() {
    for (let start = 0; start < rows; start += 1000)
      yield Array.from({ length: Math.min(1000, rows - start) }, (_, index) => [start + index]);
  }
  const path = join(folder, 'table.xlsx');
  await writeTable(path, 'xlsx', { title: 'x', headings: ['number'], portions: portions(), signal: new AbortController().signal });
  const file = await readFile(path);
  const first: unknown[] = [];
  for await (const { values } of streamXlsxRows(file, { sheet: 0 })) first.push(values[0]);
  const second: unknown[] = [];
  for await (const { values } of streamXlsxRows(file, { sheet: 1 })) second.push(values[0]);
  expect(first.length).toBeLessThanOrEqual(rowsOfSheet);
  expect([first[0], second[0]]).toEqual(['number', 'number']);
  const found = [...first.slice(1), ...second.slice(1)];
  expect(found).toHaveLength(rows);
  expect(found.findIndex((value, index) => value !== index)).toBe(-1);
});
