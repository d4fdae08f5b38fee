/**
 * How quick lists are in a large installation: `npm run bench:lists -- [--logs 1000000] [--users 100000] [--monitors 1000] [--repeat 30] [--only name]`.
 * Fills the embedded PostgreSQL, asks every list call of the contract (with `--only` those whose path holds that) for its first page, for
 * every sort and for every filter, and exports the whole log by the worker as it is (not with `--only`). Fails where the 95th percentile of a list is above 200 ms, or the worker takes 300 MB.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { z } from 'zod';
import { groups } from '../src/contract/api.ts';
import type { Call, Group } from '../src/contract/kit/call.ts';
import { createApp } from '../src/server/app.ts';
import { newToken } from '../src/server/kit/calls/authentication.ts';
import { openPool } from '../src/server/kit/postgres/database.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { seed } from '../src/server/seed.ts';
import { workerRuntime } from '../src/server/worker.runtime.ts';
import { fill, filterValues, furtherInputs } from './lists-data.ts';

const { values } = parseArgs({
  options: {
    logs: { type: 'string', default: '1000000' },
    users: { type: 'string', default: '100000' },
    monitors: { type: 'string', default: '1000' },
    repeat: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
});
const [logs, users, monitors, repeat] = [Number(values.logs), Number(values.users), Number(values.monitors), Number(values.repeat)];
const slowest = 200;
const maxMegabytes = 300;

type Schema = { enum?: unknown[]; type?: string; anyOf?: { const?: unknown }[]; items?: unknown };
type ListCall = { path: string; call: Call; properties: Record<string, Schema>; required: string[] };

const listCalls: ListCall[] = Object.values(groups as Record<string, Group>).flatMap((group) =>
  Object.entries(group.calls).flatMap(([action, call]) => {
    const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Record<string, Schema>;
      required?: string[];
    };
    const { properties = {}, required = [] } = schema;
    return properties.page_size && `${group.name}/${action}`.includes(values.only)
      ? [{ path: `${group.name}/${action}`, call, properties, required }]
      : [];
  }),
);

/** The first page, one for each sort, one for each filter, and the combinations that people use. */
function inputsOf({ path, properties, required }: ListCall, samples: Record<string, unknown>): object[] {
  const value = (field: string, { enum: choices, type, anyOf }: Schema): unknown =>
    samples[`${path}.${field}`] ?? samples[field] ?? choices?.[0] ?? anyOf?.[0]?.const ?? (type === 'boolean' ? true : undefined);
  const base = Object.fromEntries(required.map((field) => [field, value(field, properties[field] ?? {})]));
  const sorts = (properties.sort?.enum ?? []).map((sort) => ({ ...base, sort, order: 'desc' }));
  const filters = Object.entries(properties)
    .filter(([field]) => !['page', 'page_size', 'sort', 'order', 'after', 'token', 'ids', ...required].includes(field))
    .map(([field, schema]) => ({ ...base, [field]: value(field, schema) }))
    .filter((input) => Object.values(input).every((one) => one !== undefined));
  return [base, ...sorts, ...filters, ...(furtherInputs[path] ?? [])];
}

const peakMegabytes = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;

const dataDir = makeTestFolder();
const postgres = await startPostgres({ dataDir });
const pool = openPool(postgres.url, { warn: () => {} }, 10);
let worker: ChildProcess | undefined;
const faults: string[] = [];

async function startWorker(): Promise<void> {
  const env = { ...process.env, ...workerRuntime.env, DATABASE_URL: postgres.url, LIVECODE_DATA_DIR: dataDir, LIVECODE_LOG_LEVEL: 'warn' };
  worker = spawn(process.execPath, [...workerRuntime.args, fileURLToPath(new URL('../src/server/worker.ts', import.meta.url))], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ open: boolean }>(
      'SELECT EXISTS (SELECT FROM log WHERE id > coalesce((SELECT max(last_id) FROM log_seal), 0)) AS open',
    );
    if (!rows[0]?.open) break;
    await delay(500);
  }
  console.log(
    `sealed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s; the worker took at most ${peakMegabytes(worker.pid).toFixed(0)} MB`,
  );
}

