import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrations } from '../../src/server/kit/postgres/migrate.ts';
import { brokenUpgrade, readReleased } from '../release-migrations.ts';
import { contentsOf } from './contents.ts';
import { packRelease, type Release } from './pack.ts';

export const productFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

interface Options {
  root: string;
  /** Where the archive goes. */
  folder: string;
  /** A trial holds migrations that may still change: what ran on one may not be upgraded. */
  isTrial: boolean;
}

/** Makes the archive of this state. The web app is built already. @throws where a release would lack what upgrades rely on */
export async function makeRelease({ root, folder, isTrial }: Options) {
  const broken = brokenUpgrade(readReleased(), readMigrations()) ?? unreleasedMigration();
  if (broken && !isTrial) throw new Error(`${broken}\nTo try an archive before that: npm run release -- --trial`);
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commit = commitOf(root);
  const platform = `${process.platform}-${process.arch}`;
  const release: Release = { version: isTrial ? `${version}-trial` : version, platform, ...(commit && { commit }) };
  mkdirSync(folder, { recursive: true });
  const path = resolve(folder, `livecode-${release.version}-${platform}.tar.gz`);
  const packed = await packRelease(root, contentsOf(root), release, path);
  return { path, ...release, ...packed };
}

function unreleasedMigration(): string | undefined {
  const released = new Set(readReleased().map(({ name }) => name));
  const missing = readMigrations().find(({ name }) => !released.has(name));
  return missing && `Migration ${missing.name} is not in migrations/released.json: run "npm run release:migrations" and commit it first.`;
}

function commitOf(root: string): string | undefined {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', 'HEAD');
  if (status !== 0) return undefined;
  return git('status', '--porcelain').stdout === '' ? stdout.trim() : `${stdout.trim()} and changes`;
}
