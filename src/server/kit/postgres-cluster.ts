import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './folders.ts';
import type { Account } from './postgres-account.ts';
import { canWriteIn, identity } from './postgres-account.ts';
import type { Binaries } from './postgres-binaries.ts';

/** What the data folder remembers about its cluster, in `postgres.json` (mode 0600). */
export interface Cluster {
  /** PostgreSQL's own data folder. */
  folder: string;
  /** Password of the superuser `postgres`. */
  superuserPassword: string;
  /** Password of `livecode`, which owns the product's database and is no superuser. */
  password: string;
  /** False while initdb has not finished once. */
  made: boolean;
}

export interface ClusterPlace {
  dataDir: string;
  account: Account | undefined;
  /** Where a cluster goes that its account could not reach below the data folder. */
  sharedFolder: string;
  log: (line: string) => void;
}

/** Finds the data folder's cluster, or makes it. An interrupted making is repeated; a lost cluster is an error, never replaced. */
export function openCluster(place: ClusterPlace, binaries: Binaries, initdbFlags: string[] = []): Cluster {
  const record = join(place.dataDir, 'postgres.json');
  const cluster: Cluster = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : planCluster(place);
  if (!cluster.made) {
    saveRecord(record, cluster);
    initialise(cluster, place, binaries, initdbFlags);
    cluster.made = true;
    saveRecord(record, cluster);
  }
  const versionFile = join(cluster.folder, 'PG_VERSION');
  if (!existsSync(versionFile)) throw new Error(`The database of ${place.dataDir} was in ${cluster.folder}, but is not there any more.`);
  const major = Number(readFileSync(versionFile, 'utf8'));
  if (major !== binaries.major) {
    throw new Error(`The database in ${cluster.folder} was made by PostgreSQL ${major}; this is PostgreSQL ${binaries.major}.`);
  }
  return cluster;
}

function planCluster({ dataDir, account, sharedFolder, log }: ClusterPlace): Cluster {
  const secrets = { superuserPassword: secret(), password: secret(), made: false };
  const beside = join(dataDir, 'postgres');
  if (isReachable(beside, account)) return { folder: beside, ...secrets };

  // The random part keeps a new data folder apart from what an earlier one of the same name left behind.
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
  const folder = join(sharedFolder, `${name}-${randomBytes(3).toString('hex')}`);
  makeFolder(sharedFolder, 0o755);
  if (!isReachable(folder, account))
    throw new Error(`The account "${account?.name}" of PostgreSQL can use neither ${beside} nor ${folder}.`);
  log(`The account "${account?.name}" of PostgreSQL cannot reach ${dataDir}: the database is kept in ${folder}.`);
  return { folder, ...secrets };
}

/** Tries the real thing: a folder of the account's own at that place. Leaves nothing behind. */
function isReachable(folder: string, account: Account | undefined) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const reachable = canWriteIn(account, folder);
  rmdirSync(folder);
  return reachable;
}

function initialise(cluster: Cluster, { account }: ClusterPlace, binaries: Binaries, flags: string[]) {
  const unfinished = `${cluster.folder}.new`;
  const passwordFile = join(dirname(unfinished), `.${basename(unfinished)}-password`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, cluster.superuserPassword, { mode: 0o600 });
  if (account) for (const path of [unfinished, passwordFile]) chownSync(path, account.uid, account.gid);
  // Sorting by code point is the same on every machine; character classes must know Chinese, for trigram search,
  // but a few systems lack the C.UTF-8 locale.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const common = ['--pgdata', unfinished, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
  const run = (...extra: string[]) =>
    spawnSync(binaries.initdb, [...common, ...locale, ...flags, ...extra], { ...identity(account), cwd: '/', encoding: 'utf8', env: {} });
  try {
    let result = run('--lc-ctype=C.UTF-8');
    if (result.status !== 0) result = run();
    if (result.status !== 0) {
      throw new Error(`PostgreSQL could not make its data folder ${cluster.folder}: ${result.stderr || result.error?.message}`);
    }
    appendFileSync(join(unfinished, 'postgresql.conf'), `\ninclude_if_exists = '${settingsFile}'\n`);
    renameSync(unfinished, cluster.folder);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const settingsFile = 'livecode.conf';

/** Our settings stand in a file of their own, rewritten at each start; ALTER SYSTEM still overrides them. */
export function writeSettings(folder: string, account: Account | undefined, settings: Record<string, string>) {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  const path = join(folder, settingsFile);
  writeFileSync(path, `# Rewritten at each start. Use ALTER SYSTEM for settings of your own.\n${lines.join('')}`, { mode: 0o600 });
  if (account) chownSync(path, account.uid, account.gid);
}

function secret() {
  return randomBytes(24).toString('base64url');
}

function saveRecord(path: string, cluster: Cluster) {
  writeFileSync(`${path}.new`, `${JSON.stringify(cluster, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
