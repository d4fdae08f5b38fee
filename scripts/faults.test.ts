import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = new URL('../docs/faults.md', import.meta.url);
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| fault |') && !line.startsWith('| ---'));

/** The links of a row: a file, and what the name of a test in it says in it. */
const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s#]+)(?: "([^"]+)")?\)/g)].map(([, path = '', name]) => ({ path, name }));

/** The names of the tests of a file, as they are written there. */
const namesIn = (source: string) => [...source.matchAll(/\(\s*(['"`])((?:\\.|(?!\1).)*)\1,/g)].map(([, , name = '']) => name);

function isShown({ path, name }: ReturnType<typeof linksOf>[number]): boolean {
  const file = new URL(path, page);
  if (!existsSync(file)) return false;
  if (path.startsWith('../bench/')) return name === undefined;
  return path.endsWith('.test.ts') && name !== undefined && namesIn(readFileSync(file, 'utf8')).some((found) => found.includes(name));
}

test.each(rows)('a promise is shown by a named test or a bench that exists: %s', (row) => {
  const [, promise, shown = ''] = row.slice(2, -2).split(' | ');
  expect(promise).toBeTruthy();
  const links = linksOf(shown);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !isShown(link))).toEqual([]);
});
