import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Config } from '../config.ts';
import { isBucketAddress } from '../kit/bucket-address.ts';
import { StartError } from '../kit/start-error.ts';
import { masterKeyFile, nextKeyFile } from '../kit/vault.ts';
import { copyMark } from '../restored-copy/restored-copy.public.ts';
import { createEncrypter, type Encryption, encryptedEnding, encryptTarget } from './archive/encryption.ts';
import { manifestName } from './archive/format.ts';
import { type ArchiveTarget, openFileTarget, type Written } from './archive/target.ts';
import { type ArchiveWriter, createArchive } from './archive/writer.ts';
import { openBucket } from './bucket.ts';
import { clusterName } from './cluster.ts';
import { journalName, type PinnedJournals, pinJournals } from './journals.ts';
import { formatVersion, type Manifest } from './manifest.ts';
import { type DatabaseSource, openSource } from './source.ts';
import { addNewFiles, addPath } from './tree.ts';
import { quoted, secondsSince, sizeOf, stepLine } from './words.ts';

/** What was made. */
export type Made = Written & { path: string; name: string; encrypted: boolean; holds_key: boolean };

export interface BackupOptions {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'masterKey'>;
  /** Path of the file, or of a folder that it goes to; or a folder of a bucket. */
  target: string;
  signal: AbortSignal;
  /** Undefined, or without recipients and passphrase: the file is not encrypted, and the master key is left out of it. */
  encryption?: Encryption;
  /** It stays on the disk of the data folder, as a way back: it holds the master key though it is not encrypted. */
  isWayBack?: boolean;
  /** Whether the caller holds the data folder, so that nothing runs on it. */
  isHeld?: boolean;
  log: (line: string) => void;
}

/** Folders of files that rows name. */
const namedByRows = ['uploads', 'exports'];
const recordName = 'postgres.json';
const keyName = 'master.key';
const nextKeyName = 'master.key.new';

/** What a data folder holds beside what a backup does: locks, what belongs to processes, and what is made anew from the rest. */
const leftOut = /^(supervisor\.(lock(-\w+)?|json)|database\.id|compile-cache|picture-cache|visit-columns|redirect)$|\.new$|^\./;
const copied = [recordName, keyName, copyMark, clusterName, journalName, ...namedByRows];

/** Entries of a data folder of which nothing is known. */
export const unknownEntries = (names: readonly string[]): string[] => names.filter((name) => !copied.includes(name) && !leftOut.test(name));

const versionFile = new URL('../../../package.json', import.meta.url);

/**
 * Backs up a data folder and its database into one file, whether the product runs or not. The order makes it one state: files that rows
 * name before the database and, where they are new, after it; the journal last, because what the database had not loaded is in it.
 */
export async function backUp({
  config,
  target,
  signal,
  log,
  encryption = { recipients: [] },
  isWayBack = false,
  isHeld = false,
}: BackupOptions): Promise<Made> {
  const startedAt = performance.now();
  const encrypter = createEncrypter(encryption);
  const name = newName(encrypter !== undefined);
  const path = isBucketAddress(target) ? target : fileFor(target, config.dataDir, name);
  const key = keyPlace(config, encrypter !== undefined, isWayBack);
  const source = await openSource(config, log, signal, isHeld);
  let archive: ArchiveWriter | undefined;
  let journals: PinnedJournals | undefined;
  try {
    log(`Backing up ${config.dataDir} (${source.state}).`);
    const place = await openTarget(path, name);
    archive = createArchive(encrypter ? encryptTarget(place, encrypter) : place, signal);
    journals = await pinJournals(config.dataDir, source.client);
    await addAll(archive, journals, source, { config, key, signal, log });
    const { bytes, sha256 } = await archive.finish();
    log(`Written in ${secondsSince(startedAt)}: ${place.name}`);
    log(`  ${sizeOf(bytes)}, SHA-256 ${sha256}`);
    if (encrypter) log('  It is encrypted: keep what opens it in another place, without which nobody can read it.');
    else log(`  It holds the site's data${key === 'inside' ? ' and keys' : ''}: keep it as safe as the data folder.`);
    const opener = encryption.recipients.length > 0 ? ' --identity <file>' : '';
    log(`To restore it: npm run restore -- ${quoted(place.name + queryOf(path))} <new data folder>${opener}`);
    return { path: place.name, name: basename(place.name), bytes, sha256, encrypted: encrypter !== undefined, holds_key: key === 'inside' };
  } finally {
    await journals?.close();
    await source.close();
    await archive?.discard();
  }
}

