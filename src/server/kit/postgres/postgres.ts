import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { makeDataFolder } from '../folders.ts';
import { StartError } from '../start-error.ts';
import { until } from '../until.ts';
import { identity, postgresAccount } from './postgres-account.ts';
import { addressOf } from './postgres-address.ts';
import type { Binaries } from './postgres-binaries.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import type { Cluster } from './postgres-cluster.ts';
import { folderArgument, openCluster, writeSettings } from './postgres-cluster.ts';
import { clearPredecessor, postmasterLines } from './postgres-process.ts';

export interface PostgresOptions {
  /** Holds the cluster. */
  dataDir: string;
  /** Replaces single settings of the server. */
  settings?: Record<string, string>;
  initdbFlags?: string[];
  /** Receives a line for people, now and then. */
  log?: (line: string) => void;
  /** Called when the server ended without being asked; it is being restarted then. */
  onExit?: (reason: string) => void;
  /** Nobody who knows the usual address reaches it: what runs beside takes the database for away. */
  isPrivate?: boolean;
  /** Where PostgreSQL's programs are copied to, as root only, when its account cannot reach node_modules. */
  programsFolder?: string;
}

export interface Postgres {
  /** Of the product's database; reaches the server by a unix socket, and stays the same over restarts. */
  url: string;
  /** PostgreSQL's own data folder. */
  folder: string;
  /** Process id of the server as it is now, for tests and the status screen. */
  pid(): number | undefined;
  /** Ends sessions, writes a checkpoint, stops. May be called again. */
  stop(): Promise<void>;
}

const defaultSettings = {
  shared_buffers: '256MB',
  // Of a disk without heads: else all packed counts of a month are read in place of those of a hundred codes.
  random_page_cost: '1.1',
  // No answer takes so long that its statement is worth compiling.
  jit: 'off',
  max_connections: '100',
  synchronous_commit: 'on',
  wal_compression: 'on',
  autovacuum: 'on',
  // So often what came is summarized, too: who asks for the newest visits looks through all that is not.
  autovacuum_naptime: '15s',
  track_io_timing: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'on',
  // One file per weekday, overwritten a week later: the log never grows without bound.
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
};

