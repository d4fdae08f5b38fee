import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { createEncrypter, type Encryption, encryptTarget, openEncrypted } from './encryption.ts';
import { checkArchive } from './format.ts';
import { extractArchive } from './reader.ts';
import { openFileTarget } from './target.ts';
import { createArchive } from './writer.ts';

const { signal } = new AbortController();
/** What must not be read: more than one piece of the format, and not to be compressed. */
const secret = randomBytes(200_000);
let folder: string;
let identity: string;
let recipient: string;

beforeAll(async () => {
  folder = makeTestFolder();
  const key = await generateIdentity();
  recipient = await identityToRecipient(key);
  identity = join(folder, 'identity.txt');
  writeFileSync(identity, `# created for a test\n# public key: ${recipient}\n${key}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function makeArchive(name: string, encryption: Encryption) {
  const path = join(folder, name);
  const encrypter = createEncrypter(encryption);
  if (!encrypter) throw new Error('nothing to encrypt for');
  const archive = createArchive(encryptTarget(await openFileTarget(path), encrypter), signal);
  await archive.addBytes('master.key', secret);
  return { path, ...(await archive.finish()) };
}

async function decrypted(path: string, keys: Parameters<typeof openEncrypted>[1]): Promise<string> {
  const to = `${path}.plain`;
  rmSync(to, { force: true });
  await (await openEncrypted(path, keys))?.(to, signal);
  return to;
}

test('an archive comes back by the private key of one of its recipients, and lies nowhere in the clear', async () => {
  const other = await identityToRecipient(await generateIdentity());
  const { path, bytes } = await makeArchive('sound.age', { recipients: [other, recipient] });
  const content = readFileSync(path);
  expect(content.length).toBe(bytes);
  for (let at = 0; at + 32 <= secret.length; at += 10_000) expect(content.includes(secret.subarray(at, at + 32))).toBe(false);
  for (const name of ['master.key', 'SHA256SUMS']) expect(content.includes(name)).toBe(false);
  const plain = await decrypted(path, { identity });
  const { contentLength } = await checkArchive(plain);
  await extractArchive(plain, contentLength, join(folder, 'out'), signal);
  expect(readFileSync(join(folder, 'out/master.key')).equals(secret)).toBe(true);
  expect(await openEncrypted(plain, {})).toBeUndefined();
});

test('what does not open it is told, with nothing written', async () => {
  const { path } = await makeArchive('other.age', { recipients: [recipient] });
  const wrong = join(folder, 'wrong.txt');
  writeFileSync(wrong, await generateIdentity());
  const none = join(folder, 'none.txt');
  writeFileSync(none, 'a passphrase?');
  const before = readdirSync(folder);
  await expect(decrypted(path, {})).rejects.toThrow('--identity');
  await expect(decrypted(path, { identity: wrong })).rejects.toThrow('is not encrypted for a key of');
  await expect(decrypted(path, { identity: none })).rejects.toThrow(/none.txt holds something else/);
  await expect(decrypted(path, { identity: join(folder, 'absent') })).rejects.toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual(before);
});

test('a changed byte and a cut are found', async () => {
  const { path, bytes } = await makeArchive('damaged.age', { recipients: [recipient] });
  const sound = readFileSync(path);
  for (const at of [60, bytes >> 1, bytes - 1]) {
    const changed = Buffer.from(sound);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    writeFileSync(path, changed);
    await expect(decrypted(path, { identity }), String(at)).rejects.toThrow(/is damaged|is not encrypted for/);
  }
  writeFileSync(path, sound);
  for (const length of [bytes - 1, bytes >> 1, 40]) {
    truncateSync(path, length);
    await expect(decrypted(path, { identity }), String(length)).rejects.toThrow('is damaged');
  }
});

test('a place that takes nothing more ends the archive with its own reason', async () => {
  const encrypter = createEncrypter({ recipients: [recipient] }) ?? (undefined as never);
  let isDiscarded = false;
  const full = {
    name: 'full',
    write: async () => {
      throw new Error('no space left');
    },
    finish: async () => {},
    discard: async () => {
      isDiscarded = true;
    },
  };
  const archive = createArchive(encryptTarget(full, encrypter), signal);
  const writing = (async () => {
    for (let number = 0; number < 40; number += 1) await archive.addBytes(`f${number}`, randomBytes(2 ** 20));
    await archive.finish();
  })();
  await expect(writing).rejects.toThrow('no space left');
  await archive.discard();
  expect(isDiscarded).toBe(true);
});

test('no more is taken than the place takes', async () => {
  const encrypter = createEncrypter({ recipients: [recipient] }) ?? (undefined as never);
  const held = Promise.withResolvers<void>();
  const slow = { name: 'slow', write: () => held.promise, finish: async () => {}, discard: async () => {} };
  const target = encryptTarget(slow, encrypter);
  let taken = 0;
  const writing = (async () => {
    for (; taken < 20; taken += 1) await target.write(randomBytes(2 ** 20));
    await target.finish(signal);
  })();
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toBeLessThan(4);
  held.resolve();
  await writing;
  expect(target.written?.().bytes).toBeGreaterThan(20 * 2 ** 20);
});

test('a passphrase opens what it encrypted, another does not', { tags: 'full' }, async () => {
  const { path } = await makeArchive('phrase.age', { recipients: [], passphrase: 'correct horse battery' });
  await expect(decrypted(path, { identity })).rejects.toThrow('LIVECODE_BACKUP_PASSPHRASE');
  await expect(decrypted(path, { passphrase: 'wrong' })).rejects.toThrow('by another passphrase');
  await checkArchive(await decrypted(path, { passphrase: 'correct horse battery' }));
});

test('whom it is encrypted for is said once, and without a mistake', () => {
  expect(createEncrypter({ recipients: [] })).toBeUndefined();
  expect(() => createEncrypter({ recipients: [recipient], passphrase: 'a' })).toThrow('one of them');
  const mistyped = recipient.slice(0, -1) + (recipient.endsWith('q') ? 'p' : 'q');
  expect(() => createEncrypter({ recipients: [mistyped] })).toThrow('mistyped');
});
