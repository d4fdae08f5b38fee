import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a release can do beside `npm start`: the rest needs tools that it does not hold. */
const commands = ['ready', 'program'];

/**
 * What an unpacked release says of itself; undefined in a checkout. A release holds everything that it runs on: nothing is installed or built.
 * @throws where it is of another kind of machine
 */
export function readRelease(root) {
  const file = join(root, 'release.json');
  if (!existsSync(file)) return undefined;
  const release = JSON.parse(readFileSync(file, 'utf8'));
  const machine = `${process.platform}-${process.arch}`;
  if (release.platform !== machine) throw new Error(`This release is for ${release.platform}, and this machine is ${machine}.`);
  return release;
}

/** The folder that stays while releases change: `releases/<version>` lies in it, and what operators type is meant from there. */
export const homeOf = (root) => dirname(dirname(root));

export function refuseForRelease(name) {
  if (!commands.includes(name)) throw new Error(`A release cannot do "${name}": that takes a checkout of the sources.`);
}