/** Opens the cluster of a data folder, making it first where needed, and starts it. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const postgres = openPostgres(options);
  await postgres.start();
  return postgres;
}

/** Opens the cluster of a data folder, making it first where needed: its address is known before the server runs. */
export function openPostgres(options: PostgresOptions): Postgres & { start(): Promise<void> } {
  const { log = () => {}, programsFolder = '/var/lib/livecode' } = options;
  const account = postgresAccount();
  makeDataFolder(options.dataDir);
  const dataDir = realpathSync(options.dataDir);
  const binaries = postgresBinaries(account, programsFolder, log);
  const cluster = openCluster(dataDir, account, binaries, options.initdbFlags);
  writeSettings(cluster.folder, account, {
    ...defaultSettings,
    ...(binaries.hasStatementStatistics && { shared_preload_libraries: 'pg_stat_statements' }),
    ...options.settings,
  });
  const socketDir = socketFolder(cluster.folder, account, options.isPrivate);

  let server: ChildProcess | undefined;
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;

  const run = async () => {
    const child = await launch(cluster, binaries, socketDir, log);
    server = child;
    child.once('exit', (code, signalName) => {
      if (stopping) return;
      options.onExit?.(`PostgreSQL ended (${signalName ?? `code ${code}`})`);
      starting = restart();
    });
  };
  const restart = async () => {
    for (let wait = 100; !stopping; wait = Math.min(wait * 2, 5000)) {
      try {
        return await run();
      } catch (error) {
        log(error instanceof Error ? error.message : String(error));
        await delay(wait);
      }
    }
  };
  const stop = async () => {
    // A start under way is let come to its end: half-started is the one state in which a stop could miss.
    await starting?.catch(() => {});
    if (server) await shutDown(server);
    if (socketDir !== cluster.folder) rmSync(socketDir, { recursive: true, force: true });
  };

  return {
    url: addressOf('livecode', cluster.password, 'livecode', socketDir),
    folder: cluster.folder,
    pid: () => server?.pid,
    async start() {
      starting ??= run().catch((error) => {
        // The caller may try again, when there is room on the disk for example.
        starting = undefined;
        throw error;
      });
      await starting;
      await prepareDatabase(cluster, socketDir, binaries);
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Socket addresses end at 103 bytes on some systems, the name of the socket included. */
function socketFolder(folder: string, account: ReturnType<typeof postgresAccount>, isPrivate = false) {
  if (!isPrivate && Buffer.byteLength(join(folder, '.s.PGSQL.5432.lock')) <= 100) return folder;
  const short = mkdtempSync(join(Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : '/tmp', 'livecode-'));
  if (account) chownSync(short, account.uid, account.gid);
  return short;
}

async function launch(cluster: Cluster, binaries: Binaries, socketDir: string, log: (line: string) => void): Promise<ChildProcess> {
  await clearPredecessor(cluster.folder, socketDir, log);
  // A group of its own, so that Ctrl-C in the terminal reaches only us, who stop it last.
  const account = postgresAccount();
  // By its full name PostgreSQL's account may not reach the socket's folder either.
  const socketArgument = socketDir === cluster.folder ? '.' : socketDir;
  const programArguments = ['-D', folderArgument(cluster.folder, account), '-k', socketArgument, '-p', '5432', '-c', 'listen_addresses='];
  const child = spawn(binaries.postgres, programArguments, {
    ...identity(account),
    cwd: cluster.folder,
    env: { TZ: 'UTC' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-2000);
  });
  let hasEnded = false;
  child.once('error', (error) => {
    said = error.message;
    hasEnded = true;
  });
  child.once('exit', () => {
    hasEnded = true;
  });
  const isReady = () => {
    const lines = postmasterLines(cluster.folder);
    return Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready';
  };
  // Recovery after a crash may take minutes; as long as the process lives it is working on it.
  while (!(await until(() => hasEnded || isReady(), 10_000))) log('PostgreSQL is still recovering its data.');
  if (hasEnded) throw new StartError(`PostgreSQL did not start: ${said.trim() || `see ${join(cluster.folder, 'log')}`}`);
  return child;
}

/** Makes the product's role and database where they are missing. */
async function prepareDatabase(cluster: Cluster, socketDir: string, binaries: Binaries) {
  const admin = new Client({ connectionString: addressOf('postgres', cluster.superuserPassword, 'postgres', socketDir) });
  // The call under way fails too; without a listener the event would end the process.
  admin.on('error', () => {});
  await admin.connect();
  try {
    const { rowCount: hasRole } = await admin.query(`SELECT FROM pg_roles WHERE rolname = 'livecode'`);
    if (!hasRole) await admin.query(`CREATE ROLE livecode LOGIN CREATEDB PASSWORD ${admin.escapeLiteral(cluster.password)}`);
    await admin.query('GRANT pg_monitor TO livecode');
    const { rowCount: hasDatabase } = await admin.query(`SELECT FROM pg_database WHERE datname = 'livecode'`);
    if (!hasDatabase) await admin.query('CREATE DATABASE livecode OWNER livecode');
  } finally {
    await admin.end();
  }
  if (!binaries.hasStatementStatistics) return;
  const inside = new Client({ connectionString: addressOf('postgres', cluster.superuserPassword, 'livecode', socketDir) });
  inside.on('error', () => {});
  await inside.connect();
  await inside.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements').finally(() => inside.end());
}

async function shutDown(server: ChildProcess) {
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  for (const [signalName, milliseconds] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (hasEnded()) return;
    server.kill(signalName);
    if (await until(hasEnded, milliseconds)) return;
  }
}
