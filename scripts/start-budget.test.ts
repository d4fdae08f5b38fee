import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { screens } from '../src/contract/permissions.ts';
import type { Parts } from './vite/start-page.ts';

// The commands that run tests build the web app before: what is held here is what a browser would load.
const folder = fileURLToPath(new URL('../dist/web/', import.meta.url));
const html = readFileSync(`${folder}index.html`, 'utf8');
const table = JSON.parse(/const table = (\{.*?\});\n/s.exec(html)?.[1] ?? '{}') as Parts;

type Budget = { kilobytes: number; files: number };
type Budgets = { login: Budget; screens: Record<string, Budget> };
const budgets: Budgets = JSON.parse(readFileSync(new URL('./vite/budget.json', import.meta.url), 'utf8'));

const linked = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
const named = (parts: readonly number[] = []) => parts.map((part) => (table.files[part] ?? '').slice(1));
/** As gzip leaves it, whatever the browser takes: small files stay as they are. */
const sizeOf = (file: string) => statSync(`${folder}${file}${existsSync(`${folder}${file}.gz`) ? '.gz' : ''}`).size;

function costOf(files: readonly string[]): Budget {
  const all = [...new Set(['index.html', ...linked, ...files])];
  return { kilobytes: Math.round(all.reduce((sum, file) => sum + sizeOf(file), 0) / 1000), files: all.length };
}

describe.each(Object.keys(table.languages))('in %s, what is loaded before anything can be seen stays small:', (language) => {
  const words = table.languages[language];
  const office = [...named(table.office), ...named(words?.start), ...named(words?.office)];
  const screen = (path: string) => [...named(table.screens[path]), ...(table.alone.includes(path) ? [] : named(words?.screens))];
  const starts = [
    ['the login', [...named(table.login), ...named(words?.start)], budgets.login] as const,
    ...Object.entries(budgets.screens).map(([path, budget]) => [path, [...office, ...screen(path)], budget] as const),
  ];
  test.each(starts)('%s', (_name, files, budget) => {
    const cost = costOf(files);
    expect(cost.kilobytes).toBeLessThanOrEqual(budget.kilobytes);
    expect(cost.files).toBeLessThanOrEqual(budget.files);
  });
});

test('the table names the parts of every screen', () => {
  expect(Object.keys(table.screens).sort()).toEqual([...screens.map(({ path }) => path), 'qr_code', 'order_payment'].sort());
  expect(Object.values(table.screens).every((parts) => parts.length > 0)).toBe(true);
});

test('what draws charts is a file of its own, which comes with the first chart', () => {
  const charts = readdirSync(`${folder}assets`).filter((file) => /^echarts-.*\.js$/.test(file));
  expect(charts.some((file) => statSync(`${folder}assets/${file}`).size > 100_000)).toBe(true);
  const before = [...linked, ...table.files].map((file) => file.split('/').at(-1) ?? '');
  expect(charts.filter((file) => before.includes(file))).toEqual([]);
});

test('every file of the build but the smallest lies there compressed', () => {
  for (const file of [...linked, ...table.files.map((name) => name.slice(1))]) {
    if (statSync(`${folder}${file}`).size < 1024) continue;
    expect([file, existsSync(`${folder}${file}.br`), existsSync(`${folder}${file}.gz`)]).toEqual([file, true, true]);
  }
});
