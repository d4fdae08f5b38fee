import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { tryLock, writeState } from '../kit/data-folder-lock.ts';
import { makeDataFolder } from '../kit/folders.ts';
import { openDatabase, openPool } from '../kit/postgres/database.ts';
import { readMigrations } from '../kit/postgres/migrate.ts';
import { postgresAccount } from '../kit/postgres/postgres-account.ts';
import { postgresBinaries } from '../kit/postgres/postgres-binaries.ts';
import { StartError } from '../kit/start-error.ts';
import { syncFolder } from '../kit/visits/journal/files.ts';
import { leaveCopyMark, noteCopy, type RestoredCopy } from '../restored-copy/restored-copy.public.ts';
import { type BackupKeys, encryptedEnding, openEncrypted } from './archive/encryption.ts';
import { checkArchive, manifestName } from './archive/format.ts';
import { removeLeftParts, withPartFolder } from './archive/parts.ts';
import { extractArchive, readManifestText } from './archive/reader.ts';
import { checkEmptyDatabase, dumpName, restoreDump } from './dump.ts';
import { type Manifest, machine, parseManifest } from './manifest.ts';
import { refuseSmallDisk } from './room.ts';
import { quoted, secondsSince, sizeOf } from './words.ts';

export interface RestoreOptions {
  /** The backup. */
  path: string;
  /** What opens it where it is encrypted. */
  keys?: BackupKeys;
  /** The folder to make; it may exist when it is empty. */
  dataDir: string;
  config: Pick<Config, 'databaseUrl' | 'masterKey'>;
  /** It goes back to where it came from: nothing else is the site, and nobody is asked whether this is. */
  isSite?: boolean;
  /** It is looked at and thrown away: the disk need not hold it through a power cut, and keeps this share free. */
  scratch?: { spareShare: number };
  signal: AbortSignal;
  log: (line: string) => void;
}

const syncsAtOnce = 16;
const recordName = 'postgres.json';
const innerPrefix = '.restoring-';

/**
 * Makes a data folder of a backup. Everything is compared with its checksums and on the disk before the folder gets its name.
 * @throws {StartError} where the backup or the folder is not fit for it; then nothing was changed
 */
export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { path, dataDir, keys = {}, signal, log } = options;
  if (existsSync(dataDir)) await removeLeftParts(dataDir, innerPrefix);
  refuseUsedFolder(dataDir);
  refuseUnreadable(path);
  const decryptTo = await openEncrypted(path, keys);
  if (!decryptTo) return restorePlain(options);
  const startedAt = performance.now();
  const place = makePlace(dataDir);
  refuseSmallDisk(place.parent, statSync(path).size);
  // Beside what it becomes, which is not encrypted either.
  return withPartFolder(place.parent, place.prefix, async (folder) => {
    const plain = join(folder, basename(path, encryptedEnding));
    await decryptTo(plain, signal);
    log(`${path}: decrypted (${secondsSince(startedAt)}).`);
    return restorePlain({ ...options, path: plain });
  });
}

async function restorePlain({ path, dataDir, config, isSite = false, scratch, signal, log }: RestoreOptions): Promise<Manifest> {
  const startedAt = performance.now();
  const { bytes, contentLength, unpackedBytes } = await checkArchive(path);
  log(`${path}: ${sizeOf(bytes)}, checksum compared (${secondsSince(startedAt)}).`);
  const manifest = parseManifest(path, await readManifestText(path, contentLength));
  await refuseUnfit(manifest, config);

  const place = makePlace(dataDir);
  refuseSmallDisk(place.parent, unpackedBytes, scratch?.spareShare);
  await withPartFolder(place.parent, place.prefix, async (unfinished) => {
    const names = await extractArchive(path, contentLength, unfinished, signal);
    log(`  ${names.length} files, ${sizeOf(unpackedBytes)} (${secondsSince(startedAt)})`);
    const copy = isSite ? undefined : { backed_up_at: manifest.created_at, restored_at: new Date().toISOString() };
    if (copy) leaveCopyMark(unfinished, copy);
    await prepare(unfinished, manifest, copy, { config, signal, log });
    if (!scratch) await syncAll(unfinished);
    signal.throwIfAborted();
    await place.settle(unfinished);
  });
  // The site is not new: nobody is asked for demo data, and a database that is away is waited for.
  writeState(dataDir, { pid: process.pid, completed: true, stopping: false, children: [] });
  log(`Restored ${manifest.created_at} in ${secondsSince(startedAt)}: ${dataDir}`);
  for (const line of nextSteps(manifest, dataDir, config)) log(line);
  return manifest;
}

function refuseUnreadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read by this user (${code}).`);
  }
}

function refuseUsedFolder(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const names = readdirSync(dataDir);
  if (names.length === 0) return;
  const release = names.includes('supervisor.lock') ? tryLock(dataDir) : () => {};
  release?.();
  throw new StartError(
    release
      ? `${dataDir} is not empty: give another folder (npm run restore -- <file> <folder>), or move it away.`
      : `${dataDir} is in use by a Livecode that runs: stop it, or give another folder (npm run restore -- <file> <folder>).`,
  );
}

/** What can be known before anything is written. */
async function refuseUnfit({ database, migrations, version, master_key }: Manifest, config: RestoreOptions['config']): Promise<void> {
  const known = new Set(readMigrations().map(({ name }) => name));
  const unknown = migrations?.find((name) => !known.has(name));
  if (unknown)
    throw new StartError(
      `The backup is of a newer version, or of an unreleased state (${version}, migration ${unknown}): restore it with that version.`,
    );
  if (database.kind === 'dump') {
    if (!config.databaseUrl) throw new StartError('The backup is of a database outside: set DATABASE_URL to a new and empty one.');
    return checkEmptyDatabase(config.databaseUrl, database.major);
  }
  if (config.databaseUrl)
    throw new StartError('The backup holds an embedded database, which goes into the data folder: unset DATABASE_URL.');
  if (database.machine !== machine)
    throw new StartError(`The backup is of a machine of another kind (${database.machine}), whose database ${machine} cannot read.`);
  const { major } = postgresBinaries(postgresAccount(), '/var/lib/livecode', () => {});
  if (database.major !== major)
    throw new StartError(
      `The backup is of PostgreSQL ${database.major}, and this is PostgreSQL ${major}: restore it with version ${version}.`,
    );
  if (master_key && config.masterKey)
    throw new StartError('The backup holds its own master key: unset LIVECODE_MASTER_KEY, which is another place for it.');
}

/** Where the folder is made: beside its name where it is new; inside where it exists, because it may be a mount, or all that we may write. */
function makePlace(dataDir: string) {
  if (existsSync(dataDir)) {
    const real = realpathSync(dataDir);
    const settle = async (unfinished: string) => {
      // The record last: without it nothing starts on a half that a power cut left.
      const names = readdirSync(unfinished).sort((a, b) => Number(a === recordName) - Number(b === recordName));
      for (const name of names) await rename(join(unfinished, name), join(real, name));
      await syncFolder(real);
    };
    return { parent: real, prefix: innerPrefix, settle };
  }
  const parent = dirname(dataDir);
  makeDataFolder(parent);
  const settle = async (unfinished: string) => {
    await rename(unfinished, dataDir);
    await syncFolder(parent);
  };
  return { parent, prefix: `${basename(dataDir)}.restoring-`, settle };
}

/** Files and folders, several at a time: each waits for the disk. */
export async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  const paths = [folder, ...entries.map((name) => join(folder, name))];
  const lane = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const file = await open(path, 'r');
      await file.sync().finally(() => file.close());
    }
  };
  await Promise.all(Array.from({ length: syncsAtOnce }, lane));
}

/** What a data folder does not hold goes, and what it needs to start comes. */
async function prepare(
  folder: string,
  { database }: Manifest,
  copy: RestoredCopy | undefined,
  { config: { databaseUrl }, signal, log }: Pick<RestoreOptions, 'config' | 'signal' | 'log'>,
): Promise<void> {
  await rm(join(folder, manifestName));
  if (database.kind === 'dump' && databaseUrl) {
    const startedAt = performance.now();
    await restoreDump(join(folder, dumpName), databaseUrl, signal);
    await rm(join(folder, dumpName), { recursive: true });
    if (copy) await noteAtOnce(databaseUrl, copy);
    log(`  database of DATABASE_URL filled (${secondsSince(startedAt)})`);
  }
}

/** Hosts that have not this folder find it in the database. Of an earlier release it has no place for it until the first start. */
async function noteAtOnce(databaseUrl: string, copy: RestoredCopy): Promise<void> {
  const pool = openPool(databaseUrl, { warn: () => {} }, 1);
  try {
    const { rows } = await pool.query(`SELECT to_regclass('public.restored_copy') IS NOT NULL AS known`);
    if (rows[0]?.known) await noteCopy(openDatabase(pool), copy);
  } finally {
    await pool.end();
  }
}

function nextSteps({ master_key, database }: Manifest, dataDir: string, { masterKey }: RestoreOptions['config']): string[] {
  const url = database.kind === 'dump' ? ' DATABASE_URL=…' : '';
  const needsKey = !master_key && !masterKey;
  return [
    `To start it: LIVECODE_DATA_DIR=${quoted(dataDir)}${url}${needsKey ? ' LIVECODE_MASTER_KEY=…' : ''} npm start`,
    ...(needsKey
      ? ['  Its master key is not in the backup: LIVECODE_MASTER_KEY must be the one of the original, what its file master.key holds.']
      : []),
    '  It sends nothing to the outside until an administrator says on its start page that it is the site. Beside an original that runs, give it other ports.',
  ];
}
