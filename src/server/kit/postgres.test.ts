import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PostgresOptions } from './postgres.ts';
import { startPostgres } from './postgres.ts';
import { postgresAccount } from './postgres-account.ts';
import { makeTestFolder } from './testing/folder.ts';

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
const answer = <T>(url: string, sql: string) => expect.poll(() => ask<T>(url, sql).catch(() => undefined), { timeout: 15_000 });

describe('startPostgres', () => {
  test('data survives a stop, and nothing of the server remains', async () => {
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

  test('folder and password are closed to others, and the product is no superuser', async () => {
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
  }, 40_000);

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

  test('a lock file that names a foreign process is stale, and that process is let live', async () => {
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

  test('a cluster that is gone is an error, not a new empty one', async () => {
    const first = await start();
    await first.stop();
    rmSync(first.folder, { recursive: true });
    await expect(start()).rejects.toThrow('is not there any more');
  });

  test('a cluster of another major version is refused', async () => {
    const first = await start();
    await first.stop();
    writeFileSync(join(first.folder, 'PG_VERSION'), '15\n');
    await expect(start()).rejects.toThrow('made by PostgreSQL 15');
  });

  test('an interrupted making is repeated', async () => {
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

  test('a path too long for a socket address works', async () => {
    dataDir = join(home, 'x'.repeat(90), '数据 folder');
    const postgres = await start();
    expect(postgres.folder.startsWith(dataDir)).toBe(true);
    expect(await ask(postgres.url, 'SELECT 1')).toBe(1);
    const socketDir = new URL(postgres.url).searchParams.get('host') ?? '';
    expect(existsSync(socketDir)).toBe(true);
    await postgres.stop();
    expect(existsSync(socketDir)).toBe(false);
  });

  test.runIf(isRoot)("as root below a closed folder, cluster and programs go where PostgreSQL's account can reach them", async () => {
    chmodSync(home, 0o700);
    const shared = mkdtempSync(join(tmpdir(), 'livecode-shared-'));
    chmodSync(shared, 0o755);
    const lines: string[] = [];
    try {
      const first = await start({ sharedFolder: shared, log: (line) => lines.push(line) });
      await ask(first.url, 'CREATE TABLE note AS SELECT 1 AS number');
      await first.stop();
      expect(first.folder.startsWith(shared)).toBe(true);
      expect(lines.filter((line) => line.includes(first.folder))).toHaveLength(1);
      expect(statSync(home).mode & 0o777).toBe(0o700);

      const second = await start({ sharedFolder: shared });
      expect(second.folder).toBe(first.folder);
      expect(await ask(second.url, 'SELECT number FROM note')).toBe(1);
      await second.stop();
    } finally {
      rmSync(shared, { recursive: true, force: true });
    }
  });
});
