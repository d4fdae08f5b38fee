import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, openPool } from '../../kit/postgres/database.ts';
import { migrate } from '../../kit/postgres/migrate.ts';
import { startPostgres } from '../../kit/postgres/postgres.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { openVault } from '../../kit/vault.ts';
import { siteWallet } from '../../tron/wallets/wallets.ts';
import { startS3, testKeys } from '../../uploads/testing/s3-server.ts';
import { backUp, type Made } from '../backup.ts';
import { ask, initdbFlags, settings } from '../testing/looks.ts';
import { makeDrill } from './drill.jobs.ts';
import { drill } from './drill.ts';

const timeout = 120_000;
const { signal } = new AbortController();
const addUser = `WITH own AS (INSERT INTO role (name, kind) VALUES ('first', 'super') RETURNING id)
  INSERT INTO user_account (account, password_hash, role_id, invitation_code) SELECT 'first', '', id, 'first' FROM own`;
const outside = { databaseUrl: undefined, masterKey: undefined, drillPlace: undefined };

let home: string;
let dataDir: string;
let sound: Made;

async function backedUp(recipients: string[] = [], at = dataDir): Promise<Made> {
  const target = join(home, `backups${randomBytes(4).toString('hex')}`);
  mkdirSync(target);
  return backUp({ config: { ...outside, dataDir: at }, target, encryption: { recipients }, signal, log: () => {} });
}

const drilled = (address: string, change: Partial<Parameters<typeof drill>[0]> = {}) =>
  drill({ address, keys: {}, sha256: undefined, config: { ...outside, dataDir }, signal, ...change });

/** A copy in which one bit of the middle is another. */
function damagedCopy(path: string): string {
  const damaged = `${path}.damaged`;
  copyFileSync(path, damaged);
  const bytes = readFileSync(damaged);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(damaged, bytes);
  return damaged;
}

const leftovers = () => readdirSync(home).filter((name) => name.startsWith('.livecode-drill-'));

beforeAll(async () => {
  home = makeTestFolder();
  dataDir = join(home, 'data');
  const postgres = await startPostgres({ dataDir, settings, initdbFlags });
  await migrate(postgres.url);
  await ask(postgres.url, addUser);
  const pool = openPool(postgres.url, { warn: () => {} }, 2);
  await siteWallet(openDatabase(pool), await openVault(openDatabase(pool), dataDir, undefined), 'fee');
  await pool.end();
  await postgres.stop();
  sound = await backedUp();
}, timeout);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a drill', { timeout, tags: 'full' }, () => {
  test('restores a backup, opens its secrets by the key of the site, and leaves nothing', async () => {
    const before = readdirSync(home);
    expect(await makeDrill(dataDir, sound.path, sound.sha256)).toEqual({
      ...{ outcome: 'good', message: '', bytes: sound.bytes, encrypted: false, holds_key: false },
    });
    expect(readdirSync(home)).toEqual(before);
  });

  test('tells one changed bit, a key that is another or none, and a database without users', async () => {
    await expect(makeDrill(dataDir, damagedCopy(sound.path), undefined)).rejects.toThrow('is damaged');
    const empty = join(home, 'empty');
    mkdirSync(empty);
    await expect(drilled(sound.path, { config: { ...outside, dataDir: empty } })).rejects.toThrow('neither in it nor here');
    await expect(drilled(sound.path, { config: { ...outside, dataDir, masterKey: randomBytes(32) } })).rejects.toThrow('does not open');
    const other = join(home, 'other');
    const postgres = await startPostgres({ dataDir: other, settings, initdbFlags });
    await migrate(postgres.url);
    await postgres.stop();
    await expect(drilled((await backedUp([], other)).path)).rejects.toThrow('no users');
    expect(leftovers()).toEqual([]);
  });

  test('checks what it cannot open, opens it by its key, and finds the master key inside', async () => {
    const identity = await generateIdentity();
    const file = join(home, 'identity.txt');
    writeFileSync(file, identity);
    const { path, sha256 } = await backedUp([await identityToRecipient(identity)]);
    expect(await drilled(path, { sha256 })).toMatchObject({ outcome: 'checked', message: 'sealed', holds_key: null });
    expect(await drilled(path)).toMatchObject({ outcome: 'checked', message: 'sealed_unnoted' });
    const damaged = damagedCopy(path);
    await expect(drilled(damaged, { sha256 })).rejects.toThrow('is damaged');
    const keys = { identity: file };
    const elsewhere = { config: { ...outside, dataDir: join(home, 'nowhere') } };
    expect(await drilled(path, { keys, ...elsewhere })).toMatchObject({ outcome: 'good', encrypted: true, holds_key: true });
    await expect(drilled(damaged, { keys })).rejects.toThrow('is damaged');
    expect(leftovers()).toEqual([]);
  });

  test('that was killed leaves a folder and a database that runs; the next one ends and removes both', async () => {
    const program = fileURLToPath(new URL('./drill.main.ts', import.meta.url));
    const child = spawn(process.execPath, [program, sound.path], {
      env: { PATH: process.env.PATH, LIVECODE_DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const lock = () => join(home, leftovers()[0] ?? 'none', 'data/postgres/postmaster.pid');
    const pid = await eventually(
      () => {
        expect(existsSync(lock())).toBe(true);
        // The file is there before its first line is.
        const [, pid] = /^(\d+)\n/.exec(readFileSync(lock(), 'utf8')) ?? [];
        expect(pid).toBeDefined();
        return Number(pid);
      },
      { timeout, interval: 5 },
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(leftovers()).toHaveLength(1);
    expect(await drilled(sound.path)).toMatchObject({ outcome: 'good' });
    expect(leftovers()).toEqual([]);
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });

  test('takes a backup out of a bucket', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.close());
    const place = `s3://pictures/nightly?endpoint=${s3.endpoint}&path_style=1`;
    vi.stubEnv('AWS_ACCESS_KEY_ID', testKeys.access_key_id);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', testKeys.access_key_secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { name } = await backUp({ config: { ...outside, dataDir }, target: place, signal, log: () => {} });
    expect(await drilled(place.replace('?', `/${name}?`))).toMatchObject({ outcome: 'good' });
    expect(leftovers()).toEqual([]);
  });
});
