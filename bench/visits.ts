/**
 * How fast visits are answered: `npm run bench:visits -- [--rounds 5] [--seconds 5] [--codes 1000000] [--only bare|codes|everything|whole]`; see
 * README.md beside this file.
 * Each figure is the median of alternated rounds against a bare node:http server in the same session.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { makeDataFolder } from '../src/server/kit/folders.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { readBatch } from '../src/server/kit/visits/journal/reader.ts';
import { journalFolder, listSegments } from '../src/server/kit/visits/journal/segment.ts';
import { redirectRuntime } from '../src/server/redirect/runtime.ts';
import { codeVisits, fillEverything, linkVisits } from './everything.ts';
import { codeName, hasWrk, type Load, load, type Visit } from './load.ts';
import { median } from './percentile.ts';
import { processorTimeOf } from './processes.ts';
import { whole } from './whole.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    codes: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    profile: { type: 'string' },
    only: { type: 'string' },
  },
});
const parts = ['bare', 'codes', 'everything', 'whole'] as const;
// Of a part that is none nothing would be measured, and nothing missed.
if (values.only !== undefined && !parts.some((part) => part === values.only)) throw new Error(`--only ${values.only}: ${parts.join(', ')}`);
const [rounds, seconds, codes] = [Number(values.rounds), Number(values.seconds), Number(values.codes)];
const connections = 64;
const codesInUse = Math.min(10_000, codes);
const cores = availableParallelism();
const ports = { bare: 3911, visits: 3912, everything: 3913, control: 3914 };
const temporaryFileSystem = 0x01021994;

const folder = mkdtempSync(join(values.folder ?? diskFolder(), 'livecode-bench-visits-'));
const dataDir = join(folder, 'data');
/** Each process that serves beside others has its own journals. */
const folders = { visits: dataDir, everything: join(folder, 'everything'), control: join(folder, 'control') };
const children: ChildProcess[] = [];
let answered = 0;

/** Syncs to memory would prove nothing. */
function diskFolder(): string {
  return statfsSync(tmpdir()).type === temporaryFileSystem ? '/var/tmp' : tmpdir();
}

