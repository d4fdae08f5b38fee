import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Database } from './postgres/database.ts';
import { StartError } from './start-error.ts';

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * What the master key protects. Every use has its own key, derived from the master key by HKDF-SHA256 with the use's label, so that
 * neither use can be turned against the other.
 */
export type Vault = {
  /** AES-256-GCM: version (1 byte), nonce (12), ciphertext, tag (16). It opens only under the label it was sealed for, such as `totp:7`. */
  seal: (plain: Uint8Array, label: string) => Buffer;
  /** Throws where key, label or bytes differ from those that were sealed. */
  open: (sealed: Uint8Array, label: string) => Buffer;
  /** HMAC-SHA256, for what has to be recognised but never read again. */
  mac: (text: string, label: string) => Buffer;
  /** 32 bytes that only this installation knows, always the same for a label. */
  derive: (label: string) => Buffer;
};

const deriveFrom = (key: Buffer, label: string): Buffer => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `livecode ${label}`, 32));

/**
 * @param identity what `mac` and `derive` come from: the first master key, also after the master key was changed, because what they made
 * cannot be made again (the chain of the log, recovery codes)
 */
export function createVault(masterKey: Buffer, identity: Buffer = masterKey): Vault {
  const derive = (label: string): Buffer => deriveFrom(identity, label);
  const sealing = deriveFrom(masterKey, 'sealing');
  return {
    derive,
    mac: (text, label) => createHmac('sha256', derive(label)).update(text).digest(),
    seal(plain, label) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(label));
      const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, ciphertext, cipher.getAuthTag()]);
    },
    open(sealed, label) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes)
        throw new Error(`what is kept as ${label} was not sealed by us`);
      const nonce = bytes.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', sealing, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(label))
        .setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes)), decipher.final()]);
    },
  };
}

export const masterKeyFile = (dataDir: string): string => join(dataDir, 'master.key');

/**
 * The 32 bytes that encrypt stored secrets: the configured ones, else those of `master.key` in the data folder, which the first start
 * makes with mode 0600.
 */
export function readMasterKey(dataDir: string, configured?: Buffer): Buffer {
  if (configured) return configured;
  const path = masterKeyFile(dataDir);
  const text = readKeyFile(path) ?? makeKeyFile(dataDir, path);
  if (!/^[0-9a-f]{64}\s*$/.test(text)) throw new StartError(`${path} does not hold 64 hexadecimal digits; restore it from your backup.`);
  return Buffer.from(text.trim(), 'hex');
}

/** The next master key, until everything is sealed with it. */
export const nextKeyFile = (dataDir: string): string => join(dataDir, 'master.key.new');

/** The next master key, made where there is none yet. */
export function readNextKey(dataDir: string): Buffer {
  const path = nextKeyFile(dataDir);
  const text = readKeyFile(path) ?? makeKeyFile(dataDir, path);
  return Buffer.from(text.trim(), 'hex');
}

/** From now on the next master key is the one. */
export function adoptNextKey(dataDir: string): void {
  renameSync(nextKeyFile(dataDir), masterKeyFile(dataDir));
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written whole before it gets its name, and the first one wins: processes that start together must not have two keys. */
function makeKeyFile(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, `${randomBytes(32).toString('hex')}\n`);
    fsyncSync(file);
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    rmSync(temporary);
  }
  return readFileSync(path, 'utf8');
}

const checkKey = 'master_key_check';
const identityKey = 'master_key_identity';
/** What tells in the database which master key its secrets are sealed with. */
const checkOf = (masterKey: Buffer): Buffer => deriveFrom(masterKey, 'check');

async function readRow(db: Database, key: string): Promise<Buffer | undefined> {
  const { rows } = await db.execute<{ value: Buffer }>(sql`SELECT value FROM secret WHERE key = ${key}`);
  return rows[0]?.value;
}

/** Whether the database's secrets are sealed with this master key; undefined where it has none yet. */
export async function isMasterKey(db: Database, masterKey: Buffer): Promise<boolean | undefined> {
  return (await readRow(db, checkKey))?.equals(checkOf(masterKey));
}

/** The key that `mac` and `derive` come from, as it is kept since the master key was first changed. */
async function readIdentity(db: Database, masterKey: Buffer): Promise<Buffer> {
  const sealed = await readRow(db, identityKey);
  return sealed ? createVault(masterKey).open(sealed, identityKey) : masterKey;
}

/** Puts another master key in the place of one, in the transaction that seals everything anew. */
export async function replaceMasterKey(tx: Database, from: Buffer, to: Buffer): Promise<void> {
  const identity = createVault(to).seal(await readIdentity(tx, from), identityKey);
  await tx.execute(
    sql`INSERT INTO secret (key, value) VALUES (${identityKey}, ${identity}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  await tx.execute(sql`UPDATE secret SET value = ${checkOf(to)} WHERE key = ${checkKey}`);
}
const wrongKey = 'set LIVECODE_MASTER_KEY, or restore master.key in the data folder.';

/**
 * The vault of this installation. A key is made for a new database only: beside one with secrets a new key could read none of them.
 * @throws {StartError} when the key is missing, or is not the one that this database's secrets were sealed with
 */
export async function openVault(db: Database, dataDir: string, configured: Buffer | undefined): Promise<Vault> {
  if (!configured && !existsSync(masterKeyFile(dataDir))) {
    const { rowCount } = await db.execute(sql`SELECT FROM secret WHERE key = ${checkKey}`);
    if (rowCount) throw new StartError(`The master key of this database's secrets is missing: ${wrongKey}`);
  }
  const masterKey = readMasterKey(dataDir, configured);
  await db.execute(sql`INSERT INTO secret (key, value) VALUES (${checkKey}, ${checkOf(masterKey)}) ON CONFLICT DO NOTHING`);
  if (!(await isMasterKey(db, masterKey))) {
    const isHalfChanged = !configured && existsSync(nextKeyFile(dataDir));
    const hint = isHalfChanged ? 'its change was broken off: run npm run master-key:change again.' : wrongKey;
    throw new StartError(`The master key is not the one this database's secrets are encrypted with: ${hint}`);
  }
  return createVault(masterKey, await readIdentity(db, masterKey));
}
