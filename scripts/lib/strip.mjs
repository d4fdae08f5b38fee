import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimeOf } from './install.mjs';
import { strippedFolder, strippedName } from './stripped.mjs';

/** What runs in production. */
const folders = ['src/contract', 'src/locales', 'src/qr', 'src/server', 'simulators'];

/**
 * Strips the sources that were not yet, in a process that ends: the stripper takes 12 MB of memory and more, which a process never gives
 * back. Without it everything runs.
 */
export function ensureStripped(root) {
  const folder = strippedFolder(root);
  if ([...sourcesOf(root)].every((source) => existsSync(join(folder, strippedName(source))))) return;
  const program = fileURLToPath(new URL('./strip.main.mjs', import.meta.url));
  spawnSync(runtimeOf(root), [program, root], { stdio: 'ignore' });
}

/** @param strip what takes the types out of a source */
export function writeStripped(root, strip) {
  const folder = strippedFolder(root);
  mkdirSync(folder, { recursive: true });
  // What another start is just writing begins with a dot, and is its own.
  const stale = new Set(readdirSync(folder).filter((name) => !name.startsWith('.')));
  for (const source of sourcesOf(root)) {
    const name = strippedName(source);
    if (stale.delete(name) || existsSync(join(folder, name))) continue;
    // Another start may read it meanwhile.
    const unfinished = join(folder, `.${process.pid}.new`);
    writeFileSync(unfinished, strip(source));
    renameSync(unfinished, join(folder, name));
  }
  for (const name of stale) rmSync(join(folder, name), { force: true });
}

function* sourcesOf(root) {
  for (const folder of folders.filter((one) => existsSync(join(root, one)))) {
    for (const path of readdirSync(join(root, folder), { recursive: true })) {
      if (!path.endsWith('.ts') || path.endsWith('.test.ts') || path.split(sep).includes('testing')) continue;
      yield readFileSync(join(root, folder, path), 'utf8');
    }
  }
}
