/**
 * What a release weighs and how it starts: `npm run bench:release`. Makes the archive, unpacks it, starts it twice as an operator does and
 * without a network, and names what weighs most. Fails beyond the budgets.
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { startWithoutNetwork } from '../scripts/release/first-start.ts';
import { makeRelease, productFolder } from '../scripts/release/release.ts';
import { freePort } from '../src/server/kit/testing/ports.ts';

const maxUnpackedBytes = 250_000_000;
const maxFirstStartSeconds = 20;
const heaviest = 10;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? 'never' : `${(milliseconds / 1000).toFixed(1)} s`;

/** What packages and folders of an unpacked release weigh, programs as they are there, without their symbols. */
function weights(release: string): [string, number][] {
  const sums = new Map<string, number>();
  for (const file of readdirSync(release, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = relative(release, join(file.parentPath, file.name));
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split('/').slice(0, 2).join('/');
    sums.set(name, (sums.get(name) ?? 0) + lstatSync(join(release, path)).size);
  }
  return [...sums].sort(([, one], [, other]) => other - one);
}

const folder = mkdtempSync(join(tmpdir(), 'livecode-bench-release-'));
try {
  const { path, packedBytes, bytes, files } = await makeRelease({ root: productFolder, folder, isTrial: true });
  console.log(`Archive: ${megabytes(packedBytes)} packed, ${megabytes(bytes)} unpacked, ${files} files`);
  execFileSync('tar', ['-xzf', path, '-C', folder]);
  const release = realpathSync(join(folder, 'livecode/program'));
  for (const [name, size] of weights(release).slice(0, heaviest)) console.log(`  ${megabytes(size).padStart(9)}  ${name}`);
  const [office, visits, network] = [await freePort(), await freePort(), await freePort()].map(String);
  const env = { LIVECODE_PORT: office, LIVECODE_VISIT_PORT: visits, LIVECODE_TRON_PORT: network };
  let isMet = bytes < maxUnpackedBytes;
  for (const name of ['First start', 'Second start']) {
    const start = await startWithoutNetwork(join(folder, 'livecode'), env);
    const { visitMilliseconds, officeMilliseconds, isolation } = start;
    console.log(`${name}: visits after ${seconds(visitMilliseconds)}, back office after ${seconds(officeMilliseconds)} (${isolation})`);
    if (officeMilliseconds === undefined) console.log(start.said);
    isMet &&= (officeMilliseconds ?? Number.POSITIVE_INFINITY) <= maxFirstStartSeconds * 1000;
  }
  console.log(isMet ? 'Within the budgets.' : `Beyond the budgets: ${megabytes(maxUnpackedBytes)}, ${maxFirstStartSeconds} s.`);
  process.exitCode = isMet ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
