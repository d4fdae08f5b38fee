import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runtimeOf } from './install.mjs';

/** Everything that the built web app depends on. */
const sources = ['src/web', 'src/qr', 'scripts/vite', 'src/contract', 'src/locales', 'vite.config.ts', 'package-lock.json'];

/** Builds the web app into dist/web, unless it was built from exactly these sources. */
export function ensureWebApp(root) {
  const record = join(root, 'dist', 'web.sources');
  const wanted = fingerprint(root);
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted && existsSync(join(root, 'dist/web/index.html'))) return;
  console.log('Building the web app.');
  // Without its record an interrupted build is repeated.
  rmSync(record, { force: true });
  buildWebApp(root);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(record, wanted);
}

function buildWebApp(root) {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr } = spawnSync(runtimeOf(root), [vite, 'build', '--logLevel', 'warn'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The web app could not be built:\n${stdout}${stderr}`);
}

function fingerprint(root) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesBelow(join(root, source)))) {
    if (/\.test\.tsx?$/.test(path)) continue;
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
