import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readState } from '../../kit/data-folder-lock.ts';
import { startPostgres } from '../../kit/postgres/postgres.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { compare, prepare } from '../../visits/testing/crash.ts';
import { type Balanced, startBalancedLoad } from './balanced-load.ts';
import { startCaddy } from './caddy.ts';
import { openPageSocket, type PageSocket } from './page-socket.ts';
import { type Together, tryTogether } from './together.ts';

export interface HostsPlan {
  folder: string;
  redirects: number;
  webs: number;
  workers: number;
  /** Visits a second. */
  rate: number;
  codes: number;
  /** Whether a real Caddy goes round the hosts, instead of the visitors themselves. */
  isThroughCaddy?: boolean;
  log?: (line: string) => void;
}

export interface HostsReport extends Balanced {
  seconds: number;
  kills: number;
  restarts: number;
  /** Answered visits without a row. */
  lost: number;
  /** Rollups that differ from rows, visits with two rows, targets beyond their threshold. */
  inconsistent: string[];
  /** Statuses of what the first web host began, at the last one, after everything. */
  together: Together;
  /** Of a page that was open throughout. */
  socket: PageSocket;
}

type Kind = 'web' | 'worker' | 'redirect';

/** One machine: a supervisor with a data folder of its own, on the database that all share. */
interface Host {
  name: string;
  kind: Kind;
  port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the supervisor and all that it started at once, as a power cut does. */
  kill(): Promise<void>;
}

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
/** Folders that all hosts see, where pictures are kept on the disk. */
const shared = ['uploads', 'exports'];
const maxStartMilliseconds = 120_000;
const maxLoadMilliseconds = 120_000;
const password = 'of-the-crash-test';

async function openHost(folder: string, kind: Kind, index: number, databaseUrl: string): Promise<Host> {
  const name = `${kind} ${index}`;
  const dataDir = join(folder, `${kind}-${index}`);
  mkdirSync(dataDir, { mode: 0o700 });
  for (const name of shared) {
    mkdirSync(join(folder, 'shared', name), { recursive: true });
    symlinkSync(join(folder, 'shared', name), join(dataDir, name));
  }
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    LIVECODE_DATA_DIR: dataDir,
    LIVECODE_ROLE: kind,
    LIVECODE_PORT: String(port),
    LIVECODE_VISIT_PORT: String(port),
    LIVECODE_REDIRECT_PROCESSES: '1',
    LIVECODE_MASTER_KEY: '0'.repeat(64),
    LIVECODE_TRUSTED_PROXIES: '127.0.0.1,::1',
    LIVECODE_TRON_PORT: '0',
    LIVECODE_LOG_LEVEL: 'fatal',
  };
  let child: ChildProcess;
  let ended: Promise<unknown>;
  return {
    name,
    kind,
    port,
    async start() {
      child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
      ended = once(child, 'exit');
      let said = '';
      const isReady = new Promise<boolean>((resolve) => {
        for (const stream of [child.stdout, child.stderr])
          stream?.on('data', (chunk) => {
            said += chunk;
            if (said.includes('Livecode is running')) resolve(true);
          });
      });
      const isOver = Promise.race([ended, delay(maxStartMilliseconds, undefined, { ref: false })]).then(() => false);
      if (!(await Promise.race([isReady, isOver]))) throw new Error(`${name} did not start:\n${said}`);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
    async kill() {
      const parts = readState(dataDir)?.children ?? [];
      child.kill('SIGKILL');
      for (const { pid } of parts) killIfThere(pid);
      await ended;
    },
  };
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

/**
 * Runs hosts as processes on one PostgreSQL, kills one of each kind with SIGKILL and restarts all of them one after another, under visits
 * that go round the redirect hosts as a load balancer sends them.
 */
export async function runHosts(plan: HostsPlan): Promise<HostsReport> {
  const { folder, log = () => {} } = plan;
  const settings = { max_connections: '300', shared_buffers: '128MB' };
  const postgres = await startPostgres({ dataDir: join(folder, 'database'), settings, initdbFlags: ['--no-sync'] });
  const measured = { seconds: 600, codes: plan.codes };
  const domainPort = await freePort();
  const names = await prepare(postgres.url, domainPort, measured);
  const kinds: [Kind, number][] = [
    ['web', plan.webs],
    ['worker', plan.workers],
    ['redirect', plan.redirects],
  ];
  const hosts: Host[] = [];
  for (const [kind, count] of kinds)
    for (let index = 0; index < count; index += 1) hosts.push(await openHost(folder, kind, index, postgres.url));
  const started: Host[] = [];
  let stopProxy = async () => {};
  let closePage = () => {};
  try {
    for (const host of hosts) {
      await host.start();
      started.push(host);
    }
    const redirects = hosts.filter(({ kind }) => kind === 'redirect');
    log(`${hosts.length} hosts run; ${plan.rate} visits a second come.`);
    const webs = hosts.filter(({ kind }) => kind === 'web').map(({ port }) => port);
    const page = await openPageSocket(webs, password);
    closePage = page.close;
    const startedAt = performance.now();
    const ports = redirects.map(({ port }) => port);
    const proxyPort = await freePort();
    if (plan.isThroughCaddy) stopProxy = await startCaddy(folder, proxyPort, ports);
    const load = startBalancedLoad({
      ports: plan.isThroughCaddy ? [proxyPort] : ports,
      host: `localhost:${domainPort}`,
      names,
      rate: plan.rate,
    });
    await delay(2000);
    const victims = kinds.flatMap(([kind, count]) => (count > 0 ? hosts.filter((host) => host.kind === kind).slice(0, 1) : []));
    for (const host of victims) {
      await host.kill();
      log(`${host.name} was killed (${load.answered.length} visits answered).`);
      await host.start();
    }
    for (const host of hosts) {
      await host.stop();
      await host.start();
      log(`${host.name} was restarted (${load.answered.length} visits answered).`);
    }
    await delay(1000);
    const counts = await load.stop();
    const seconds = (performance.now() - startedAt) / 1000;
    log('The visits are over; waiting for the loaders.');
    const { lost, inconsistent } = await loadedWhole(postgres.url, load.answered, measured);
    let together: Together = { session: 0, picture: 0, export: 0 };
    const socket = await page.endAfter(async () => {
      together = await tryTogether(webs.at(-1) ?? 0, webs[0] ?? 0, password);
    });
    return { ...counts, seconds, kills: victims.length, restarts: hosts.length, lost: lost.length, inconsistent, together, socket };
  } finally {
    closePage();
    await stopProxy();
    await Promise.all(started.map((host) => host.stop()));
    await postgres.stop();
  }
}

/** Until every answered visit is a row, or long enough to say that it is lost. */
async function loadedWhole(url: string, answered: readonly string[], measured: { seconds: number }) {
  for (const limit = Date.now() + maxLoadMilliseconds; ; await delay(1000)) {
    const { lost, inconsistent, limited_visits } = await compare(url, answered, measured);
    const overshot = limited_visits > 4 * measured.seconds * 40 ? [`${limited_visits} visits of targets with thresholds`] : [];
    if (lost.length === 0 || Date.now() > limit) return { lost, inconsistent: [...inconsistent, ...overshot] };
  }
}
