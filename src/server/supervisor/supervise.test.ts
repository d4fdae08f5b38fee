import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearPredecessor } from '../kit/postgres-process.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { identityOf } from './orphans.ts';

const program = fileURLToPath(new URL('./testing/main.ts', import.meta.url));
const locker = fileURLToPath(new URL('./testing/lock.ts', import.meta.url));

interface Run {
  process: ChildProcess;
  output: () => string;
  exitCode: Promise<number | null>;
}

let home: string;
let dataDir: string;
let ports: { web: number; visits: number };
let runs: Run[];

beforeEach(async () => {
  home = makeTestFolder();
  dataDir = join(home, 'data');
  ports = { web: await freePort(), visits: await freePort() };
  runs = [];
});

afterEach(async () => {
  for (const run of runs) {
    run.process.kill('SIGTERM');
    await run.exitCode;
  }
  const folder = clusterFolder();
  if (folder) await clearPredecessor(folder, folder, () => {});
  rmSync(home, { recursive: true, force: true });
  if (folder && !folder.startsWith(home)) rmSync(folder, { recursive: true, force: true });
});

function clusterFolder(): string | undefined {
  const record = join(dataDir, 'postgres.json');
  return existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).folder : undefined;
}

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

function start(env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      LIVECODE_DATA_DIR: dataDir,
      LIVECODE_PORT: String(ports.web),
      LIVECODE_VISIT_PORT: String(ports.visits),
      LIVECODE_ADMIN_PASSWORD: 'not for the parts',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const run = { process: child, output: () => output, exitCode: once(child, 'exit').then(([code]) => code) };
  runs.push(run);
  return run;
}

const saysReady = (run: Run) => expect.poll(run.output, { timeout: 20_000 }).toContain('Livecode is running');

async function partOn(port: number): Promise<{ pid: number; databaseUrl: string; dataDir: string; adminPassword?: string }> {
  const response = await fetch(`http://localhost:${port}`);
  return response.json();
}

const ends = (pid: number) => expect.poll(() => identityOf(pid), { timeout: 15_000 }).toBeUndefined();

