import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../files.ts';
import { StartError } from '../start-error.ts';
import type { Account } from './postgres-account.ts';
import { identity, runsAs } from './postgres-account.ts';
import type { Binaries } from './postgres-binaries.ts';

/** What the data folder remembers about its cluster, in `postgres.json` (mode 0600). */
interface ClusterRecord {
  /** Password of the superuser `postgres`. */
  superuserPassword: string;
  /** Password of `livecode`, which owns the product's database and is no superuser. */
  password: string;
  /** False while initdb has not finished once. */
  made: boolean;
}

export interface Cluster extends ClusterRecord {
  /** PostgreSQL's own data folder. */
  folder: string;
}

/** Where a data folder keeps its cluster: always inside, so that a copy of the folder holds its database. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres');

const recordPath = (dataDir: string): string => join(dataDir, 'postgres.json');

/** The cluster of a data folder as its record tells; undefined before the first start. */
export function readCluster(dataDir: string): Cluster | undefined {
  if (!existsSync(recordPath(dataDir))) return undefined;
  const record: ClusterRecord = JSON.parse(readFileSync(recordPath(dataDir), 'utf8'));
  return { ...record, folder: clusterFolder(dataDir) };
}

/**
 * How PostgreSQL's programs name their data folder. As root they run as another account, which cannot enter a closed data folder or its
 * parents: on Linux they are started inside the cluster and name it by their working directory, which needs no way through the parents.
 */
export const folderArgument = (folder: string, account: Account | undefined): string =>
  account && process.platform === 'linux' ? '/proc/self/cwd' : folder;

/** Finds the data folder's cluster, or makes it. An interrupted making is repeated; a lost cluster is an error, never replaced. */
export function openCluster(dataDir: string, account: Account | undefined, binaries: Binaries, initdbFlags: string[] = []): Cluster {
  const cluster = readCluster(dataDir) ?? {
    folder: clusterFolder(dataDir),
    superuserPassword: secret(),
    password: secret(),
    made: false,
  };
  refuseClosedParents(dataDir, account);
  if (!cluster.made) {
    saveRecord(dataDir, cluster);
    initialise(cluster, account, binaries, initdbFlags);
    cluster.made = true;
    saveRecord(dataDir, cluster);
  }
  checkVersion(cluster.folder, dataDir, binaries.major);
  takeOwnership(cluster.folder, account);
  return cluster;
}

function refuseClosedParents(dataDir: string, account: Account | undefined): void {
  if (!account || folderArgument(dataDir, account) !== dataDir) return;
  const parents = [dataDir];
  for (let path = dataDir; path !== dirname(path); path = dirname(path)) parents.unshift(dirname(path));
  const closed = parents.find((path) => !runsAs(account, '/bin/sh', ['-c', 'test -x "$1"', 'sh', path]));
  if (closed) throw new StartError(`The account "${account.name}" of PostgreSQL cannot enter ${closed}: chmod o+x ${closed}`);
}

function checkVersion(folder: string, dataDir: string, expected: number): void {
  const versionFile = join(folder, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new StartError(
      `The database of ${dataDir} is missing: there is no ${versionFile}. Restore a backup (npm run restore), or choose another data folder by LIVECODE_DATA_DIR.`,
    );
  }
  const major = Number(readFileSync(versionFile, 'utf8'));
  if (major === expected) return;
  throw new StartError(
    `The database in ${folder} was made by PostgreSQL ${major}; this is PostgreSQL ${expected}. Start it with the version of Livecode that made it.`,
  );
}

/** A folder that was copied or restored belongs to who did it, with his modes: PostgreSQL wants its own account and nobody else. */
function takeOwnership(folder: string, account: Account | undefined): void {
  const { uid, mode } = statSync(folder);
  const owner = account?.uid ?? process.getuid?.() ?? uid;
  if (uid !== owner) {
    if (!account) throw new StartError(`The database in ${folder} belongs to another user: chown -R ${owner} ${folder}`);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
    }
    // Last, so that an interrupted change is repeated.
    chownSync(folder, account.uid, account.gid);
  }
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function initialise(cluster: Cluster, account: Account | undefined, binaries: Binaries, flags: string[]): void {
  const unfinished = `${cluster.folder}.new`;
  const passwordFile = `${cluster.folder}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  replaceFile(passwordFile, cluster.superuserPassword, 0o600);
  if (account) for (const path of [unfinished, passwordFile]) chownSync(path, account.uid, account.gid);
  const password = openSync(passwordFile, 'r');
  // Sorting by code point is the same on every machine; character classes must know Chinese, for trigram search,
  // but a few systems lack the C.UTF-8 locale.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const pgdata = folderArgument(unfinished, account);
  const common = ['--pgdata', pgdata, '--username=postgres', '--pwfile=/dev/stdin', '--auth=scram-sha-256', '--encoding=UTF8'];
  const run = (...extra: string[]) =>
    spawnSync(binaries.initdb, [...common, ...locale, ...flags, ...extra], {
      ...identity(account),
      cwd: unfinished,
      encoding: 'utf8',
      env: {},
      stdio: [password, 'pipe', 'pipe'],
    });
  try {
    let result = run('--lc-ctype=C.UTF-8');
    if (result.status !== 0) result = run();
    if (result.status !== 0) throw new StartError(`PostgreSQL could not make its data folder ${cluster.folder}: ${reasonOf(result)}`);
    appendFileSync(join(unfinished, 'postgresql.conf'), `\ninclude_if_exists = '${settingsFile}'\n`);
    renameSync(unfinished, cluster.folder);
  } finally {
    closeSync(password);
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const reasonOf = ({ stderr, error }: { stderr: string | null; error?: Error | undefined }): string =>
  stderr?.trim() || error?.message || 'for no stated reason';

const settingsFile = 'livecode.conf';

/** Our settings stand in a file of their own, which follows this version; ALTER SYSTEM still overrides them. */
export function writeSettings(folder: string, account: Account | undefined, settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  const text = `# Rewritten at each start. Use ALTER SYSTEM for settings of your own.\n${lines.join('')}`;
  const path = join(folder, settingsFile);
  // A start on a full disk writes nothing that stands already.
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  replaceFile(path, text, 0o600);
  if (account) chownSync(path, account.uid, account.gid);
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}

function saveRecord(dataDir: string, { superuserPassword, password, made }: ClusterRecord): void {
  replaceFile(recordPath(dataDir), `${JSON.stringify({ superuserPassword, password, made }, null, 2)}\n`, 0o600);
}