/** Where who restores finds the master key. */
type KeyPlace = 'inside' | 'data folder' | 'environment';

function keyPlace({ dataDir, masterKey }: BackupOptions['config'], isEncrypted: boolean, isWayBack: boolean): KeyPlace {
  if (masterKey || !existsSync(masterKeyFile(dataDir))) return 'environment';
  return isEncrypted || isWayBack ? 'inside' : 'data folder';
}

type Contents = Pick<BackupOptions, 'config' | 'signal' | 'log'> & { key: KeyPlace };

async function addAll(
  archive: ArchiveWriter,
  journals: PinnedJournals,
  source: DatabaseSource,
  { config, key, signal, log }: Contents,
): Promise<void> {
  const { dataDir } = config;
  const known = new Set<string>();
  const addNamedByRows = async (when: string) => {
    for (const name of namedByRows) {
      const startedAt = performance.now();
      const tally = await addNewFiles(archive, name, join(dataDir, name), known);
      if (tally.files > 0 || !when) log(stepLine(`${name}${when}`, tally, startedAt));
    }
  };

  await archive.addBytes(manifestName, Buffer.from(`${JSON.stringify(manifestOf(source, key), null, 2)}\n`));
  await addKeys(archive, { config, key, log });
  // Of a copy that was never started.
  await addPath(archive, copyMark, join(dataDir, copyMark), { files: 0, bytes: 0 });
  await addNamedByRows('');
  const databaseAt = performance.now();
  log(stepLine('database', await source.addTo(archive, journals.look, signal), databaseAt));
  const journalAt = performance.now();
  log(stepLine('journal', await journals.addTo(archive), journalAt));
  await addNamedByRows(' meanwhile');
  const unknown = unknownEntries(await readdir(dataDir));
  if (unknown.length > 0) log(`  Left out, because Livecode does not know it: ${unknown.join(', ')}`);
}

function manifestOf(source: DatabaseSource, key: KeyPlace): Manifest {
  const { version }: { version: string } = JSON.parse(readFileSync(versionFile, 'utf8'));
  const created_at = new Date().toISOString();
  return { format: formatVersion, product: 'livecode', version, created_at, ...source.manifest, master_key: key === 'inside' };
}

async function addKeys(archive: ArchiveWriter, { config, key, log }: Omit<Contents, 'signal'>): Promise<void> {
  const tally = { files: 0, bytes: 0 };
  if (key === 'inside') {
    await addPath(archive, keyName, masterKeyFile(config.dataDir), tally);
    // A change of the key that was broken off has left the database under one of the two.
    if (existsSync(nextKeyFile(config.dataDir))) await addPath(archive, nextKeyName, nextKeyFile(config.dataDir), tally);
    log('  master key              in the file');
  } else if (key === 'data folder') {
    log(`  master key              not in the file, which is not encrypted: keep a copy of ${masterKeyFile(config.dataDir)} elsewhere,`);
    log('    without which stored secrets and wallets cannot be read, or set LIVECODE_BACKUP_RECIPIENTS');
  } else {
    log('  master key              not in the file: keep LIVECODE_MASTER_KEY, without which stored secrets cannot be read');
  }
  if (!config.databaseUrl) await addPath(archive, recordName, join(config.dataDir, recordName), tally);
}

const newName = (isEncrypted: boolean): string =>
  `livecode-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.tar.zst${isEncrypted ? encryptedEnding : ''}`;

const openTarget = async (path: string, name: string): Promise<ArchiveTarget> =>
  isBucketAddress(path) ? openBucket(path).openTarget(name) : openFileTarget(path);

/** A bucket is found again by what stands behind its folder. */
const queryOf = (path: string): string => (isBucketAddress(path) ? (URL.parse(path)?.search ?? '') : '');

/** @throws {StartError} where the file exists already, or would lie in the folder that is backed up */
function fileFor(target: string, dataDir: string, name: string): string {
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const path = resolve(isFolder ? join(target, name) : target);
  if (existsSync(path)) throw new StartError(`${path} exists already: give another name.`);
  if (!existsSync(dirname(path))) throw new StartError(`There is no folder ${dirname(path)}.`);
  const isInside = existsSync(dataDir) && `${realpathSync(dirname(path))}${sep}`.startsWith(`${realpathSync(dataDir)}${sep}`);
  if (isInside) throw new StartError(`${path} lies in the data folder that it is a backup of: give a place outside.`);
  return path;
}
