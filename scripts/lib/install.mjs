import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The runtime that every part of the product runs on, whatever Node started us. */
export const runtimeOf = (root) => join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/**
 * Installs the packages of the lock file, unless exactly these are installed already.
 * @param {string} root folder of package.json
 */
export async function ensureInstalled(root) {
  const record = join(root, 'node_modules', '.livecode-installed');
  const wanted = `${fingerprint(root)} ${process.platform}-${process.arch}`;
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted && hasRuntime(root)) return;

  // A developer of the product may have installed the same by hand: that is not thrown away.
  if (!hasPackagesOfLock(root)) {
    await runNpm(root, ['ci', '--include=dev', '--include=optional', '--no-fund', '--no-audit', '--loglevel=error']);
  }
  if (!hasRuntime(root)) installRuntime(root);
  writeFileSync(record, wanted);
}

/** npm notes what it installed in a lock file of its own, which lacks what other platforms need. */
function hasPackagesOfLock(root) {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const there = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages).filter(([path]) => path !== '');
  return wanted.every(([path, { version, integrity, optional }]) => {
    const found = there[path];
    return found ? found.version === version && found.integrity === integrity : optional === true;
  });
}

const fingerprint = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

function hasRuntime(root) {
  const { status, stdout } = spawnSync(runtimeOf(root), ['--version'], { encoding: 'utf8' });
  return status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) >= 24;
}

/** Where install scripts are switched off, the package of the runtime could not fetch its binary: we let it. */
function installRuntime(root) {
  const folder = join(root, 'node_modules', 'node');
  spawnSync(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (!hasRuntime(root)) throw new Error('The Node runtime could not be installed. Is the npm registry reachable?');
}

function runNpm(root, args) {
  // Run by npm we use the same npm; its scripts put it in the environment.
  const { npm_execpath: current = '' } = process.env;
  const [command, first] = /npm-cli\.js$/.test(current) ? [process.execPath, [current]] : ['npm', []];
  console.log('Installing packages; this happens once and takes about a minute.');

  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-20_000);
      });
    }
    const started = Date.now();
    const progress = setInterval(() => {
      console.log(`  ${Math.round((Date.now() - started) / 1000)} s, ${countInstalled(root)} folders are there`);
    }, 10_000);
    const end = (error) => {
      clearInterval(progress);
      if (error) reject(error);
      else resolve(undefined);
    };
    child.once('error', (error) => end(new Error(`npm could not be started: ${error.message}`)));
    child.once('exit', (code) => end(code === 0 ? undefined : new Error(`npm ${args[0]} failed:\n${output.trim()}`)));
  });
}

function countInstalled(root) {
  const folder = join(root, 'node_modules');
  return existsSync(folder) ? readdirSync(folder).length : 0;
}
