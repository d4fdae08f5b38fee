import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the engine of ClickHouse beside the product's packages, where it is not there yet. Answers its folder. */
export function installClickhouse(root) {
  const folder = join(root, 'node_modules/.cache/clickhouse');
  const [from, done] = [join(root, 'scripts/clickhouse'), join(folder, 'installed')];
  const lock = readFileSync(join(from, 'package-lock.json'), 'utf8');
  if (existsSync(done) && readFileSync(done, 'utf8') === lock) return folder;
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(from, name), join(folder, name));
  console.log('Installing the engine of ClickHouse, about 550 MB');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('The engine of ClickHouse could not be installed.');
  writeFileSync(done, lock);
  return folder;
}
