import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTestFolder } from '../../src/server/kit/testing/folder.ts';
import { freePort } from '../../src/server/kit/testing/ports.ts';
import { startWithoutNetwork } from './first-start.ts';
import { makeRelease, productFolder } from './release.ts';

const maxUnpackedBytes = 250_000_000;

let folder: string;
let home: string;
let made: Awaited<ReturnType<typeof makeRelease>>;
beforeAll(async () => {
  folder = makeTestFolder();
  made = await makeRelease({ root: productFolder, folder, isTrial: true });
  execFileSync('tar', ['-xzf', made.path, '-C', folder]);
  home = join(folder, 'livecode');
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packagesIn = (path: string) => readdirSync(join(home, 'program/node_modules', path));

test('an archive is small, carries its checksum, and holds what runs: no tests, no tools', () => {
  expect(made.bytes).toBeLessThan(maxUnpackedBytes);
  const [sum] = readFileSync(`${made.path}.sha256`, 'utf8').split(' ');
  expect(sum).toBe(createHash('sha256').update(readFileSync(made.path)).digest('hex'));
  expect(packagesIn('.')).toEqual(expect.arrayContaining(['node', 'fastify', 'drizzle-orm']));
  expect(packagesIn('.').filter((name) => /^(vite|vitest|antd|react|typescript|playwright-core)$/.test(name))).toEqual([]);
  const names = readdirSync(join(home, 'program'), { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => !name.startsWith('node_modules') && /\.test\.|\/testing(\/|$)/.test(name))).toEqual([]);
  expect(names).toContain('dist/web/index.html');
});

test("it starts with the machine's own Node and without a network, and its data lies beside it", async () => {
  const [office, visits, network] = [await freePort(), await freePort(), await freePort()].map(String);
  const start = await startWithoutNetwork(home, { LIVECODE_PORT: office, LIVECODE_VISIT_PORT: visits, LIVECODE_TRON_PORT: network });
  expect(start, start.said).toMatchObject({
    pages: { office: 200, visit: 404 },
    visitMilliseconds: expect.any(Number),
    officeMilliseconds: expect.any(Number),
  });
  expect(start.said).toContain('Livecode is running');
  expect(start.said).not.toContain('Installing packages');
  expect(start.said).not.toContain('Building the web app');
  expect(existsSync(join(home, 'data/supervisor.json'))).toBe(true);
}, 240_000);

test('what takes a checkout is refused in words', () => {
  expect(() => execFileSync('node', ['program/scripts/run.mjs', 'test'], { cwd: home, stdio: 'pipe' })).toThrow(
    'A release cannot do "test": that takes a checkout of the sources.',
  );
});
