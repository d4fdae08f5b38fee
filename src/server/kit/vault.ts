import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
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

export function createVault(masterKey: Buffer): Vault {
  const derive = (label: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `livecode ${label}`, 32));
  const sealing = derive('sealing');
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
  const vault = createVault(readMasterKey(dataDir, configured));
  const own = vault.derive('check');
  await db.execute(sql`INSERT INTO secret (key, value) VALUES (${checkKey}, ${own}) ON CONFLICT DO NOTHING`);
  const { rows } = await db.execute<{ value: Buffer }>(sql`SELECT value FROM secret WHERE key = ${checkKey}`);
  if (!rows[0]?.value.equals(own))
    throw new StartError(`The master key is not the one this database's secrets are encrypted with: ${wrongKey}`);
  return vault;
}
