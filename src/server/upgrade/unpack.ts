import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as extractTar, type Header } from 'tar-stream';
import { isSafeName, syncAll } from '../backup/backup.public.ts';
import { StartError } from '../kit/start-error.ts';
import { syncFolder } from '../kit/visits/journal/files.ts';
import { folderOf, type Installation, removeRelease } from './installation.ts';

export interface Release {
  version: string;
  platform: string;
}

/** A stream of streamx, which is one of Node's in all but its type. */
type Entry = Readable & { header: Header };

const entryPattern = /^livecode\/releases\/([0-9A-Za-z][0-9A-Za-z.+-]*)\/(.+)$/;
/** An unpacked release, twice: it is copied nowhere else. */
const neededBytes = 300_000_000;

/** Which release an archive holds, told by its first entry. @throws {StartError} where it is none, or one for other machines */
export async function readRelease(archive: string): Promise<Release> {
  if (!existsSync(archive)) throw new StartError(`There is no file ${archive}.`);
  let release: Release | undefined;
  const stop = new AbortController();
  await eachEntry(archive, stop.signal, async (name, entry) => {
    const [, version = '', path] = entryPattern.exec(name) ?? [];
    if (path === 'release.json') release = { ...JSON.parse((await buffer(entry)).toString('utf8')), version };
    stop.abort();
  }).catch((error) => {
    if (!stop.signal.aborted) throw damaged(archive, error);
  });
  if (!release) throw new StartError(`${archive} is no release of Livecode.`);
  const machine = `${process.platform}-${process.arch}`;
  if (release.platform !== machine) throw new StartError(`${archive} is for ${release.platform}, and this machine is ${machine}.`);
  return release;
}

/**
 * Unpacks a release beside the one that runs. It gets its name when all of it is on the disk; what an earlier attempt left goes.
 * @throws {StartError}
 */
export async function unpack(archive: string, installation: Installation, version: string, signal: AbortSignal): Promise<void> {
  const { releases } = installation;
  await compareChecksum(archive);
  for (const name of readdirSync(releases)) if (name.startsWith('.')) await rm(join(releases, name), { recursive: true, force: true });
  const { bavail, bsize } = await statfs(releases);
  if (bavail * bsize < neededBytes) throw new StartError(`The disk of ${releases} needs ${neededBytes / 1e6} MB of room for a release.`);
  const unfinished = join(releases, `.unpacked-${randomBytes(4).toString('hex')}`);
  mkdirSync(unfinished, { mode: 0o755 });
  await eachEntry(archive, signal, async (name, entry) => {
    const [, , path] = entryPattern.exec(name) ?? [];
    if (path) await write(join(unfinished, path), entry);
  }).catch((error) => {
    signal.throwIfAborted();
    throw damaged(archive, error);
  });
  await syncAll(unfinished);
  await removeRelease(installation, version);
  renameSync(unfinished, folderOf(installation, version));
  await syncFolder(releases);
}

async function eachEntry(archive: string, signal: AbortSignal, take: (name: string, entry: Entry) => Promise<void>): Promise<void> {
  const extract = extractTar();
  const reading = async () => {
    for await (const entry of extract) {
      const { name, type } = entry.header;
      if ((type !== 'file' && type !== 'symlink') || !isSafeName(name))
        throw new StartError(`${archive} holds an entry that no release has: ${name}`);
      await take(name, entry as unknown as Entry);
      entry.resume();
    }
  };
  await Promise.all([pipeline(createReadStream(archive), createGunzip(), extract, { signal }), reading()]);
}

async function write(target: string, entry: Entry): Promise<void> {
  const { type, linkname, mode = 0 } = entry.header;
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
  if (type === 'symlink') symlinkSync(linkname ?? '', target);
  else await pipeline(entry, createWriteStream(target, { mode: mode & 0o100 ? 0o755 : 0o644, flags: 'wx' }));
}

/** Where the checksum lies beside the archive, as a release is published. */
async function compareChecksum(archive: string): Promise<void> {
  const file = `${archive}.sha256`;
  if (!existsSync(file)) return;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(archive)) hash.update(chunk);
  const [expected] = readFileSync(file, 'utf8').trim().split(/\s+/);
  if (hash.digest('hex') !== expected) throw new StartError(`${archive} is not what its checksum in ${file} was made of.`);
}

const damaged = (archive: string, error: unknown): Error =>
  error instanceof StartError || !isOfContent(error) ? (error as Error) : new StartError(`${archive} is damaged or cut short.`);
const isOfContent = (error: unknown): boolean =>
  error instanceof Error && (!('code' in error) || /^(Z_|ERR_STREAM_PREMATURE)/.test(String(error.code)));