async function start(args: string[], env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.push(child);
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with code ${code}`)));
  });
  child.channel?.unref();
  return child;
}

async function end(processes: ChildProcess[]): Promise<void> {
  await Promise.all(
    processes.map(async (child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }),
  );
}

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const startBare = (count: number) =>
  Promise.all(Array.from({ length: count }, () => start([program('bare.ts'), String(ports.bare), count > 1 ? 'shared' : ''])));

const startVisits = (count: number, databaseUrl: string, side: keyof typeof folders = 'visits', isProxied = false) =>
  Promise.all(
    Array.from({ length: count }, (_, slot) =>
      start(
        [
          ...redirectRuntime.args,
          ...(values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []),
          program('../src/server/redirect/main.ts'),
        ],
        {
          DATABASE_URL: databaseUrl,
          LIVECODE_DATA_DIR: folders[side],
          LIVECODE_VISIT_PORT: String(ports[side]),
          LIVECODE_TRUSTED_PROXIES: isProxied ? '127.0.0.1' : '',
          LIVECODE_SLOT: String(slot),
          LIVECODE_REDIRECT_PROCESSES: String(count),
          LIVECODE_LOG_LEVEL: 'warn',
        },
      ),
    ),
  );

const median2 = (loads: Load[]) => ({
  requests: median(loads.map(({ requests_per_second }) => requests_per_second)),
  p99: median(loads.map(({ p99 }) => p99)),
});

async function measure(side: keyof typeof ports, options: { threads: number; visits?: readonly Visit[]; seconds?: number }): Promise<Load> {
  const one = await load({ port: ports[side], connections, seconds, ...options });
  if (side !== 'bare') answered += one.answers;
  if (one.failures > 0) throw new Error(`${one.failures} of ${one.answers} requests to ${side} failed`);
  return one;
}

/** Two loads in turns, after one second of each to warm up. */
async function compare(first: () => Promise<Load>, second: () => Promise<Load>): Promise<[Load[], Load[]]> {
  const results: [Load[], Load[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    results[0].push(await first());
    results[1].push(await second());
  }
  return results;
}

const verdicts: boolean[] = [];
function say(text: string, figure: number, target: string, isMet: boolean): void {
  verdicts.push(isMet);
  console.log(`  ${text.padEnd(58)} ${figure.toFixed(2).padStart(8)}   ${target.padEnd(12)} ${isMet ? 'met' : 'MISSED'}`);
}

function tell(name: string, loads: Load[]): void {
  const { requests, p99 } = median2(loads);
  const each = loads.map(({ requests_per_second }) => (requests_per_second / 1000).toFixed(1)).join(' ');
  console.log(
    `  ${name.padEnd(34)} ${requests.toFixed(0).padStart(8)}/s   p99 ${p99.toFixed(2).padStart(7)} ms   ${loads.length > 9 ? '' : `(thousands: ${each})`}`,
  );
}

async function againstBare(count: number, databaseUrl: string): Promise<void> {
  console.log(
    `\n${count} ${count === 1 ? 'process' : 'processes'} against as many of bare node:http, ${connections} connections, one code`,
  );
  const [bareServers, visitServers] = [await startBare(count), await startVisits(count, databaseUrl)];
  const threads = Math.min(count, cores);
  for (const side of ['bare', 'visits'] as const) await measure(side, { threads, seconds: 1 });
  const [bare, visits] = await compare(
    () => measure('bare', { threads }),
    () => measure('visits', { threads }),
  );
  tell('bare node:http, 302', bare);
  tell('visits, recorded and synced', visits);
  const [measureOf, ours] = [median2(bare), median2(visits)];
  say('requests per second, × of bare', ours.requests / measureOf.requests, '≥ 0.70', ours.requests >= 0.7 * measureOf.requests);
  say('p99, × of bare', ours.p99 / measureOf.p99, '< 3.00', ours.p99 < 3 * measureOf.p99);
  await end([...bareServers, ...visitServers]);
}

async function manyCodes(databaseUrl: string): Promise<void> {
  console.log(`\n${codesInUse} codes at random against one code, one process, ${codes} codes in the database`);
  const servers = await startVisits(1, databaseUrl);
  await measure('visits', { threads: 1, visits: codeVisits(codesInUse), seconds: 3 });
  const [one, many] = await compare(
    () => measure('visits', { threads: 1, visits: codeVisits(1) }),
    () => measure('visits', { threads: 1, visits: codeVisits(codesInUse) }),
  );
  tell('one code', one);
  tell(`${codesInUse} codes`, many);
  const ratio = median2(many).requests / median2(one).requests;
  say('requests per second, × of one code', ratio, '≥ 0.90', ratio >= 0.9);
  const pid = servers[0]?.pid ?? 0;
  const megabytes = memoryMegabytes(pid, 'VmRSS');
  say(`memory with ${codesInUse} codes in use, MB`, megabytes, '< 150', megabytes < 150);
  console.log(
    `    ${memoryMegabytes(pid, 'RssFile').toFixed(0)} of them are Node's program and libraries, which all processes of a machine share`,
  );
  await end(servers);
}

