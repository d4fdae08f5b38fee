import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeOf } from './install.mjs';

/**
 * Compiles the supervisor's sources where no start did yet, in a process that ends: stripping their types takes 25 MB that a process never
 * gives back. `npm start` names the folder, too. Without it everything runs.
 */
export function ensureCompiled(root) {
  const cache = join(root, 'node_modules/.cache/start');
  if (existsSync(cache)) return;
  spawnSync(runtimeOf(root), ['src/server/main.ts', '--help'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
}
