import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../kit/data-folder-lock.ts';
import { openDatabase, openPool } from '../kit/postgres/database.ts';
import { startPostgres } from '../kit/postgres/postgres.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { openVault, readMasterKey } from '../kit/vault.ts';
import { journalFolder } from '../kit/visits/journal/segment.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { availableOf, credit } from '../ledger/testing/money.ts';
import { addressOfPrivateKey, toBase58 } from '../tron/protocol/address.ts';
import { tron_wallet } from '../tron/tron.table.ts';
import { privateKeyOf, walletOf } from '../tron/wallets/wallets.ts';
import { startS3, testKeys } from '../uploads/testing/s3-server.ts';
import { openFileTarget } from './archive/target.ts';
import { backupJobs, makeBackup } from './backup.jobs.ts';
import { backUp } from './backup.ts';
import {
  backedUp,
  dataDir,
  home,
  leftovers,
  newPath,
  notes,
  postgres,
  prepareBackedUp,
  program,
  restored,
  sound,
  started,
  timeout,
} from './testing/backed-up.ts';
import { ask, holdsBytes, settings } from './testing/looks.ts';

const noEncryption = { backupRecipients: [], masterKey: undefined };

prepareBackedUp();

describe('a backup of a running site', { timeout }, () => {
  test('is made by a worker in a process of its own, which is told the embedded address, too', { tags: 'full' }, async () => {
    const folder = newPath();
    mkdirSync(folder);
    const before = process.env.DATABASE_URL;
    process.env.DATABASE_URL = postgres.url;
    onTestFinished(() => {
      if (before === undefined) delete process.env.DATABASE_URL;
      else process.env.DATABASE_URL = before;
    });
    await makeBackup(dataDir, folder);
    const [name = '', ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    const { dataDir: copy } = await restored(join(folder, name));
    expect(existsSync(join(copy, 'postgres.json'))).toBe(true);
    await expect(makeBackup(dataDir, join(folder, 'gone', 'there'))).rejects.toThrow('There is no folder');
  });

  test('goes to a bucket and comes back from there, by its programs', { tags: 'full' }, async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.close());
    const env = {
      PATH: process.env.PATH,
      LIVECODE_DATA_DIR: dataDir,
      AWS_ACCESS_KEY_ID: testKeys.access_key_id,
      AWS_SECRET_ACCESS_KEY: testKeys.access_key_secret,
    };
    const run = (name: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, [program(name), ...args], { env, encoding: 'utf8' });
    const made = await run('backup', `s3://pictures/sites?endpoint=${s3.endpoint}&path_style=1`);
    const [, address = ''] = /npm run restore -- '(s3:[^']+)'/.exec(made.stdout) ?? [];
    const target = newPath();
    const back = await run('restore', address, target);
    expect([made.stderr, back.stderr]).toEqual(['', '']);
    expect(await notes((await started(target)).url)).toEqual([0]);
    expect(readdirSync(home).filter((name) => name.includes('fetched'))).toEqual([]);
    await expect(run('restore', address.replace('livecode-', 'other-'), newPath())).rejects.toThrow(/NoSuchKey|does not exist/);
  });

  test('holds balances that add up and wallets whose keys open', { tags: 'full' }, async () => {
    const pool = openPool(postgres.url, { warn: () => {} }, 2);
    onTestFinished(() => pool.end());
    const db = openDatabase(pool);
    const vault = await openVault(db, dataDir, undefined);
    await ask(
      postgres.url,
      `INSERT INTO role (id, name, kind) VALUES (77, 'paying', 'customer')
      ON CONFLICT DO NOTHING; INSERT INTO user_account (id, account, password_hash, role_id, invitation_code) VALUES (77, 'payer', '', 77, 'payer1')`,
    );
    const { id, address } = await walletOf(db, vault, 77);
    await credit(db, 77, 12_500_000n);
    const { path } = await backedUp();
    await credit(db, 77, 1n);
    const { dataDir: copy } = await restored(path);
    const server = await started(copy);
    const restoredPool = openPool(server.url, { warn: () => {} }, 2);
    onTestFinished(() => restoredPool.end());
    const restoredDb = openDatabase(restoredPool);
    expect(await availableOf(restoredDb, 77)).toBe(12_500_000n);
    expect((await findFaults(restoredDb)).faults).toEqual([]);
    const [wallet] = await restoredDb.select().from(tron_wallet).where(eq(tron_wallet.id, id));
    const key = privateKeyOf(await openVault(restoredDb, copy, readMasterKey(dataDir)), wallet ?? (undefined as never));
    expect(toBase58(addressOfPrivateKey(new Uint8Array(key)))).toBe(address);
    expect(holdsBytes(copy, Buffer.from(address))).toBe(true);
    for (const form of [key, Buffer.from(key.toString('hex')), Buffer.from(key.toString('base64'))])
      expect(holdsBytes(copy, form)).toBe(false);
  });

  test('is one file for its owner only, and holds database, uploads and journals, and no master key', async () => {
    expect(statSync(sound).mode & 0o777).toBe(0o600);
    const { dataDir: copy } = await restored(sound);
    for (const name of ['uploads/a.png', 'uploads/empty', ...readdirSync(journalFolder(dataDir)).map((segment) => `journal/${segment}`)]) {
      expect(readFileSync(join(copy, name)).equals(readFileSync(join(dataDir, name))), name).toBe(true);
    }
    expect(readdirSync(copy).sort()).toEqual(['journal', 'postgres', 'postgres.json', 'restored.json', 'supervisor.json', 'uploads']);
    expect(existsSync(join(copy, 'uploads/.b.png.1.part'))).toBe(false);
    const server = await started(copy);
    expect(await notes(server.url)).toEqual([0]);
  });

  test('is a state of one moment while rows and uploads are written', { tags: 'full' }, async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    let isOver = false;
    let number = 0;
    const writing = (async () => {
      while (!isOver) {
        number += 1;
        writeFileSync(join(dataDir, `uploads/u${number}`), String(number));
        await client.query('INSERT INTO note VALUES ($1)', [number]);
      }
    })();
    const before = number;
    const { path } = await backedUp();
    const after = number;
    isOver = true;
    await writing;
    await client.end();
    const { dataDir: copy } = await restored(path);
    const server = await started(copy);
    const held = await notes(server.url);
    expect(held).toEqual(held.map((_, index) => index));
    expect(held.length).toBeGreaterThan(before);
    expect(held.length).toBeLessThanOrEqual(after + 2);
    expect(held.filter((note) => note > 0 && !existsSync(join(copy, `uploads/u${note}`)))).toEqual([]);

    await ask(server.url, 'INSERT INTO note VALUES (-1)');
    await ask(postgres.url, 'INSERT INTO note VALUES (-2)');
    expect((await notes(postgres.url))[0]).toBe(-2);
    expect((await notes(server.url))[0]).toBe(-1);
    await ask(postgres.url, 'DELETE FROM note WHERE number <> 0');
  });

  test('leaves neither file nor slot nor backup mode behind when it is interrupted', { tags: 'full' }, async () => {
    const stop = new AbortController();
    const config = { dataDir, databaseUrl: undefined, masterKey: undefined };
    const target = newPath('.tar.zst');
    // The journal is added last but for new uploads: until then everything was begun.
    const log = (line: string) => line.includes('database ') && stop.abort();
    await expect(backUp({ config, target, signal: stop.signal, log })).rejects.toThrow();
    expect(existsSync(target)).toBe(false);
    expect(leftovers()).toEqual([]);
    expect(await ask(postgres.url, 'SELECT slot_name FROM pg_replication_slots')).toEqual([]);
    expect(await ask(postgres.url, `SELECT pid FROM pg_stat_activity WHERE application_name = 'livecode backup'`)).toEqual([]);
  });

  test('that was killed leaves a part, which the next one and a worker that starts remove, but none that is still written', {
    tags: 'full',
  }, async () => {
    const folder = newPath();
    mkdirSync(folder);
    const parts = () => readdirSync(folder).filter((name) => name.endsWith('.part'));
    const kill = async () => {
      const child = spawn(process.execPath, [program('backup'), folder], {
        env: { PATH: process.env.PATH, LIVECODE_DATA_DIR: dataDir },
        stdio: 'ignore',
      });
      await eventually(() => expect(parts().filter((name) => name.includes(`.${child.pid}@`))).toHaveLength(1), { interval: 5 });
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    await kill();
    expect(parts()).toHaveLength(1);
    const written = await openFileTarget(join(folder, 'written.tar.zst'));
    onTestFinished(() => written.discard());
    expect(parts()).toEqual([expect.stringContaining('written')]);
    await kill();
    expect(parts()).toHaveLength(2);
    const worker = {
      ...noEncryption,
      backupPlace: folder,
      backupHours: '24',
      backupsKept: 1,
      backupWeeks: 0,
      log: { warn: () => {} } as never,
    };
    backupJobs({ pool: undefined as never, dataDir, ...worker });
    await eventually(() => expect(parts()).toEqual([expect.stringContaining('written')]));
  });

  test('has no key in it where the environment gives the key, and says so', { tags: 'full' }, async () => {
    const { path, said } = await backedUp({ masterKey: Buffer.alloc(32, 1) });
    expect(said).toContain('keep LIVECODE_MASTER_KEY');
    const { dataDir: copy, said: saidLater } = await restored(path);
    expect(existsSync(join(copy, 'master.key'))).toBe(false);
    expect(saidLater).toContain('LIVECODE_MASTER_KEY=… npm start');
  });

  test('does not replace a file, and does not go into the data folder', { tags: 'full' }, async () => {
    const run = (target: string) =>
      backUp({
        config: { dataDir, databaseUrl: undefined, masterKey: undefined },
        target,
        signal: new AbortController().signal,
        log: () => {},
      });
    await expect(run(sound)).rejects.toThrow('exists already');
    await expect(run(join(dataDir, 'x.tar.zst'))).rejects.toThrow('lies in the data folder');
    await expect(run(join(home, 'missing/x.tar.zst'))).rejects.toThrow('There is no folder');
  });
});

describe('a backup of a stopped site', { timeout }, () => {
  test('holds the same, and keeps the site from starting meanwhile', { tags: 'full' }, async () => {
    const { dataDir: original } = await restored(sound);
    const server = await startPostgres({ dataDir: original, settings });
    await ask(server.url, 'INSERT INTO note VALUES (7)');
    await server.stop();
    const path = newPath('.tar.zst');
    const locks: boolean[] = [];
    const log = () => {
      const release = tryLock(original);
      locks.push(release === undefined);
      release?.();
    };
    const config = { dataDir: original, databaseUrl: undefined, masterKey: undefined };
    await backUp({ config, target: path, signal: new AbortController().signal, log });
    expect(locks[0]).toBe(true);
    const release = tryLock(original);
    expect(release).toBeDefined();
    release?.();
    rmSync(original, { recursive: true });

    const { dataDir: copy } = await restored(path);
    const moved = newPath(' moved 数据');
    renameSync(copy, moved);
    expect(await notes((await started(moved)).url)).toEqual([0, 7]);
  });
});