const databasePid = () => Number(readFileSync(join(clusterFolder() ?? '', 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('the supervisor', () => {
  test('starts all parts, says where they are, and stops all of them on a repeated signal', async () => {
    const run = start();
    await saysReady(run);
    expect(run.output()).toContain(`http://localhost:${ports.web}`);
    expect(run.output()).toContain(`http://localhost:${ports.visits}`);
    expect(run.output()).toMatch(/Account +admin\n +Password +first-start-only/);
    const visits = await partOn(ports.visits);
    const web = await partOn(ports.web);
    expect(web).toMatchObject({ dataDir, databaseUrl: expect.stringMatching(/^postgresql:/) });
    expect(web.adminPassword).toBeUndefined();
    const database = databasePid();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) run.process.kill(signal);
    expect(await run.exitCode).toBe(0);
    for (const pid of [visits.pid, web.pid, database]) expect(identityOf(pid)).toBeUndefined();

    const second = start();
    await saysReady(second);
    expect(second.output()).not.toContain('Password');
  });

  test('a second start on the same folder says so and leaves the first alone', async () => {
    const first = start();
    await saysReady(first);
    const before = await partOn(ports.web);
    const second = start({ LIVECODE_PORT: String(await freePort()), LIVECODE_VISIT_PORT: String(await freePort()) });
    expect(await second.exitCode).toBe(1);
    expect(second.output()).toBe(`Livecode is already running on ${dataDir} (process ${first.process.pid}).\n`);
    expect(await partOn(ports.web)).toEqual(before);
  });

  test('a start while the earlier one is stopping waits for it', async () => {
    const first = start({ TEST_VISIT_PARTS: '2' });
    await saysReady(first);
    first.process.kill('SIGTERM');
    const second = start();
    await saysReady(second);
    expect(second.output()).toContain('Waiting for the earlier start');
    expect(await first.exitCode).toBe(0);
  });

  test('of two starts at the same moment, one runs', async () => {
    const both = [start(), start()];
    const loser = await Promise.race(both.map(async (run) => run.exitCode.then(() => run)));
    expect(loser.output()).toContain('already running');
    const winner = both.find((run) => run !== loser);
    if (!winner) throw new Error('There are two runs.');
    await saysReady(winner);
  });

  test('of two that ask for the data folder in the same millisecond, exactly one gets it, each time', async () => {
    mkdirSync(dataDir);
    for (let round = 0; round < 5; round++) {
      const at = Date.now() + 500;
      const asked = Array.from({ length: 2 }, () =>
        spawn(process.execPath, [locker, dataDir, String(at)], { stdio: ['pipe', 'pipe', 'inherit'] }),
      );
      const answers = await Promise.all(asked.map(async (child) => String((await once(child.stdout, 'data'))[0]).trim()));
      for (const child of asked) child.stdin.end();
      expect(answers.sort()).toEqual(['locked', 'refused']);
      await Promise.all(asked.map((child) => once(child, 'exit')));
    }
  });

  test('after kill -9 its parts end by themselves, and the next start takes over folder, ports and database', async () => {
    const first = start();
    await saysReady(first);
    const left = [(await partOn(ports.web)).pid, (await partOn(ports.visits)).pid];
    const database = databasePid();
    first.process.kill('SIGKILL');
    await first.exitCode;
    const second = start();
    await saysReady(second);
    for (const pid of [...left, database]) expect(identityOf(pid)).toBeUndefined();
    expect((await partOn(ports.web)).pid).not.toBe(left[0]);
    expect(second.output()).not.toContain('Password');
  });

  test('parts end when the supervisor was killed and nobody starts it again', async () => {
    const run = start();
    await saysReady(run);
    const left = [(await partOn(ports.web)).pid, (await partOn(ports.visits)).pid];
    run.process.kill('SIGKILL');
    for (const pid of left) await ends(pid);
  });

  test('a part that is killed is started again, and so is the database, at the same address', async () => {
    const run = start();
    await saysReady(run);
    const before = await partOn(ports.visits);
    const database = databasePid();
    process.kill(before.pid, 'SIGKILL');
    process.kill(database, 'SIGKILL');
    await expect.poll(() => partOn(ports.visits).catch(() => before), { timeout: 10_000 }).not.toEqual(before);
    expect((await partOn(ports.visits)).databaseUrl).toBe(before.databaseUrl);
    await expect.poll(databasePid, { timeout: 10_000 }).not.toBe(database);
    expect(run.output()).toContain('visits ended (SIGKILL); starting it again.');
    expect(run.output()).toContain('PostgreSQL ended (SIGKILL); starting it again.');
  });

  test('a part that does not heed the stop is killed when its grace is over', async () => {
    const run = start({ TEST_VISIT_PARTS: '2' });
    await saysReady(run);
    run.process.kill('SIGTERM');
    expect(await run.exitCode).toBe(0);
    expect(run.output()).toContain('Still running after 1 s, killed: stubborn.');
  });

  test('a stop in the middle of a start leaves nothing running', async () => {
    const run = start();
    await expect.poll(() => existsSync(join(clusterFolder() ?? '', 'postmaster.pid')), { timeout: 10_000, interval: 5 }).toBe(true);
    const database = databasePid();
    run.process.kill('SIGTERM');
    expect(await run.exitCode).toBe(0);
    await ends(database);
    expect(run.output()).not.toContain('Livecode is running');
  });

  test('a taken port is named before anything is made', async () => {
    const blocker = createServer().listen(ports.visits);
    await once(blocker, 'listening');
    const run = start();
    expect(await run.exitCode).toBe(1);
    expect(run.output()).toContain(`Port ${ports.visits} is in use`);
    expect(clusterFolder()).toBeUndefined();
    blocker.close();
  });

  test('at the first start an unreachable database ends it; later, visits are answered without one', async () => {
    const nowhere = { DATABASE_URL: `postgres://nobody:x@127.0.0.1:${await freePort()}/none` };
    const first = start(nowhere);
    expect(await first.exitCode).toBe(1);
    expect(first.output()).toContain('ECONNREFUSED');

    const second = start();
    await saysReady(second);
    second.process.kill('SIGTERM');
    await second.exitCode;

    const third = start(nowhere);
    const visits = () => partOn(ports.visits).catch(() => undefined);
    await expect.poll(visits, { timeout: 10_000 }).toMatchObject({ databaseUrl: nowhere.DATABASE_URL });
    await expect(partOn(ports.web)).rejects.toThrow();
    expect(third.output()).toContain('The database cannot be reached');
  });
});
