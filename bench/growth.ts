/**
 * What grows with what, on one host: `npm run bench:growth -- [--codes 10000,100000,1000000] [--seconds 10]`. Fills the embedded PostgreSQL
 * with so many live codes, and says what a code takes there, what a redirect process holds when 1,000, 10,000 and 100,000 of them were
 * visited, and how many calls a second one web process answers customers who turn the pages of their lists. Linux only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { newToken } from '../src/server/kit/calls/authentication.ts';
import { makeDataFolder } from '../src/server/kit/folders.ts';
import { openPool } from '../src/server/kit/postgres/database.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { strippedSources } from '../src/server/kit/stripped.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { freePort } from '../src/server/kit/testing/ports.ts';
import { ask, startProcess } from '../src/server/redirect/testing/process.ts';
import { seed } from '../src/server/seed.ts';
import { webRuntime } from '../src/server/web.runtime.ts';
import { fillCodes } from './codes-data.ts';
import { memoryOf } from './processes.ts';

const { values } = parseArgs({
  options: { codes: { type: 'string', default: '10000,100000,1000000' }, seconds: { type: 'string', default: '10' } },
});
const customers = 200;
const atOnce = 16;
const visitedSteps = [1_000, 10_000, 100_000];
const password = 'of-the-bench';

const megabytes = (pid: number | undefined): string => `${memoryOf(pid).pss.toFixed(0)} MB`;

async function sizeOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ size: number }>('SELECT pg_database_size(current_database())::float8 AS size');
  return rows[0]?.size ?? 0;
}

/** Runs a task so many times, some at once. */
async function repeatAtOnce(times: () => boolean, task: () => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (times()) await task();
    }),
  );
}

async function measureRedirect(databaseUrl: string, dataDir: string, codes: number): Promise<void> {
  const port = await freePort();
  const redirect = await startProcess({ databaseUrl, dataDir, port, processes: 1, runtimeArgs: strippedSources });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  console.log(`  redirect process: ${megabytes(redirect.pid)} before a visit`);
  let next = 1;
  for (const visited of visitedSteps.filter((step) => step <= codes)) {
    await repeatAtOnce(
      () => next <= visited,
      async () => {
        const path = `/code${next++}`;
        const { status } = await ask(port, path, { host: 'd1.example.com', agent });
        if (status >= 500) throw new Error(`${path}: ${status}`);
      },
    );
    await delay(5_000);
    console.log(`  redirect process: ${megabytes(redirect.pid)} with ${visited} codes in use`);
  }
  agent.destroy();
  await redirect.stop();
}

/** Sessions of customers, each with his codes. */
async function openSessions(pool: Pool): Promise<string[]> {
  const sessions = Array.from({ length: customers }, newToken);
  await pool.query(
    `INSERT INTO session (token_hash, user_id, expires_at)
     SELECT hash, user_account.id, now() + interval '1 day' FROM unnest($1::bytea[]) WITH ORDINALITY AS given (hash, n)
     JOIN user_account ON account = 'owner' || n`,
    [sessions.map(({ hash }) => hash)],
  );
  return sessions.map(({ token }) => token);
}

async function measureWeb(pool: Pool, databaseUrl: string, dataDir: string): Promise<void> {
  const port = await freePort();
  const web = spawn(
    process.execPath,
    [...strippedSources, ...webRuntime.args, fileURLToPath(new URL('../src/server/web.ts', import.meta.url))],
    {
      env: {
        ...process.env,
        ...webRuntime.env,
        DATABASE_URL: databaseUrl,
        LIVECODE_DATA_DIR: dataDir,
        LIVECODE_PORT: String(port),
        LIVECODE_TRUSTED_PROXIES: '127.0.0.1',
        LIVECODE_LOG_LEVEL: 'fatal',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  await once(web, 'message');
  const tokens = await openSessions(pool);
  const times: number[] = [];
  let asked = 0;
  const call = async () => {
    const number = asked++;
    const headers = {
      authorization: `Bearer ${tokens[number % customers]}`,
      'content-type': 'application/json',
      'x-forwarded-for': `198.51.${number % 250}.${number % 200}`,
    };
    const body = JSON.stringify({ sort: 'created_at', order: 'desc', page: 1 + (Math.floor(number / customers) % 3) });
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/qr_code_list/inquire`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
    times.push(performance.now() - startedAt);
  };
  await repeatAtOnce(() => asked < 2 * customers, call);
  times.length = 0;
  const startedAt = performance.now();
  const until = startedAt + Number(values.seconds) * 1000;
  await repeatAtOnce(() => performance.now() < until, call);
  const rate = times.length / ((performance.now() - startedAt) / 1000);
  times.sort((one, other) => one - other);
  const within = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`;
  console.log(
    `  web process: ${rate.toFixed(0)} pages of lists a second, half within ${within(0.5)}, 95 % within ${within(0.95)}; ${megabytes(web.pid)}`,
  );
  web.kill('SIGTERM');
  await once(web, 'exit');
}

async function measure(codes: number): Promise<void> {
  const home = makeTestFolder();
  const [dataDir, visits] = [join(home, 'data'), join(home, 'visits')];
  for (const folder of [dataDir, visits]) makeDataFolder(folder);
  const postgres = await startPostgres({ dataDir });
  const pool = openPool(postgres.url, { warn: () => {} }, 4);
  try {
    await migrate(postgres.url);
    await seed(pool, { adminPassword: password, visitPort: 3001, dataDir, demo: false });
    const empty = await sizeOf(pool);
    await fillCodes(pool, { codes, own: codes / 10, visited: codes * 0.3, today: codes / 20 });
    const size = await sizeOf(pool);
    console.log(`${codes} codes: ${((size - empty) / codes).toFixed(0)} bytes each in the database of ${(size / 1e6).toFixed(0)} MB`);
    await measureRedirect(postgres.url, visits, codes);
    await measureWeb(pool, postgres.url, dataDir);
  } finally {
    await pool.end();
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

for (const codes of values.codes.split(',').map(Number)) await measure(codes);
process.exit(0);