/** A super administrator's session on the real app, over its own connections to the database. */
async function openSession() {
  const { token, hash } = newToken();
  await pool.query(
    `INSERT INTO session (token_hash, user_id, expires_at) SELECT $1, user_account.id, now() + interval '1 day' FROM user_account WHERE account = 'admin'`,
    [hash],
  );
  const app = await createApp({ pool, dataDir, trustedProxies: ['127.0.0.1'], logger: pino({ level: 'error' }) });
  await app.ready();
  let asked = 0;
  return async <T>(path: string, payload: object): Promise<T> => {
    asked += 1;
    // From many addresses: some calls may be asked only so often from one.
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `198.51.100.${asked % 250}` };
    const response = await app.inject({ method: 'POST', url: `/api/${path}`, headers, payload });
    if (response.statusCode !== 200)
      throw new Error(`${path} ${JSON.stringify(payload)}: ${response.statusCode} ${response.body.slice(0, 300)}`);
    return response.json() as T;
  };
}
type Ask = Awaited<ReturnType<typeof openSession>>;

async function measure(ask: Ask, path: string, input: object): Promise<{ median: number; p95: number }> {
  const times: number[] = [];
  await ask(path, input);
  for (let time = 0; time < repeat; time += 1) {
    const startedAt = performance.now();
    await ask(path, input);
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { median: times[Math.floor(repeat / 2)] ?? 0, p95: times[Math.ceil(repeat * 0.95) - 1] ?? 0 };
}

async function measureLists(ask: Ask): Promise<void> {
  const { rows } = await pool.query<{ user: number; role: number; code: number }>(`
    SELECT (SELECT user_id FROM log WHERE user_id IS NOT NULL GROUP BY user_id ORDER BY count(*) DESC LIMIT 1) AS "user",
      (SELECT id FROM role WHERE kind = 'customer' AND built_in) AS role, (SELECT min(id) FROM live_code) AS code`);
  const samples = filterValues(rows[0] ?? { user: 1, role: 1, code: 1 });
  for (const list of listCalls) {
    for (const input of inputsOf(list, samples)) {
      const measured = await measure(ask, list.path, input).catch((error: Error) => error);
      if (measured instanceof Error) {
        faults.push(measured.message);
        continue;
      }
      const { median, p95 } = measured;
      const isSlow = p95 > slowest;
      if (isSlow) faults.push(`${list.path} ${JSON.stringify(input)}: ${p95.toFixed(0)} ms`);
      console.log(
        `${isSlow ? 'SLOW' : '    '} ${p95.toFixed(0).padStart(5)} ms p95 ${median.toFixed(0).padStart(5)} ms median  ${list.path} ${JSON.stringify(input)}`,
      );
    }
  }
}

async function measureExport(ask: Ask, format: 'csv' | 'xlsx'): Promise<void> {
  const startedAt = performance.now();
  const { operation_id } = await ask<{ operation_id: number }>('log/export', { format });
  const seen = new Set<number>();
  for (;;) {
    const { content } = await ask<{ content: { status: number; done: number; total: number; message: string; file_size: number }[] }>(
      'async_operations/inquire',
      { ids: [operation_id] },
    );
    const [row] = content;
    if (row) seen.add(row.done);
    if (row && row.status !== 1) {
      const megabytes = peakMegabytes(worker?.pid);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const size = (row.file_size / 2 ** 20).toFixed(0);
      console.log(
        `export to ${format}: ${row.done} rows, ${size} MB in ${seconds} s, ${seen.size} different progresses; the worker took at most ${megabytes.toFixed(0)} MB`,
      );
      if (row.status !== 2 || row.done < logs || seen.size < 4) faults.push(`export to ${format}: ${JSON.stringify(row)}`);
      if (megabytes > maxMegabytes) faults.push(`export to ${format}: ${megabytes.toFixed(0)} MB`);
      return;
    }
    await delay(250);
  }
}

try {
  await migrate(postgres.url);
  await seed(pool, { adminPassword: 'bench-password', visitPort: 3001, dataDir, demo: false });
  await fill(pool, { logs, users, codes: 50_000, domains: 20_000, monitors });
  await startWorker();
  await pool.query('VACUUM ANALYZE log_seal, log_type');
  const ask = await openSession();
  await measureLists(ask);
  if (values.only === '') {
    await measureExport(ask, 'csv');
    await measureExport(ask, 'xlsx');
  }
  for (const fault of faults) console.error(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'every list and export is within its limits' : `${faults.length} faults`);
} finally {
  worker?.kill('SIGTERM');
  if (worker) await new Promise((resolve) => worker?.once('exit', resolve));
  await pool.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(faults.length === 0 ? 0 : 1);
