import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { StartError } from '../../kit/start-error.ts';
import type { ArchiveTarget } from './target.ts';

/** The format is age (age-encryption.org/v1): `age --decrypt` opens such a file, too. */
export const encryptedEnding = '.age';
const beginning = 'age-encryption.org/v1\n';
const headBytes = 65_536;
/** The version, for each key a stanza with its body in lines of 64 characters, and the code that seals them. */
const wholeHead =
  /^age-encryption\.org\/v1\n(?:-> [\x21-\x7e]+(?: [\x21-\x7e]+)*\n(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{0,63}\n)+--- [A-Za-z0-9+/]{43}\n/;
/** The nonce and the code of the last piece. */
const leastPayloadBytes = 32;

/** Who can read a backup: the holders of the keys that belong to these public ones, or whoever knows the passphrase. */
export type Encryption = { recipients: readonly string[]; passphrase?: string | undefined };
/** What opens one: a file of private keys, or the passphrase. */
export type BackupKeys = { identity?: string | undefined; passphrase?: string | undefined };

/** Undefined where neither is set: then a backup is not encrypted. */
export function createEncrypter({ recipients, passphrase }: Encryption): Encrypter | undefined {
  if (recipients.length === 0 && !passphrase) return undefined;
  if (recipients.length > 0 && passphrase)
    throw new StartError('Both LIVECODE_BACKUP_RECIPIENTS and LIVECODE_BACKUP_PASSPHRASE are set: a backup is encrypted for one of them.');
  const encrypter = new Encrypter();
  if (passphrase) encrypter.setPassphrase(passphrase);
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  return encrypter;
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new StartError(`LIVECODE_BACKUP_RECIPIENTS names ${recipient}, which is no public key of age: it may be mistyped.`);
  }
}

/** Encrypts what goes to a target. Nothing is held but the piece that is on its way. */
export function encryptTarget(target: ArchiveTarget, encrypter: Encrypter): ArchiveTarget {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const hash = createHash('sha256');
  let bytes = 0;
  const flow = (async () => {
    for await (const { buffer, byteOffset, byteLength } of await encrypter.encrypt(readable)) {
      const chunk = Buffer.from(buffer, byteOffset, byteLength);
      hash.update(chunk);
      bytes += byteLength;
      await target.write(chunk);
    }
  })();
  flow.catch(() => {});
  /** Where the target fails, the stream before it ends without a reason: that of the target is thrown. */
  const awaited = async (step: Promise<void>) => {
    try {
      await Promise.race([step, flow]);
    } catch (error) {
      await flow;
      throw error;
    }
  };
  return {
    name: target.name,
    write: (chunk) => awaited(writer.write(chunk)),
    async finish(signal) {
      await awaited(writer.close());
      await flow;
      await target.finish(signal);
    },
    async discard() {
      await writer.abort(new Error('The archive was given up.')).catch(() => {});
      await flow.catch(() => {});
      await target.discard();
    },
    written: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}

/**
 * Opens an encrypted backup: answers what writes it decrypted, or undefined for one that is not encrypted.
 * @throws {StartError} where the keys are missing or others; nothing was written then
 */
export async function openEncrypted(
  path: string,
  keys: BackupKeys,
): Promise<((to: string, signal: AbortSignal) => Promise<void>) | undefined> {
  const head = await readHead(path);
  if (!head.startsWith(beginning)) return undefined;
  const decrypter = await createDecrypter(path, keys, /^-> scrypt /m.test(head));
  const source = createReadStream(path);
  const plain = await decrypter.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>).catch((error: Error) => {
    source.destroy();
    if (!error.message.startsWith('no identity matched')) throw damaged(path);
    throw new StartError(
      keys.identity ? `${path} is not encrypted for a key of ${keys.identity}.` : `${path} is encrypted by another passphrase.`,
    );
  });
  return async (to, signal) => {
    const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.fromWeb(plain as NodeStream<Uint8Array>), target, { signal }).catch((error: Error) => {
      // Errors of the system say what they are; every other one is of the format, which checks each piece.
      throw signal.aborted || 'syscall' in error ? error : damaged(path);
    });
  };
}

const damaged = (path: string) => new StartError(`${path} is damaged: it cannot be decrypted whole.`);

/** What a backup is encrypted for; undefined where it is not. */
export async function sealOf(path: string): Promise<'passphrase' | 'recipients' | undefined> {
  const head = await readHead(path);
  if (!head.startsWith(beginning)) return undefined;
  return /^-> scrypt /m.test(head) ? 'passphrase' : 'recipients';
}

/**
 * What can be said of an encrypted backup without its key: that it begins as one does, and is what was written.
 * @param sha256 as it was noted when it was written
 * @throws {StartError} where it is not
 */
export async function checkSealed(path: string, sha256: string | undefined): Promise<void> {
  const head = wholeHead.exec(await readHead(path))?.[0];
  if (head === undefined || (await stat(path)).size < head.length + leastPayloadBytes)
    throw new StartError(`${path} is damaged: it does not begin as an encrypted file does, or was cut short.`);
  if (sha256 === undefined) return;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new StartError(`${path} is damaged: its checksum is not the one that was noted.`);
}

async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function createDecrypter(path: string, { identity, passphrase }: BackupKeys, isByPassphrase: boolean): Promise<Decrypter> {
  const decrypter = new Decrypter();
  if (isByPassphrase) {
    if (!passphrase) throw new StartError(`${path} is encrypted by a passphrase: set LIVECODE_BACKUP_PASSPHRASE to it.`);
    decrypter.addPassphrase(passphrase);
    return decrypter;
  }
  if (!identity)
    throw new StartError(`${path} is encrypted: name the file of its private key (npm run restore -- <file> --identity <file>).`);
  const lines = (await readFile(identity, 'utf8')).split('\n').map((line) => line.trim());
  const secrets = lines.filter((line) => line !== '' && !line.startsWith('#'));
  try {
    for (const secret of secrets) decrypter.addIdentity(secret);
  } catch {
    throw new StartError(`${identity} holds something else than private keys of age (AGE-SECRET-KEY-1…).`);
  }
  return decrypter;
}
