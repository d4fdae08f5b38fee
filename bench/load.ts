import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { percentile } from './percentile.ts';

export interface Load {
  requests_per_second: number;
  /** Milliseconds. */
  p99: number;
  answers: number;
  /** Answers other than 2xx and 3xx, and broken connections. */
  failures: number;
}

export interface LoadOptions {
  port: number;
  seconds: number;
  connections: number;
  threads: number;
  /** What is asked for, at random; without it the first code by a constant request. */
  visits?: readonly Visit[];
}

/** `address` is the visitor's, as a proxy tells. */
export type Visit = { path: string; host?: string; address?: string };

const run = promisify(execFile);

/** What a phone's in-app browser sends; the same for all servers. */
export const visitorHeaders: Record<string, string> = {
  'User-Agent':
    'Mozilla/5.0 (Linux; Android 14; V2309A Build/UP1A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160117 MicroMessenger/8.0.49.2600',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br',
  'Accept-Language': 'zh-CN,zh;q=0.9,en-US;q=0.8,en;q=0.7',
};

export const codeName = (number: number): string => `bench-${number}`;

/** `wrk` where it is installed, because it costs less processor time than anything in JavaScript; else autocannon. */
export async function hasWrk(): Promise<boolean> {
  return run('wrk', ['-v']).then(
    () => true,
    (error) => error.code !== 'ENOENT',
  );
}

export async function load(options: LoadOptions): Promise<Load> {
  return (await hasWrk()) ? loadByWrk(options) : loadByAutocannon(options);
}

const unitMilliseconds: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

async function loadByWrk({ port, seconds, connections, threads, visits }: LoadOptions): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'livecode-wrk-'));
  const script = join(folder, 'visits.lua');
  const listed = (visits ?? []).map(({ path, host = '', address = '' }) => `{'${path}', '${host}', '${address}'}`);
  // The same work for the client whatever the number of visits, so that runs with one and with many compare.
  writeFileSync(
    script,
    `local made = {}
    local visits = {${listed.join()}}
    function setup(thread) seed = (seed or 0) + 1; thread:set('seed', seed) end
    function init() math.randomseed(seed); for n, visit in ipairs(visits) do
      if visit[2] ~= '' then wrk.headers['Host'] = visit[2] else wrk.headers['Host'] = '127.0.0.1:${port}' end
      if visit[3] ~= '' then wrk.headers['X-Forwarded-For'] = visit[3] end
      made[n] = wrk.format('GET', visit[1]) end end
    function request() return made[math.random(1, ${listed.length})] end`,
  );
  try {
    const { stdout } = await run('wrk', [
      ...['--latency', `-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'],
      ...Object.entries(visitorHeaders).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(visits === undefined ? [] : ['-s', script]),
      `http://127.0.0.1:${port}/${codeName(0)}`,
    ]);
    const [, p99 = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s|m)/.exec(stdout) ?? [];
    const errors = /connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? [];
    return {
      requests_per_second: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      p99: Number(p99) * (unitMilliseconds[unit] ?? 1),
      answers: Number(/(\d+) requests in/.exec(stdout)?.[1]),
      failures: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0) + errors.reduce((sum, count) => sum + Number(count), 0),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface AutocannonResult {
  requests: { average: number; total: number };
  latency: { p99: number };
  non2xx: number;
  '3xx': number;
  errors: number;
}

async function loadByAutocannon({ port, seconds, connections, visits = [{ path: `/${codeName(0)}` }] }: LoadOptions): Promise<Load> {
  const requests = visits.map(({ path, host, address }) => ({
    path,
    headers: { ...(host && { host }), ...(address && { 'X-Forwarded-For': address }) },
  }));
  const folder = mkdtempSync(join(tmpdir(), 'livecode-autocannon-'));
  const list = join(folder, 'requests.json');
  writeFileSync(list, JSON.stringify(requests));
  const { stdout } = await run(
    process.execPath,
    [
      '-e',
      `const [url, list] = process.argv.slice(1);
      const requests = JSON.parse(require('fs').readFileSync(list)).sort(() => Math.random() - 0.5);
      require('autocannon')({ url, requests, connections: ${connections}, duration: ${seconds}, headers: ${JSON.stringify(visitorHeaders)} })
        .then((result) => console.log(JSON.stringify(result)));`,
      `http://127.0.0.1:${port}`,
      list,
    ],
    { maxBuffer: 2 ** 26 },
  ).finally(() => rmSync(folder, { recursive: true, force: true }));
  const result: AutocannonResult = JSON.parse(stdout);
  return {
    requests_per_second: result.requests.average,
    p99: result.latency.p99,
    answers: result.requests.total,
    failures: result.non2xx - result['3xx'] + result.errors,
  };
}

/** Visitors are no part of the machine that is measured: where it is allowed, what asks in their place waits for nobody. */
function standBeside({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, -10);
  } catch {
    console.log('the client of visits waits for the processor as all others do: only root may change that');
  }
}

/** Visits that come at a rate, from before what is measured until after it. */
export interface SteadyVisits {
  /** What was answered from now on until then; the percentile is the median of its seconds, because a disk that stalls once is no load. */
  during(end: Promise<unknown>): Promise<Load>;
  stop(): void;
}

/** @param rate visits a second, whether answers come or not */
export async function startSteadyVisits(port: number, rate: number, visits: readonly Visit[]): Promise<SteadyVisits> {
  const folder = mkdtempSync(join(tmpdir(), 'livecode-steady-'));
  const list = join(folder, 'visits.json');
  writeFileSync(list, JSON.stringify(visits));
  const program = fileURLToPath(new URL('./steady-client.ts', import.meta.url));
  const child = spawn(process.execPath, [program, String(port), String(rate), list], { stdio: ['ignore', 'pipe', 'inherit'] });
  standBeside(child);
  const lines = createInterface(child.stdout);
  await new Promise((resolve) => lines.once('line', resolve));
  rmSync(folder, { recursive: true, force: true });
  return {
    async during(end) {
      const startedAt = performance.now();
      const seconds: { latencies: number[]; failures: number }[] = [];
      const hear = (line: string) => void seconds.push(JSON.parse(line));
      lines.on('line', hear);
      await end;
      lines.off('line', hear);
      const answers = seconds.reduce((sum, second) => sum + second.latencies.length, 0);
      return {
        requests_per_second: (answers * 1000) / (performance.now() - startedAt),
        p99: percentile(
          seconds.map((second) => percentile(second.latencies, 0.99)),
          0.5,
        ),
        answers,
        failures: seconds.reduce((sum, second) => sum + second.failures, 0),
      };
    },
    stop: () => child.kill(),
  };
}
