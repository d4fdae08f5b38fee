import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = new URL('../docs/faults.md', import.meta.url);
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| fault |') && !line.startsWith('| ---'));
const linksOf = (text: string): string[] => [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);

test.each(rows)('a promise is shown by a test or a bench that exists: %s', (row) => {
  const [, promise, shown = ''] = row.slice(2, -2).split(' | ');
  expect(promise).toBeTruthy();
  const files = linksOf(shown);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => !existsSync(new URL(path, page)) || !/\.test\.ts$|^\.\.\/bench\//.test(path))).toEqual([]);
});
