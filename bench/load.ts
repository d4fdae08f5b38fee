import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
  /** Paths are `/{name}{number}` with random numbers below `codes`; without it `/{name}0` is asked for by a constant request. */
  codes?: number;
  /** Every code's visitors come from an address of its own, as a proxy tells. */
  with_addresses?: boolean;
}

const run = promisify(execFile);

/** What a phone's in-app browser sends; the same for all servers. */
const headers: Record<string, string> = {
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

/** Of Chinese carriers, mostly. */
const address = (number: number): string => `${[36, 39, 111, 112, 113, 115, 117, 119][number % 8]}.${number % 251}.${(number * 7) % 253}.9`;

async function loadByWrk({ port, seconds, connections, threads, codes, with_addresses }: LoadOptions): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'livecode-wrk-'));
  const script = join(folder, 'codes.lua');
  // The same work for the client whatever the number of codes, so that runs with one and with many compare.
  writeFileSync(
    script,
    `local made = {}
    function setup(thread) seed = (seed or 0) + 1; thread:set('seed', seed) end
    local addresses = {${with_addresses ? Array.from({ length: codes ?? 1 }, (_, number) => `'${address(number)}'`).join() : ''}}
    function init() math.randomseed(seed); for n = 0, ${(codes ?? 1) - 1} do
      if addresses[n + 1] then wrk.headers['X-Forwarded-For'] = addresses[n + 1] end
      made[n] = wrk.format('GET', '/${codeName(0).slice(0, -1)}' .. n) end end
    function request() return made[math.random(0, ${(codes ?? 1) - 1})] end`,
  );
  try {
    const { stdout } = await run('wrk', [
      ...['--latency', `-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(codes === undefined ? [] : ['-s', script]),
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

async function loadByAutocannon({ port, seconds, connections, codes, with_addresses }: LoadOptions): Promise<Load> {
  const { stdout } = await run(
    process.execPath,
    [
      '-e',
      `const [url, names] = [process.argv[1], Number(process.argv[2])];
      const addresses = ${JSON.stringify(with_addresses ? Array.from({ length: codes ?? 1 }, (_, number) => address(number)) : [])};
      const requests = Array.from({ length: names }, (_, n) => ({ path: '/${codeName(0).slice(0, -1)}' + n, ...(addresses[n] ? { headers: { 'X-Forwarded-For': addresses[n] } } : {}) })).sort(() => Math.random() - 0.5);
      require('autocannon')({ url, requests, connections: ${connections}, duration: ${seconds}, headers: ${JSON.stringify(headers)} })
        .then((result) => console.log(JSON.stringify(result)));`,
      `http://127.0.0.1:${port}`,
      String(codes ?? 1),
    ],
    { maxBuffer: 2 ** 26 },
  );
  const result: AutocannonResult = JSON.parse(stdout);
  return {
    requests_per_second: result.requests.average,
    p99: result.latency.p99,
    answers: result.requests.total,
    failures: result.non2xx - result['3xx'] + result.errors,
  };
}
