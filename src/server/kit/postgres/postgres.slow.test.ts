import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTestFolder } from '../testing/folder.ts';
import type { PostgresOptions } from './postgres.ts';
import { startPostgres } from './postgres.ts';
import { postgresAccount } from './postgres-account.ts';
import { runningPostgres } from './postgres-address.ts';

const isRoot = process.getuid?.() === 0;
const small = { shared_buffers: '16MB', fsync: 'off' };
const here = dirname(fileURLToPath(import.meta.url));

let home: string;
let dataDir: string;

beforeEach(() => {
  home = makeTestFolder();
  dataDir = join(home, 'data');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const start = (options: Partial<PostgresOptions> = {}) =>
  startPostgres({ dataDir, settings: small, initdbFlags: ['--no-sync'], ...options });

async function ask<T>(url: string, sql: string): Promise<T | undefined> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end());
  return rows[0]?.[0];
}

/** Resolves when the query is answered, which after a crash takes the server a moment. */
const answer = <T>(url: string, sql: string) => expect.poll(() => ask<T>(url, sql).catch(() => undefined));

describe('startPostgres', () => {
  test('data survives a stop, and nothing of the server remains', { tags: 'full' }, async () => {
    const first = await start();
    await ask(first.url, `CREATE TABLE note AS SELECT '活码' AS text`);
    const pid = first.pid() ?? 0;
    await Promise.all([first.stop(), first.stop()]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(existsSync(join(first.folder, 'postmaster.pid'))).toBe(false);

    const second = await start();
    expect(await ask(second.url, 'SELECT text FROM note')).toBe('活码');
    await second.stop();
  });

  test('folder and password are closed to others, and the product is no superuser', { tags: 'full' }, async () => {
    const postgres = await start();
    expect(statSync(postgres.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
    expect(await ask(postgres.url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toBe(false);
    const wrong = new URL(postgres.url);
    wrong.password = 'guess';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(await ask(postgres.url, `SELECT lower('É') || '活码'`)).toBe('é活码');
    await postgres.stop();
  });

  test('the server is restarted when it is killed, at the same address, backends that still work notwithstanding', async () => {
    const reasons: string[] = [];
    const postgres = await start({ onExit: (reason) => reasons.push(reason) });
    await ask(postgres.url, 'CREATE TABLE note AS SELECT 1 AS number');
    const busy = ask(postgres.url, 'SELECT count(*) FROM generate_series(1, 1000000000) AS number').catch(String);
    await answer(postgres.url, `SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%generate_series%'`).toBeGreaterThan(1);
    const pid = postgres.pid();
    process.kill(pid ?? 0, 'SIGKILL');
    await answer(postgres.url, 'SELECT number FROM note').toBe(1);
    expect(postgres.pid()).not.toBe(pid);
    expect(reasons).toEqual(['PostgreSQL ended (SIGKILL)']);
    expect(await busy).toMatch(/terminat|reset/i);
    await postgres.stop();
  });

  test('a server whose starter was killed is stopped, and its data kept', async () => {
    const script = `
      const { startPostgres } = await import(${JSON.stringify(join(here, 'postgres.ts'))});
      const postgres = await startPostgres(${JSON.stringify({ dataDir, settings: small, initdbFlags: ['--no-sync'] })});
      process.send({ pid: postgres.pid() });
    `;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [{ pid }] = await once(starter, 'message');
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    expect(() => process.kill(pid, 0)).not.toThrow();

    const lines: string[] = [];
    const postgres = await start({ log: (line) => lines.push(line) });
    expect(lines).toEqual([`An earlier database process (${pid}) is still running: stopping it.`]);
    expect(await ask(postgres.url, 'SELECT 1')).toBe(1);
    await postgres.stop();
  });

  test('a lock file that names a foreign process is stale, and that process is let live', { tags: 'full' }, async () => {
    const first = await start();
    await first.stop();
    const stranger = spawn('sleep', ['60'], postgresAccount() ?? {});
    writeFileSync(join(first.folder, 'postmaster.pid'), `${stranger.pid}\n${first.folder}\n1\n5432\n\n\n\nready\n`);
    const second = await start();
    expect(await ask(second.url, 'SELECT 1')).toBe(1);
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
    await second.stop();
  });

  test('a cluster that is gone is an error, not a new empty one', { tags: 'full' }, async () => {
    const first = await start();
    await first.stop();
    rmSync(first.folder, { recursive: true });
    await expect(start()).rejects.toThrow('Restore a backup');
  });

  test('a cluster of another major version is refused', { tags: 'full' }, async () => {
    const first = await start();
    await first.stop();
    writeFileSync(join(first.folder, 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow('made by PostgreSQL 15');
  });

  test('an interrupted making is repeated', { tags: 'full' }, async () => {
    const first = await start();
    await first.stop();
    const record = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'));
    writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify({ ...record, made: false }));
    rmSync(first.folder, { recursive: true });
    writeFileSync(`${first.folder}.new`, 'cut short');
    const second = await start();
    expect(await ask(second.url, 'SELECT 1')).toBe(1);
    await second.stop();
  });

  test('a path too long for a socket address works', { tags: 'full' }, async () => {
    dataDir = join(home, 'x'.repeat(90), '数据 folder');
    const postgres = await start();
    expect(postgres.folder.startsWith(dataDir)).toBe(true);
    expect(await ask(postgres.url, 'SELECT 1')).toBe(1);
    const socketDir = new URL(postgres.url).searchParams.get('host') ?? '';
    expect(existsSync(socketDir)).toBe(true);
    await postgres.stop();
    expect(existsSync(socketDir)).toBe(false);
  });

  test.runIf(isRoot && process.platform === 'linux')('as root below a closed folder the cluster stays in the data folder', async () => {
    chmodSync(home, 0o700);
    const first = await start();
    await ask(first.url, 'CREATE TABLE note AS SELECT 1 AS number');
    expect(first.folder).toBe(join(dataDir, 'postgres'));
    expect(statSync(first.folder).uid).toBe(postgresAccount()?.uid);
    await first.stop();
    const second = await start();
    expect(await ask(second.url, 'SELECT number FROM note')).toBe(1);
    await second.stop();
    expect([home, dataDir].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  test("a start writes no settings that stand already, and replaces another version's", { tags: 'full' }, async () => {
    const first = await start();
    await first.stop();
    const path = join(first.folder, 'livecode.conf');
    const { ino } = statSync(path);
    const second = await start();
    await second.stop();
    expect(statSync(path).ino).toBe(ino);
    const third = await start({ settings: { ...small, work_mem: '5MB' } });
    expect(await ask(third.url, 'SHOW work_mem')).toBe('5MB');
    await third.stop();
  });
});

describe('a copied data folder', () => {
  const copyOf = (name: string) => {
    const copy = join(home, name);
    // As `cp -r` by another user does it: owners, modes and links to processes are not kept.
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !basename(path).startsWith('.s.PGSQL') });
    return copy;
  };

  test('has a database of its own while the original runs, and neither sees what the other writes', { tags: 'full' }, async () => {
    const first = await start();
    await ask(first.url, `CREATE TABLE note AS SELECT 'both' AS text`);
    await first.stop();
    const copy = copyOf('copy');
    const original = await start();
    const pid = original.pid();
    cpSync(join(original.folder, 'postmaster.pid'), join(copy, 'postgres', 'postmaster.pid'));
    expect(runningPostgres(dataDir)).toBe(original.url);
    expect(runningPostgres(copy)).toBeUndefined();

    const lines: string[] = [];
    const own = await start({ dataDir: copy, log: (line) => lines.push(line) });
    expect(own.folder).toBe(join(copy, 'postgres'));
    expect(lines).toEqual([]);
    await ask(own.url, `INSERT INTO note VALUES ('copy')`);
    await ask(original.url, `INSERT INTO note VALUES ('original')`);
    expect(original.pid()).toBe(pid);
    expect(await ask(own.url, `SELECT string_agg(text, ' ' ORDER BY text) FROM note`)).toBe('both copy');
    expect(await ask(original.url, `SELECT string_agg(text, ' ' ORDER BY text) FROM note`)).toBe('both original');
    await own.stop();
    expect(await ask(original.url, 'SELECT 1')).toBe(1);
    await original.stop();
  });

  test('stands by itself when the original is gone', { tags: 'full' }, async () => {
    const original = await start();
    await ask(original.url, `CREATE TABLE note AS SELECT 'kept' AS text`);
    await original.stop();
    const copy = copyOf('copy');
    if (isRoot) expect(statSync(join(copy, 'postgres')).uid).toBe(0);
    chmodSync(join(copy, 'postgres'), 0o755);
    rmSync(dataDir, { recursive: true });
    const own = await start({ dataDir: copy });
    expect(await ask(own.url, 'SELECT text FROM note')).toBe('kept');
    await own.stop();
    expect(existsSync(dataDir)).toBe(false);
  });
});