/** Rules, same targets, snippets, blocked networks, forwards and short codes against none of them: two databases, asked in turns. */
async function everything(databaseUrl: string): Promise<void> {
  const codesOfBoth = Math.min(1000, codes);
  console.log(
    `\n${codesOfBoth} codes with everything against the same without, one process each, every code's visitors from an address of their own`,
  );
  const url = new URL(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE DATABASE everything');
  await client.end();
  url.pathname = '/everything';
  await migrate(url.href);
  await fill(url.href, codesOfBoth, (filled) => fillEverything(filled, codesOfBoth));
  const plain = codeVisits(codesOfBoth, true);
  const urls = { visits: databaseUrl, control: databaseUrl, everything: url.href };
  const turns: Turn[] = [];
  for (let round = 0; round < rounds; round += 1) {
    turns.push(...(await turnsOfFreshProcesses(urls, { plain, mixed: [...plain, ...linkVisits(codesOfBoth)] })));
  }
  tellRatio('one process without, × of the other without: what chance does', turns, ({ without, control }) => [control, without]);
  for (const [what, asked] of [
    ['with everything', 'together'],
    ['and a third of the visits to short codes, a third to forwards', 'links'],
  ] as const) {
    const ratio = tellRatio(what, turns, (turn) => [turn[asked], turn.without, turn.control]);
    say('requests per second, × of without', ratio, '≥ 0.90', ratio >= 0.9);
  }
}

type Side = keyof typeof folders;
type Timed = Load & { microseconds: number };
/** Two processes without anything, and one with everything: asked for codes, and for codes and links. */
type Turn = Record<'without' | 'control' | 'together' | 'links', Timed>;

/**
 * Loads of a second in turns, there and back: a machine that is shared changes its speed within seconds, so that only neighbours compare.
 * Each process has a speed of its own, too, by how its code was optimised and where its memory lies: two alike differ by a tenth. So each
 * round has fresh ones, and two without.
 */
async function turnsOfFreshProcesses(
  urls: Record<Side, string>,
  { plain, mixed }: Record<'plain' | 'mixed', readonly Visit[]>,
): Promise<Turn[]> {
  const processes = new Map<Side, ChildProcess | undefined>();
  for (const side of ['visits', 'control', 'everything'] as const) {
    processes.set(side, (await startVisits(1, urls[side], side, true))[0]);
    // Rows are read when they are first asked for.
    await measure(side, { threads: 1, visits: side === 'everything' ? mixed : plain, seconds: 3 });
  }
  const timed = async (side: Side, visits: readonly Visit[]): Promise<Timed> => {
    const pid = processes.get(side)?.pid ?? 0;
    const before = processorTimeOf(pid);
    const one = await measure(side, { threads: 1, visits, seconds: 1 });
    return { ...one, microseconds: ((processorTimeOf(pid) - before) * 1e6) / one.answers };
  };
  const turns: Turn[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const there = [
      ['without', 'visits', plain],
      ['together', 'everything', plain],
      ['links', 'everything', mixed],
      ['control', 'control', plain],
    ] as const;
    const done: Partial<Turn> = {};
    for (const [name, side, visits] of second % 2 === 0 ? there : there.toReversed()) done[name] = await timed(side, visits);
    turns.push(done as Turn);
  }
  await end([...processes.values()].filter((child) => child !== undefined));
  return turns;
}

/** The median of the turns' ratios: the first load against the mean of the others. */
function tellRatio(what: string, turns: readonly Turn[], of: (turn: Turn) => [Timed, ...Timed[]]): number {
  const ratioOf = (turn: Turn) => {
    const [asked, ...others] = of(turn).map(({ requests_per_second }) => requests_per_second);
    return ((asked ?? 0) * others.length) / others.reduce((sum, one) => sum + one, 0);
  };
  const ratios = turns.map(ratioOf).sort((a, b) => a - b);
  const at = (share: number) => (ratios[Math.floor(ratios.length * share)] ?? Number.NaN).toFixed(2);
  const each = Array.from({ length: rounds }, (_, round) =>
    median(turns.slice(round * seconds, (round + 1) * seconds).map(ratioOf)).toFixed(2),
  );
  const pair = (figure: (one: Timed) => number): [number, number] => [
    median(turns.map((turn) => figure(of(turn)[0]))),
    median(turns.flatMap((turn) => of(turn).slice(1).map(figure))),
  ];
  const [speed, compared] = pair((one) => one.requests_per_second);
  const [time, other] = pair(({ microseconds }) => microseconds);
  console.log(`  ${what}: ${at(0.5)} × (half of ${turns.length} between ${at(0.25)} and ${at(0.75)}; rounds ${each.join(' ')})`);
  console.log(`    ${speed.toFixed(0)} of ${compared.toFixed(0)}/s, processor time ${time.toFixed(1)} of ${other.toFixed(1)} µs a visit`);
  return median(ratios);
}

function memoryMegabytes(pid: number, of: 'VmRSS' | 'RssFile'): number {
  const kilobytes = new RegExp(`${of}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

/** Every answer that a client counted has its record in the journals. */
async function checkRecords(): Promise<void> {
  let recorded = 0;
  for (const { path } of Object.values(folders).flatMap((of) => listSegments(journalFolder(of)))) {
    for (let offset = 0; ; ) {
      const batch = await readBatch(path, offset, { isFinal: true });
      if (batch.damaged_bytes > 0) throw new Error(`${batch.damaged_bytes} damaged bytes in ${path}`);
      recorded += batch.records.length;
      if (batch.next <= offset) break;
      offset = batch.next;
    }
  }
  console.log(`\n${answered} answers were counted by the clients, ${recorded} visits stand in the journals`);
  // Those under way when a client stopped are recorded without being counted.
  say('visits answered and not recorded', Math.max(0, answered - recorded), '0', recorded >= answered);
}

async function fill(databaseUrl: string, count: number, more: (client: pg.Client) => Promise<void> = async () => {}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`INSERT INTO role (id, name, kind) VALUES (1, 'bench', 'super');
    INSERT INTO user_account (id, account, password_hash, role_id, invitation_code) VALUES (1, 'bench', 'none', 1, 'bench');
    INSERT INTO domain (host, type) VALUES ('127.0.0.1', 1);
    ALTER TABLE live_code DISABLE TRIGGER USER;
    ALTER TABLE live_code_target DISABLE TRIGGER USER`);
  await client.query(
    `INSERT INTO live_code (id, file_name, owner_id, name, page_title)
      SELECT n + 1, '${codeName(0).slice(0, -1)}' || n, 1, 'code ' || n, 'Code ' || n FROM generate_series(0, $1::integer - 1) AS n`,
    [count],
  );
  await client.query(
    `INSERT INTO live_code_target (live_code_id, kind, content, sort)
      SELECT id, 'url', 'https://target.example/' || id || '?from=livecode', 2 FROM live_code`,
  );
  await client.query(`INSERT INTO live_code_key (key, live_code_id, own) SELECT file_name, id, true FROM live_code;
    ALTER TABLE live_code ENABLE TRIGGER USER; ALTER TABLE live_code_target ENABLE TRIGGER USER`);
  await more(client);
  await client.query('VACUUM ANALYZE live_code, live_code_key, live_code_target');
  await client.end();
}

const isWanted = (part: (typeof parts)[number]) => values.only === undefined || values.only === part;
async function wholeProduct(): Promise<void> {
  const bare = await startBare(1);
  const ask = async (port: number, visits?: readonly Visit[]) => {
    const one = await load({ port, connections, seconds, threads: 1, ...(visits && { visits }) });
    if (one.failures > 0) throw new Error(`${one.failures} of ${one.answers} requests failed`);
    return one;
  };
  await whole({ folder, codes: Math.min(1000, codes), rounds, ask, barePort: ports.bare, say, tell });
  await end(bare);
}

/** The visit path alone, with a database that holds as many codes as are asked for. */
async function visitPath(): Promise<void> {
  let postgres = await startPostgres({ dataDir });
  try {
    await migrate(postgres.url);
    await fill(postgres.url, codes);
    // A million rows that came at once would be written to disk during the measurement; stopping writes them now.
    await postgres.stop();
    postgres = await startPostgres({ dataDir });
    if (isWanted('bare')) await againstBare(1, postgres.url);
    if (isWanted('bare') && cores > 1) await againstBare(cores, postgres.url);
    if (isWanted('codes')) await manyCodes(postgres.url);
    if (isWanted('everything')) await everything(postgres.url);
    await checkRecords();
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await delay(100);
    await postgres.stop();
  }
}

makeDataFolder(folder);
console.log(`Node ${process.version}, ${cores} cores, ${(await hasWrk()) ? 'wrk' : 'autocannon'}, data in ${folder}`);
try {
  if (values.only !== 'whole') await visitPath();
  if (isWanted('whole')) await wholeProduct();
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit(verdicts.every(Boolean) ? 0 : 1);
