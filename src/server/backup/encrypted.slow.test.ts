import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../kit/postgres/migrate.ts';
import { startPostgres } from '../kit/postgres/postgres.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { readMasterKey } from '../kit/vault.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';
import { ask, holdsBytes, initdbFlags, settings } from './testing/looks.ts';

const timeout = 120_000;
const { signal } = new AbortController();
/** What a wallet's key and an uploaded picture may hold, as they would lie in an archive. */
const planted = randomBytes(48);
const config = { databaseUrl: undefined, masterKey: undefined };
let home: string;
let dataDir: string;
let masterKey: Buffer;
let recipient: string;
let identity: string;

async function backedUp(change: { recipients?: string[]; isWayBack?: boolean } = {}) {
  const { recipients = [], isWayBack = false } = change;
  const target = join(home, `backups${randomBytes(4).toString('hex')}`);
  mkdirSync(target);
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const { path } = await backUp({ config: { ...config, dataDir }, target, encryption: { recipients }, isWayBack, signal, log });
  return { path, said: lines.join('\n') };
}

async function restored(path: string, keys: object = {}, target = join(home, `copy${randomBytes(4).toString('hex')}`)) {
  await restore({ path, keys, dataDir: target, config, signal, log: () => {} });
  return target;
}

beforeAll(async () => {
  home = makeTestFolder();
  dataDir = join(home, 'data');
  const postgres = await startPostgres({ dataDir, settings, initdbFlags });
  await migrate(postgres.url);
  await ask(postgres.url, `CREATE TABLE kept (value text); INSERT INTO kept VALUES ('${planted.toString('hex')}')`);
  masterKey = readMasterKey(dataDir);
  mkdirSync(join(dataDir, 'uploads'));
  writeFileSync(join(dataDir, 'uploads/a.png'), planted);
  await postgres.stop();
  const key = await generateIdentity();
  recipient = await identityToRecipient(key);
  identity = join(home, 'identity.txt');
  writeFileSync(identity, `${key}\n`);
}, timeout);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('an encrypted backup', { timeout, tags: 'full' }, () => {
  test('holds the master key, nothing of it in the clear, and is restored by its private key', async () => {
    const { path, said } = await backedUp({ recipients: [recipient] });
    expect(path).toMatch(/\.tar\.zst\.age$/);
    expect(said).toContain('--identity <file>');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const forms = [planted, masterKey, Buffer.from(planted.toString('hex')), Buffer.from(masterKey.toString('hex'))];
    for (const form of [...forms, Buffer.from('manifest.json')]) expect(readFileSync(path).includes(form)).toBe(false);

    const copy = await restored(path, { identity });
    expect(readMasterKey(copy).equals(masterKey)).toBe(true);
    expect(holdsBytes(copy, planted)).toBe(true);
    const server = await startPostgres({ dataDir: copy, settings });
    onTestFinished(() => server.stop());
    expect(await ask(server.url, 'SELECT value FROM kept')).toEqual([{ value: planted.toString('hex') }]);
  });

  test('goes into a folder that is there and empty, and leaves nothing else in it', async () => {
    const { path } = await backedUp({ recipients: [recipient] });
    const target = join(home, 'mount');
    mkdirSync(target);
    await restored(path, { identity }, target);
    expect(readdirSync(target).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(readdirSync(target)).toContain('master.key');
  });

  test('is refused without its key and with another, and damaged, with nothing changed', async () => {
    const { path } = await backedUp({ recipients: [recipient] });
    const other = join(home, 'other.txt');
    writeFileSync(other, await generateIdentity());
    const before = readdirSync(home);
    const target = join(home, 'refused');
    await expect(restored(path, {}, target)).rejects.toThrow('--identity');
    await expect(restored(path, { identity: other }, target)).rejects.toThrow('is not encrypted for a key of');
    const damaged = `${path}.damaged`;
    copyFileSync(path, damaged);
    const bytes = readFileSync(damaged);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    writeFileSync(damaged, bytes);
    await expect(restored(damaged, { identity }, target)).rejects.toThrow('is damaged');
    expect(readdirSync(home)).toEqual(before);
  });

  test('is the only one with the master key, but for the way back of an upgrade', async () => {
    const plain = await backedUp();
    expect(plain.said).toContain('not in the file, which is not encrypted');
    expect(existsSync(join(await restored(plain.path), 'master.key'))).toBe(false);
    const { path } = await backedUp({ isWayBack: true });
    expect(readMasterKey(await restored(path)).equals(masterKey)).toBe(true);
  });
});
