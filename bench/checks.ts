/**
 * A thousand watched domains, each checked every minute by three detectors, on one worker: `npm run bench:checks -- [--domains 1000]
 * [--codes 0] [--seconds 240] [--latency 200] [--kill] [--kills 50]`. With codes on each domain the link of one is asked about, too. The messenger's gateway and two APIs are simulated by a process of their own.
 * Tells how far checks fall behind, what the worker holds and does, and how soon a block is seen; with --kill the worker is killed again
 * and again meanwhile.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { expectDetection } from '../src/server/detection/testing/simulation.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { seed } from '../src/server/seed.ts';
import { workerRuntime } from '../src/server/worker.runtime.ts';
import { memoryOf, processorTimeOf } from './processes.ts';

const { values } = parseArgs({
  options: {
    domains: { type: 'string', default: '1000' },
    codes: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '240' },
    latency: { type: 'string', default: '200' },
    kill: { type: 'boolean', default: false },
    kills: { type: 'string', default: '50' },
  },
});
const interval = 60;
const [domains, codes, seconds, kills] = [values.domains, values.codes, values.seconds, values.kills].map(Number) as [
  number,
  number,
  number,
  number,
];

type Simulated = { gateway: string; apis: string; control: string };
function startSimulators(): Promise<{ child: ChildProcess; addresses: Simulated }> {
  const child = fork(fileURLToPath(new URL('./checks-simulators.ts', import.meta.url)), [values.latency]);
  return new Promise((resolve) => child.once('message', (addresses) => resolve({ child, addresses: addresses as Simulated })));
}

const dataDir = makeTestFolder();
const postgres = await startPostgres({ dataDir });
const client = new pg.Pool({ connectionString: postgres.url, max: 4 });
const simulators = await startSimulators();

async function startWorker(): Promise<ChildProcess> {
  const { args, env } = workerRuntime;
  const worker = spawn(process.execPath, [...args, fileURLToPath(new URL('../src/server/worker.ts', import.meta.url))], {
    env: {
      ...process.env,
      ...env,
      DATABASE_URL: postgres.url,
      LIVECODE_DATA_DIR: dataDir,
      LIVECODE_LOG_LEVEL: 'error',
      LIVECODE_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve) => worker.once('message', resolve));
  return worker;
}

async function fill({ gateway, apis, control }: Simulated): Promise<void> {
  const set = (key: string, value: unknown) =>
    client.query('INSERT INTO setting (key, value) VALUES ($1, $2)', [key, JSON.stringify(value)]);
  await set('messenger_gateway', gateway);
  await set('monitor_seconds', interval);
  await set('control_addresses', [control]);
  const api = (path: string, reading: object) => ({
    kind: 'http_api',
    url: `${apis}${path}?url={url}`,
    method: 'GET',
    headers: [],
    body: '',
    reading,
  });
  const detectors = [
    ['gateway', { kind: 'gateway', url: '', warning_is_blocked: true }],
    ['status', api('/data-status', { by: 'json', path: 'data.status', normal: ['ok'], blocked: ['blocked'] })],
    ['code', api('/code', { by: 'json', path: 'code', normal: ['200'], blocked: ['2000'] })],
  ] as const;
  await client.query('DELETE FROM detector');
  for (const [name, config] of detectors)
    await client.query('INSERT INTO detector (name, kind, config) VALUES ($1, $2, $3)', [name, config.kind, JSON.stringify(config)]);
  await client.query(`INSERT INTO domain (host, type) SELECT 'd' || number || '.watched.com', 1 FROM generate_series(1, $1) AS number`, [
    domains,
  ]);
  await client.query(
    `WITH owner AS (SELECT min(id) AS id FROM user_account), code AS (
       INSERT INTO live_code (file_name, owner_id, name, entry_domain_id)
       SELECT 'code' || domain.id || 'n' || number, owner.id, 'code', domain.id FROM owner, domain, generate_series(1, $1) AS number RETURNING id
     ) INSERT INTO live_code_total (live_code_id, visits, ips) SELECT id, id % 997, 1 FROM code`,
    [codes],
  );
  await client.query(`UPDATE domain_monitor SET due_at = now() + random() * make_interval(secs => $1)`, [interval]);
}

type Look = { overdue: number; oldest: number; checks: number; failed: number };
async function look(): Promise<Look> {
  const { rows } = await client.query<Look>(`
    SELECT greatest(extract(epoch FROM now() - min(due_at)), 0)::float8 AS overdue, extract(epoch FROM now() - min(checked_at))::float8 AS oldest,
      (SELECT coalesce(sum(normal + blocked + down + failed), 0) FROM domain_monitor_hour)::float8 AS checks,
      (SELECT coalesce(sum(failed), 0) FROM domain_monitor_hour)::float8 AS failed
    FROM domain_monitor WHERE NOT paused AND enabled`);
  return rows[0] ?? { overdue: 0, oldest: 0, checks: 0, failed: 0 };
}

/** Blocks a domain everywhere and answers how long it took until it was seen. */
async function timeBlock(number: number, apis: string): Promise<number> {
  const host = `d${number}.watched.com`;
  const startedAt = performance.now();
  simulators.child.send({ block: host });
  for (;;) {
    await delay(250);
    const { rowCount } = await client.query('SELECT FROM domain WHERE host = $1 AND block_status = 2', [host]);
    if (rowCount) return (performance.now() - startedAt) / 1000;
    if (performance.now() - startedAt > 200_000) throw new Error(`the block of ${host} was never seen at ${apis}`);
  }
}

