import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Entry {
  version: string;
  optionalDependencies?: Record<string, string>;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packages }: { packages: Record<string, Entry> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Where Node would find the package for one that lies at `path`: beside it, or ever further up. */
function findsFrom(path: string, name: string): Entry | undefined {
  const parts = path.split('/node_modules/');
  const places = parts.map((_, index) => [...parts.slice(0, parts.length - index), name].join('/node_modules/'));
  return [...places, `node_modules/${name}`].map((place) => packages[place]).find((entry) => entry !== undefined);
}

describe('package-lock.json', () => {
  // npm refuses to install from a lock file that leaves out what other platforms need, as it does when its registry lacks them.
  test('names the optional packages of every platform', () => {
    const missing = Object.entries(packages)
      .filter(([path]) => path !== '')
      .flatMap(([path, entry]) => Object.keys(entry.optionalDependencies ?? {}).filter((name) => !findsFrom(path, name)));
    expect(missing).toEqual([]);
  });

  test('is the one that package.json asks for', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(packages['']).toMatchObject({ dependencies, devDependencies });
  });

  test('every install script of an installed package is approved or refused, as newer npm demands', () => {
    const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const wantScripts = Object.entries<Entry & { hasInstallScript?: boolean }>(packages)
      .filter(([path, { hasInstallScript }]) => hasInstallScript && existsSync(join(root, path)))
      .map(([path]) => path.slice('node_modules/'.length));
    expect(Object.keys(allowScripts)).toEqual(expect.arrayContaining(wantScripts));
  });
});
