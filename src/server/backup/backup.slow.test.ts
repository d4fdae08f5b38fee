import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../kit/data-folder-lock.ts';
import { openDatabase, openPool } from '../kit/postgres/database.ts';
import { migrate } from '../kit/postgres/migrate.ts';
import { type Postgres, startPostgres } from '../kit/postgres/postgres.ts';
import { runsAs } from '../kit/postgres/postgres-account.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { openVault, readMasterKey } from '../kit/vault.ts';
import { journalFolder, newSource, segmentName } from '../kit/visits/journal/segment.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { availableOf, credit } from '../ledger/testing/money.ts';
import { addressOfPrivateKey, toBase58 } from '../tron/protocol/address.ts';
import { tron_wallet } from '../tron/tron.table.ts';
import { privateKeyOf, walletOf } from '../tron/wallets/wallets.ts';
import { startS3, testKeys } from '../uploads/testing/s3-server.ts';
import { withPartFolder } from './archive/parts.ts';
import { openFileTarget } from './archive/target.ts';
import { createArchive } from './archive/writer.ts';
import { backupJobs, makeBackup } from './backup.jobs.ts';
import { backUp } from './backup.ts';
import { machine } from './manifest.ts';
import { restore } from './restore.ts';
import { ask, holdsBytes, initdbFlags, settings } from './testing/looks.ts';

const nobody = { name: 'nobody', uid: 65534, gid: 65534 };
const program = (name: string) => fileURLToPath(new URL(`./${name}.main.ts`, import.meta.url));

const noEncryption = { backupRecipients: [], masterKey: undefined };

/** Each restore writes and syncs some two thousand files, which a busy disk takes its time for. */
const timeout = 120_000;

let home: string;
let dataDir: string;
let postgres: Postgres;
let sound: string;
let copies = 0;

const notes = async (url: string) =>
  (await ask<{ number: number }>(url, 'SELECT number FROM note ORDER BY number')).map(({ number }) => number);

function newPath(ending = ''): string {
  copies += 1;
  return join(home, `copy${copies}${ending}`);
}

async function backedUp(change: { masterKey?: Buffer<ArrayBuffer>; signal?: AbortSignal } = {}) {
  const lines: string[] = [];
  const { signal = new AbortController().signal, masterKey } = change;
  const config = { dataDir, databaseUrl: undefined, masterKey };
  const { path } = await backUp({ config, target: newPath('.tar.zst'), signal, log: (line) => lines.push(line) });
  return { path, said: lines.join('\n') };
}

async function restored(path: string, target = newPath()) {
  const lines: string[] = [];
  const config = { databaseUrl: undefined, masterKey: undefined };
  await restore({ path, dataDir: target, config, signal: new AbortController().signal, log: (line) => lines.push(line) });
  return { dataDir: target, said: lines.join('\n') };
}

async function started(folder: string): Promise<Postgres> {
  const server = await startPostgres({ dataDir: folder, settings });
  onTestFinished(() => server.stop());
  return server;
}

const leftovers = () => readdirSync(home).filter((name) => /\.part$|restoring-/.test(name));

beforeAll(async () => {
  home = makeTestFolder();
  dataDir = join(home, 'data');
  postgres = await startPostgres({ dataDir, settings, initdbFlags });
  await migrate(postgres.url);
  await ask(postgres.url, 'CREATE TABLE note (number integer PRIMARY KEY); INSERT INTO note VALUES (0)');
  readMasterKey(dataDir);
  mkdirSync(join(dataDir, 'uploads'));
  writeFileSync(join(dataDir, 'uploads/a.png'), Buffer.alloc(3_000_000, 'picture'));
  writeFileSync(join(dataDir, 'uploads/empty'), '');
  writeFileSync(join(dataDir, 'uploads/.b.png.1.part'), 'half');
  writeFileSync(join(journalFolder(dataDir), segmentName(newSource('0', journalFolder(dataDir)), 1)), 'visits');
  sound = (await backedUp()).path;
}, timeout);

afterAll(async () => {
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}, timeout);

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

