import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isDiskFull } from '../kit/files.ts';
import { clusterFolder } from '../kit/postgres/postgres-cluster.ts';
import { clearPredecessor } from '../kit/postgres/postgres-process.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
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

async function stopAll(): Promise<void> {
  for (const run of runs) {
    run.process.kill('SIGTERM');
    await run.exitCode;
  }
}

afterEach(async () => {
  await stopAll();
  const folder = clusterFolder(dataDir);
  if (existsSync(folder)) await clearPredecessor(folder, folder, () => {});
  rmSync(home, { recursive: true, force: true });
});

function start(env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LIVECODE_DATA_DIR: dataDir,
      LIVECODE_PORT: String(ports.web),
      LIVECODE_VISIT_PORT: String(ports.visits),
      LIVECODE_TRON_PORT: '0',
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

const ends = (pid: number) => expect.poll(() => identityOf(pid)).toBeUndefined();

const databasePid = () => Number(readFileSync(join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);

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
    await expect.poll(() => partOn(ports.visits).catch(() => before)).not.toEqual(before);
    expect((await partOn(ports.visits)).databaseUrl).toBe(before.databaseUrl);
    await expect.poll(databasePid).not.toBe(database);
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
    await expect.poll(() => existsSync(join(clusterFolder(dataDir), 'postmaster.pid')), { interval: 5 }).toBe(true);
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
    expect(existsSync(join(dataDir, 'postgres.json'))).toBe(false);
    blocker.close();
  });

  test('at the first start an unreachable database ends it; later, visits are answered without one', async () => {
    const nowhere = { DATABASE_URL: `postgres://nobody:x@127.0.0.1:${await freePort()}/none` };
    const first = start(nowhere);
    expect(await first.exitCode).toBe(1);
    expect(first.output()).toMatch(/^The database "none" on 127\.0\.0\.1, port \d+ .*nothing listens there\.\n$/);

    const second = start();
    await saysReady(second);
    second.process.kill('SIGTERM');
    await second.exitCode;

    const third = start(nowhere);
    const visits = () => partOn(ports.visits).catch(() => undefined);
    await expect.poll(visits).toMatchObject({ databaseUrl: nowhere.DATABASE_URL });
    await expect(partOn(ports.web)).rejects.toThrow();
    expect(third.output()).toContain('The database cannot be reached');
  });

  test('a copied folder starts beside the running original, which it leaves alone in every process', async () => {
    const original = start();
    await saysReady(original);
    const before = [await partOn(ports.web), await partOn(ports.visits), databasePid()];
    const copy = join(home, 'copy');
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !basename(path).startsWith('.s.PGSQL') });
    const copyPorts = { LIVECODE_PORT: String(await freePort()), LIVECODE_VISIT_PORT: String(await freePort()) };
    const own = start({ LIVECODE_DATA_DIR: copy, ...copyPorts });
    await saysReady(own);
    expect(own.output()).not.toMatch(/An earlier|already running|Password/);
    expect((await partOn(Number(copyPorts.LIVECODE_PORT))).databaseUrl).toContain(encodeURIComponent(copy));
    own.process.kill('SIGTERM');
    expect(await own.exitCode).toBe(0);
    expect([await partOn(ports.web), await partOn(ports.visits), databasePid()]).toEqual(before);
    expect(original.output()).not.toContain('starting it again');
  });
});

describe.runIf(canMount())('on a full disk', () => {
  let disk: string;

  /** Leaves no byte to any process. */
  function fill(): void {
    const file = openSync(join(disk, 'filler'), 'a');
    try {
      for (const size of [2 ** 20, 4096]) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }

  beforeEach(() => {
    disk = join(home, 'disk');
    dataDir = join(disk, 'data');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=700', 'tmpfs', disk]);
  });

  afterEach(async () => {
    await stopAll();
    execFileSync('umount', [disk]);
  });

  async function makeSite(): Promise<void> {
    const run = start();
    await saysReady(run);
    run.process.kill('SIGTERM');
    await run.exitCode;
  }

  test('a start gives up the reserve, and all runs', async () => {
    await makeSite();
    mkdirSync(join(dataDir, 'journal'));
    writeFileSync(join(dataDir, 'journal', 'reserve'), Buffer.alloc(64 * 2 ** 20));
    fill();
    const run = start();
    await saysReady(run);
    expect(run.output()).toMatch(/^The disk of .* is nearly full \(0 MB free\)\.\nIts reserve was given up \(64 MB free\)\.\n/);
  });

  test('without a reserve visits are answered from the start on, and all runs when there is room again', async () => {
    await makeSite();
    fill();
    const run = start();
    await expect.poll(() => partOn(ports.visits).catch(() => undefined)).toMatchObject({ dataDir });
    expect(run.output()).toMatch(/^The disk of .* is nearly full \(0 MB free\)\.\nAt least 32 MB are needed: .*\n/);
    expect(run.output()).toContain('No space left on device');
    expect(run.output()).not.toMatch(/^ +at /m);
    await expect(partOn(ports.web)).rejects.toThrow();
    rmSync(join(disk, 'filler'));
    await saysReady(run);
  });

  test('a first start refuses and says why', async () => {
    mkdirSync(dataDir);
    fill();
    const run = start();
    expect(await run.exitCode).toBe(1);
    expect(run.output().trim().split('\n').at(-1)).toBe(`A first start needs room on the disk of ${dataDir}.`);
    expect(run.output()).not.toMatch(/^ +at /m);
  });
});

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

/** Mounting a file system of a given size takes root's rights, and Linux. */
function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  const folder = makeTestFolder();
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  if (isMounted) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return isMounted;
}
