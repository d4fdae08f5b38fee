import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BackupOutcome, DrillNote } from '../../../contract/system/backup.ts';
import type { Config } from '../../config.ts';
import { isBucketAddress } from '../../kit/bucket-address.ts';
import { startPostgres } from '../../kit/postgres/postgres.ts';
import { clearPredecessor } from '../../kit/postgres/postgres-process.ts';
import { masterKeyFile, readMasterKey } from '../../kit/vault.ts';
import { type BackupKeys, checkSealed, encryptedEnding, openEncrypted, sealOf } from '../archive/encryption.ts';
import { checkArchive } from '../archive/format.ts';
import { removeLeftParts, withPartFolder } from '../archive/parts.ts';
import { readManifestText } from '../archive/reader.ts';
import { fetchInto } from '../fetched.ts';
import { type Manifest, parseManifest } from '../manifest.ts';
import { restore } from '../restore.ts';
import { refuseSmallDisk } from '../room.ts';
import { proveRestored } from './proofs.ts';
import { withScratchDatabase } from './scratch.ts';

export interface DrillOptions {
  /** The backup: a file, or one of a bucket. */
  address: string;
  keys: BackupKeys;
  /** Of the file, as it was noted when it was written. */
  sha256: string | undefined;
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'masterKey' | 'drillPlace'>;
  signal: AbortSignal;
}

export type DrillResult = {
  outcome: Exclude<BackupOutcome, 'failed'>;
  message: DrillNote | '';
  bytes: number;
  encrypted: boolean;
  /** Null where it was not opened. */
  holds_key: boolean | null;
};

const prefix = '.livecode-drill-';
/** The site works on, perhaps on the same disk. */
const spareShare = 0.05;
/** A server that nobody asks but us, and whose files are thrown away. */
const settings = {
  shared_buffers: '32MB',
  max_connections: '10',
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  logging_collector: 'off',
};

/**
 * Restores a backup in a place of its own, looks whether it is whole, and removes it; what a killed drill left goes first.
 * @throws {StartError} where the backup cannot be restored
 */
export async function drill(options: DrillOptions): Promise<DrillResult> {
  const parent = scratchPlace(options.config);
  await removeLeftParts(parent, prefix, (part) => stopServer(part));
  return withPartFolder(parent, prefix, async (folder) => {
    const { address, keys, signal } = options;
    const path = isBucketAddress(address) ? await fetchInto(address, folder, signal) : address;
    const seal = await sealOf(path);
    const found = { bytes: statSync(path).size, encrypted: seal !== undefined };
    if (seal && !(seal === 'passphrase' ? keys.passphrase : keys.identity)) {
      await checkSealed(path, options.sha256);
      return { ...found, outcome: 'checked', message: options.sha256 ? 'sealed' : 'sealed_unnoted', holds_key: null };
    }
    const { manifest, isOpened } = await restoreInto(folder, await openedIn(folder, path, options), options);
    const outcome = isOpened
      ? ({ outcome: 'good', message: '' } as const)
      : ({ outcome: 'checked', message: 'no_scratch_database' } as const);
    return { ...found, ...outcome, holds_key: manifest.master_key };
  });
}

/** Beside the data folder; inside, where only that may be written, as in a container or below systemd. No backup takes it along. */
function scratchPlace({ drillPlace, dataDir }: DrillOptions['config']): string {
  if (drillPlace) return drillPlace;
  const beside = dirname(dataDir);
  try {
    accessSync(beside, constants.W_OK);
    // Another disk than the data's may be a small one.
    return existsSync(dataDir) && statSync(beside).dev !== statSync(dataDir).dev ? dataDir : beside;
  } catch {
    return dataDir;
  }
}

/** A killed drill's database may still run. */
async function stopServer(part: string): Promise<void> {
  const cluster = join(part, 'data/postgres');
  if (existsSync(cluster)) await clearPredecessor(realpathSync(cluster), cluster, () => {});
}

/** Decrypted, where it is encrypted; what was fetched for it needs its room no more. */
async function openedIn(folder: string, path: string, { keys, signal }: DrillOptions): Promise<string> {
  const decryptTo = await openEncrypted(path, keys);
  if (!decryptTo) return path;
  refuseSmallDisk(folder, statSync(path).size, spareShare);
  const plain = join(folder, `opened-${basename(path, encryptedEnding)}`);
  await decryptTo(plain, signal);
  if (dirname(path) === folder) await rm(path);
  return plain;
}

async function restoreInto(folder: string, path: string, options: DrillOptions): Promise<{ manifest: Manifest; isOpened: boolean }> {
  const { config, signal } = options;
  const dataDir = join(folder, 'data');
  const restored = (databaseUrl: string | undefined) =>
    restore({ path, dataDir, config: { databaseUrl, masterKey: undefined }, scratch: { spareShare }, signal, log: () => {} });
  const prove = (url: string, manifest: Manifest) =>
    proveRestored(url, { manifest, key: keyOf(manifest, dataDir, config), dataDir, signal });

  if (!config.databaseUrl) {
    const manifest = await restored(undefined);
    const server = await startPostgres({ dataDir, settings });
    await prove(server.url, manifest).finally(() => server.stop());
    return { manifest, isOpened: true };
  }
  const manifest = await withScratchDatabase(config.databaseUrl, async (url) => {
    const own = await restored(url);
    await prove(url, own);
    return own;
  });
  if (manifest) return { manifest, isOpened: true };
  const { contentLength } = await checkArchive(path);
  return { manifest: parseManifest(path, await readManifestText(path, contentLength)), isOpened: false };
}

/** The master key that the backup's secrets should open with: its own, or that of the site. */
function keyOf({ master_key }: Manifest, restored: string, { masterKey, dataDir }: DrillOptions['config']): Buffer | undefined {
  if (master_key) return readMasterKey(restored);
  if (masterKey) return masterKey;
  return existsSync(masterKeyFile(dataDir)) ? readMasterKey(dataDir) : undefined;
}