const say = (what: string, measured: string, wanted: string) => console.log(`${what}: ${measured} (wanted: ${wanted})`);

async function measureCalm(): Promise<boolean> {
  const worker = await startWorker();
  // The first minute checks everything for the first time.
  await delay((interval + 10) * 1000);
  const [before, processorBefore] = [await look(), processorTimeOf(worker.pid)];
  const queriesBefore = await transactions();
  const startedAt = performance.now();
  let [overdue, memory] = [0, 0];
  const blocks = Promise.all(
    Array.from({ length: 20 }, (_, index) => timeBlock(1 + index * Math.floor(domains / 20), simulators.addresses.apis)),
  );
  while (performance.now() - startedAt < seconds * 1000) {
    await delay(500);
    overdue = Math.max(overdue, (await look()).overdue);
    memory = Math.max(memory, memoryOf(worker.pid).pss);
  }
  const spent = (performance.now() - startedAt) / 1000;
  const after = await look();
  const seen = (await blocks).sort((a, b) => a - b);
  const perMinute = ((after.checks - before.checks) / spent) * 60;
  say('checks a minute', perMinute.toFixed(0), `${domains}`);
  say('overdue at most', `${overdue.toFixed(1)} s`, '<= 10 s');
  say(
    'the worker',
    `${memory.toFixed(0)} MB at most, ${(((processorTimeOf(worker.pid) - processorBefore) / spent) * 100).toFixed(0)} % of a core`,
    '< 200 MB',
  );
  say('transactions of the database', `${(((await transactions()) - queriesBefore) / spent).toFixed(0)} a second`, '–');
  say('failed checks', `${after.failed - before.failed}`, '0');
  say(
    '20 blocks, until they are seen',
    `${(seen.reduce((sum, one) => sum + one, 0) / seen.length).toFixed(0)} s on average, ${seen.at(-1)?.toFixed(0)} s at most`,
    `<= ${interval * 1.1 + 10} s`,
  );
  worker.kill('SIGTERM');
  await new Promise((resolve) => worker.once('exit', resolve));
  return overdue <= 10 && memory < 200 && perMinute > domains * 0.95;
}

async function transactions(): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    'SELECT (xact_commit + xact_rollback)::float8 AS number FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.number ?? 0;
}

/** Kills the worker at odd moments; what it held is checked by the next one. */
async function measureKilled(): Promise<boolean> {
  let worker = await startWorker();
  await delay((interval + 10) * 1000);
  let [overdue, oldest] = [0, 0];
  const before = await look();
  const startedAt = performance.now();
  for (let kill = 0; kill < kills; kill += 1) {
    const until = performance.now() + 1_000 + Math.random() * 5_000;
    while (performance.now() < until) {
      await delay(250);
      const now = await look();
      overdue = Math.max(overdue, now.overdue);
      oldest = Math.max(oldest, now.oldest);
    }
    worker.kill('SIGKILL');
    worker = await startWorker();
  }
  const spent = (performance.now() - startedAt) / 1000;
  const after = await look();
  say('kills', `${kills} in ${spent.toFixed(0)} s`, '–');
  say('checks a minute meanwhile', (((after.checks - before.checks) / spent) * 60).toFixed(0), '–');
  say('a check late by at most', `${overdue.toFixed(1)} s`, `<= ${interval} s, an interval`);
  say('a domain not checked for at most', `${oldest.toFixed(1)} s`, `<= ${(interval * 2.1).toFixed(0)} s`);
  worker.kill('SIGTERM');
  await new Promise((resolve) => worker.once('exit', resolve));
  return overdue <= interval;
}

try {
  await migrate(postgres.url);
  await seed(client, { adminPassword: 'bench-password', visitPort: 3001, dataDir, demo: false });
  await fill(simulators.addresses);
  for (const detectors of [1, 2, 3]) {
    const { mean, p95 } = expectDetection(detectors, 20_000);
    console.log(
      `expected by ${detectors} detectors with the shipped rules: a block is seen after ${mean.toFixed(0)} s on average, 95 % within ${p95.toFixed(0)} s`,
    );
  }
  process.exitCode = (await (values.kill ? measureKilled() : measureCalm())) ? 0 : 1;
} finally {
  simulators.child.kill();
  await client.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
