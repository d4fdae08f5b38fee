import { existsSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceFile } from '../kit/files.ts';
import { StartError } from '../kit/start-error.ts';
import { syncFolder } from '../kit/visits/journal/files.ts';

/** A folder in which releases lie beside each other, one of which runs. */
export interface Installation {
  /** Where operators type commands. */
  home: string;
  releases: string;
  /** The release that the commands lead to. */
  current: string;
}

/** The folder of the product that this file belongs to. */
export const ownFolder = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const linkName = 'program';
/** The commands of an installation, as each release wants them. */
export const commandsName = 'home.package.json';

/** The installation that a folder of the product belongs to; undefined for a checkout. */
export function installationOf(root: string): Installation | undefined {
  const releases = dirname(root);
  const home = dirname(releases);
  const link = join(home, linkName);
  if (!existsSync(join(root, 'release.json')) || basename(releases) !== 'releases' || !existsSync(link)) return undefined;
  return { home: realpathSync(home), releases: realpathSync(releases), current: basename(readlinkSync(link)) };
}

/** @throws {StartError} in a checkout */
export function findInstallation(): Installation {
  const installation = installationOf(ownFolder);
  if (installation) return installation;
  throw new StartError(
    'This is no unpacked release. A checkout is upgraded by its own tools (git pull, then npm start): back up first, with npm run backup.',
  );
}

export const folderOf = ({ releases }: Installation, version: string): string => join(releases, version);

/** Makes a release the one that runs, in one step: every start runs a whole one. */
export async function pointTo(installation: Installation, version: string): Promise<void> {
  const { home } = installation;
  const folder = folderOf(installation, version);
  const unfinished = join(home, `.${linkName}`);
  rmSync(unfinished, { force: true });
  symlinkSync(join('releases', version), unfinished);
  renameSync(unfinished, join(home, linkName));
  await syncFolder(home);
  // Commands lead through the link, so that those of either release work with either.
  replaceFile(join(home, 'package.json'), readFileSync(join(folder, commandsName), 'utf8'), 0o644);
  installation.current = version;
}

/** Takes the name away first: what is left of a removal that was killed is no release. */
export async function removeRelease(installation: Installation, version: string): Promise<void> {
  const path = folderOf(installation, version);
  if (!existsSync(path)) return;
  const unnamed = join(installation.releases, `.removed-${version}-${process.pid}`);
  renameSync(path, unnamed);
  await rm(unnamed, { recursive: true, force: true });
}
