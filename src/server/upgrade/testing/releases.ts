import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sourcesOf } from '../../../../scripts/release/contents.ts';
import { packRelease } from '../../../../scripts/release/pack.ts';
import { ownFolder } from '../installation.ts';

const parts = ['package.json', 'migrations', 'scripts/run.mjs', 'scripts/lib', 'simulators', 'src/contract', 'src/locales', 'src/server'];

/** What a site needs beside, and what only prepares a database does not. */
export const shown = ['src/qr', 'dist/web'];

interface ArchiveOptions {
  /** Migrations beside those of the sources, by name. */
  migrations?: Record<string, string>;
  further?: string[];
  /** Where the sources are: this state's, unless another one was taken out of the history. */
  from?: string;
}

/** Makes the archive of a release of the sources that are in a folder, with migrations of its own; packages are those of the checkout. */
export async function makeArchive(
  folder: string,
  version: string,
  { migrations = {}, further = [], from = ownFolder }: ArchiveOptions = {},
): Promise<string> {
  const root = join(folder, `sources-${version}`);
  const sources = sourcesOf(from, [...parts, ...further]);
  for (const { path } of sources) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    cpSync(join(from, path), join(root, path));
  }
  const added = Object.entries(migrations).map(([name, sql]) => {
    const path = `migrations/${name}.sql`;
    writeFileSync(join(root, path), sql);
    return { path };
  });
  const path = join(folder, `livecode-${version}.tar.gz`);
  const contents = [...sources, ...added, { path: 'node_modules', link: join(ownFolder, 'node_modules') }];
  await packRelease(root, contents, { version, platform: `${process.platform}-${process.arch}` }, path);
  return path;
}

/** Makes an archive that says of itself that it is for another kind of machine. */
export async function makeForeignArchive(folder: string): Promise<string> {
  const path = join(folder, 'livecode-foreign.tar.gz');
  await packRelease(ownFolder, [], { version: '9.0.0', platform: 'plan9-mips' }, path);
  return path;
}

export interface Run {
  code: number | null;
  said: string;
}

/**
 * Runs a program of an installation to its end.
 * @param killAt kills it, and all that it started, with what it then said last
 * @param further more of its environment, such as DATABASE_URL
 */
export async function run(
  home: string,
  args: string[],
  killAt?: RegExp,
  afterMilliseconds = 0,
  further: NodeJS.ProcessEnv = {},
): Promise<Run> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(join(home, 'program/node_modules/.bin/node'), args, {
    cwd: home,
    env: { PATH, NODE_COMPILE_CACHE, INIT_CWD: home, LIVECODE_TRON_PORT: '0', LIVECODE_ADMIN_PASSWORD: 'journey-password-1', ...further },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  let isDue = killAt !== undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
      if (!isDue || !killAt?.test(said)) return;
      isDue = false;
      setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), afterMilliseconds);
    });
  const [code] = await once(child, 'close');
  return { code, said };
}