describe('restoring refuses', { timeout }, () => {
  const refused = async (path: string, words: string, target = newPath()) => {
    await expect(restored(path, target)).rejects.toThrow(words);
    expect(leftovers()).toEqual([]);
  };

  test('a file in which any byte differs, or that was cut', { tags: 'full' }, async () => {
    const { size } = statSync(sound);
    const bytes = readFileSync(sound);
    const places = [0, 5, 100, size >> 2, size >> 1, size - 200, size - 64, size - 60, size - 50, size - 36, size - 32, size - 1];
    for (const place of places) {
      const path = newPath('.damaged');
      writeFileSync(path, bytes);
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.of((bytes[place] ?? 0) ^ 0x10), 0, 1, place);
      await refused(path, place >= size - 64 && place < size - 40 ? '' : 'is damaged');
      rmSync(path);
    }
    for (const length of [0, 10, 64, 1000, size >> 1, size - 64, size - 1]) {
      const path = newPath('.cut');
      writeFileSync(path, bytes);
      truncateSync(path, length);
      await refused(path, 'is no backup of Livecode, or was cut short');
      rmSync(path);
    }
  });

  test('a folder that is not empty, one that is in use, and a file that is missing', { tags: 'full' }, async () => {
    const full = newPath();
    mkdirSync(full);
    writeFileSync(join(full, 'letter'), 'of mine');
    await refused(sound, 'is not empty', full);
    expect(readdirSync(full)).toEqual(['letter']);
    const release = tryLock(dataDir);
    await refused(sound, 'is in use', dataDir);
    release?.();
    await refused(join(home, 'none.tar.zst'), 'There is no file');
  });

  test('what this version, machine or PostgreSQL cannot read, and names that lead out of the folder', { tags: 'full' }, async () => {
    const cluster = { kind: 'cluster', major: 18, machine, online: false };
    const sane = {
      format: 1,
      product: 'livecode',
      version: '9.9.9',
      created_at: '2026-01-01T00:00:00Z',
      database: cluster,
      migrations: null,
      master_key: false,
    };
    const crafted = async (manifest: object, name = 'x') => {
      const path = newPath('.tar.zst');
      const archive = createArchive(await openFileTarget(path), new AbortController().signal);
      await archive.addBytes('manifest.json', Buffer.from(JSON.stringify(manifest)));
      await archive.addBytes(name, Buffer.from('x'));
      await archive.finish();
      return path;
    };
    await refused(await crafted({ ...sane, format: 2 }), 'another version of Livecode');
    await refused(
      await crafted({ ...sane, migrations: ['9999-later'] }),
      'newer version, or of an unreleased state (9.9.9, migration 9999-later)',
    );
    await refused(await crafted({ ...sane, database: { ...cluster, machine: 'darwin-arm64' } }), 'machine of another kind');
    await refused(await crafted({ ...sane, database: { ...cluster, major: 17 } }), 'PostgreSQL 17');
    for (const name of ['../evil', '/evil', 'a/../../evil', 'a//b', './a', 'a\nb']) {
      await refused(await crafted(sane, name), 'no backup has');
    }
    expect(existsSync(join(home, 'evil'))).toBe(false);
  });
});

describe('restoring', { timeout }, () => {
  test('fills a folder that exists and is empty, as a mount does', { tags: 'full' }, async () => {
    const target = newPath();
    mkdirSync(target);
    const { ino } = statSync(target);
    await restored(sound, target);
    expect(statSync(target).ino).toBe(ino);
    expect(readdirSync(target).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(await notes((await started(target)).url)).toEqual([0]);
  });

  test('that was killed leaves a folder, which the next one into the same place removes, but none that is worked in', {
    tags: 'full',
  }, async () => {
    for (const isThere of [false, true]) {
      const target = newPath();
      if (isThere) mkdirSync(target);
      const left = () => readdirSync(isThere ? target : home).filter((name) => name.includes('.restoring-'));
      const child = spawn(process.execPath, [program('restore'), sound, target], { env: { PATH: process.env.PATH }, stdio: 'ignore' });
      await eventually(() => expect(left()).toHaveLength(1));
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(left()).toHaveLength(1);
      await restored(sound, target);
      expect(left()).toEqual([]);
      expect(await notes((await started(target)).url)).toEqual([0]);
    }
    await withPartFolder(home, 'other.restoring-', async (folder) => {
      await withPartFolder(home, 'other.restoring-', async () => expect(existsSync(folder)).toBe(true));
    });
  });

  test('marks the folder as a copy, unless it goes back to where it came from', { tags: 'full' }, async () => {
    const { dataDir: copy } = await restored(sound);
    const mark = JSON.parse(readFileSync(join(copy, 'restored.json'), 'utf8'));
    expect(mark).toEqual({ backed_up_at: expect.stringMatching(/^\d{4}-.*Z$/), restored_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(Date.parse(mark.backed_up_at)).toBeLessThan(Date.parse(mark.restored_at));
    const same = newPath();
    const quiet = { signal: new AbortController().signal, log: () => {} };
    await restore({ path: sound, dataDir: same, config: { databaseUrl: undefined, masterKey: undefined }, isSite: true, ...quiet });
    expect(existsSync(join(same, 'restored.json'))).toBe(false);
  });

  const canRun = process.getuid?.() === 0 && runsAs(nobody, process.execPath, ['--check', program('restore')]);
  test.runIf(canRun)('works as another user, who then runs the site', { tags: 'full' }, async () => {
    const place = newPath();
    mkdirSync(place);
    chownSync(place, nobody.uid, nobody.gid);
    chmodSync(sound, 0o644);
    onTestFinished(() => chmodSync(sound, 0o600));
    const asNobody = (args: string[]) =>
      spawnSync(process.execPath, args, { uid: nobody.uid, gid: nobody.gid, cwd: '/', encoding: 'utf8', env: { PATH: process.env.PATH } });
    const target = join(place, 'data');
    expect(asNobody([program('restore'), sound, target]).stderr).toContain('cannot be read by this user (EACCES)');
    chmodSync(home, 0o711);
    const made = asNobody([program('restore'), sound, target]);
    expect(made.stderr).toBe('');
    expect(made.status).toBe(0);
    const script = `
      const { startPostgres } = await import(${JSON.stringify(fileURLToPath(new URL('../kit/postgres/postgres.ts', import.meta.url)))});
      const { default: pg } = await import(${JSON.stringify(import.meta.resolve('pg'))});
      const postgres = await startPostgres({ dataDir: ${JSON.stringify(join(place, 'data'))}, settings: ${JSON.stringify(settings)} });
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      console.log((await client.query('SELECT number FROM note')).rows);
      await client.end();
      await postgres.stop();`;
    expect(asNobody(['--input-type=module', '-e', script])).toMatchObject({ status: 0, stdout: '[ { number: 0 } ]\n' });
    expect(statSync(join(place, 'data/postgres')).uid).toBe(nobody.uid);
  });
});
