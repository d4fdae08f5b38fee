import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { languages } from '../src/contract/enums.ts';
import { readCatalogues } from './check-messages.ts';
import { patternOf } from './messages/catalogues.ts';
import { readSource } from './messages/sources.ts';
import { pagesOf } from './vite/start-page.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const web = join(root, 'src/web');
const read = (path: string) => readFileSync(path, 'utf8');
const namesIn = (folder: string) =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
const laterFiles = namesIn('src/locales/zh-CN/screens');

/** What a start can show, dialogs that are opened later with it: all that the routes lead to, but for the screens with further words. */
function shownFirst(): string[] {
  const routes = join(web, 'routes.tsx');
  const later = new Set(pagesOf(read(routes)).flatMap(([, { file, isAlone }]) => (isAlone ? [] : [join(web, file)])));
  const found = new Set([join(web, 'main.tsx')]);
  // A set goes on with what is added while it is walked through.
  for (const path of found) {
    for (const { fileName } of ts.preProcessFile(read(path)).importedFiles) {
      const target = join(dirname(path), fileName);
      const isSource = fileName.startsWith('.') && /\.tsx?$/.test(target) && !relative(web, target).startsWith('..');
      if (isSource && existsSync(target) && !later.has(target)) found.add(target);
    }
  }
  return [...found];
}

test('what a start can show needs no words of later screens', () => {
  const keys = Object.keys(readCatalogues()['zh-CN'] ?? {}).filter((key) => laterFiles.includes(key.split('.', 1)[0] ?? ''));
  const shown = shownFirst();
  expect(shown).toEqual(expect.arrayContaining(['home/Needs.tsx', 'live-codes/list/LiveCodeDialogs.tsx'].map((path) => join(web, path))));
  const faults = shown.flatMap((path) => {
    const { mentions, templates } = readSource({ path, text: read(path) }, new Set(laterFiles));
    const patterns = templates.map(({ parts }) => patternOf(parts));
    const needed = keys.filter((key) => mentions.has(key) || patterns.some((pattern) => pattern.test(key)));
    return needed.map((key) => `${relative(root, path)} shows ${key}, which belongs beside index.ts`);
  });
  expect(faults).toEqual([]);
});

test.each(languages)('in %s, the parts of the words have the same files', (language) => {
  for (const part of ['', 'start', 'screens', 'server'])
    expect(namesIn(`src/locales/${language}/${part}`).sort()).toEqual(namesIn(`src/locales/zh-CN/${part}`).sort());
});
