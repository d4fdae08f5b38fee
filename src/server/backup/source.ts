import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../config.ts';
import { tryLock } from '../kit/data-folder-lock.ts';
import { refuseUnusable } from '../kit/postgres/outside-database.ts';
import { runningPostgres } from '../kit/postgres/postgres-address.ts';
import { type Cluster, readCluster } from '../kit/postgres/postgres-cluster.ts';
import { clearPredecessor } from '../kit/postgres/postgres-process.ts';
import { StartError } from '../kit/start-error.ts';
import type { ArchiveWriter } from './archive/writer.ts';
import { addStoppedCluster, openRunningCluster } from './cluster.ts';
import { addDump, requireClient } from './dump.ts';
import { type Manifest, machine } from './manifest.ts';
import type { Tally } from './tree.ts';

/** The database that a backup is made of. */
export interface DatabaseSource {
  /** For people. */
  state: string;
  manifest: Pick<Manifest, 'database' | 'migrations'>;
  /** Of the product's database; undefined where its server does not run. */
  client: pg.Client | undefined;
  /** Adds the database as it is at one moment, which lies between the call and `onCopied`. */
  addTo(archive: ArchiveWriter, onCopied: () => Promise<void>, signal: AbortSignal): Promise<Tally>;
  close(): Promise<void>;
}

/** A server that is starting or stopping is waited for so long. */
const maxChangeMilliseconds = 60_000;

/** @throws {StartError} where there is nothing to back up, or it cannot be */
export async function openSource(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: (line: string) => void,
  signal: AbortSignal,
  isHeld = false,
): Promise<DatabaseSource> {
  if (!existsSync(dataDir)) throw new StartError(`There is no data folder ${dataDir}: choose it by LIVECODE_DATA_DIR.`);
  if (databaseUrl) return openOutside(databaseUrl);
  const cluster = readCluster(dataDir);
  if (!cluster?.made)
    throw new StartError(`There is no database in ${dataDir}. Is another data folder meant (LIVECODE_DATA_DIR), or DATABASE_URL?`);
  if (isHeld) return openStopped(cluster, undefined);
  const { url, release } = await awaitSteadyState(dataDir, log, signal);
  try {
    return url ? await openRunning(cluster, url, release) : await openStopped(cluster, release);
  } catch (error) {
    release?.();
    throw error;
  }
}

/** Either the server runs, or nothing can start it: then we hold the data folder. */
async function awaitSteadyState(
  dataDir: string,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<{ url?: string; release?: () => void }> {
  for (let waited = 0; waited <= maxChangeMilliseconds; waited += 250) {
    const release = tryLock(dataDir);
    const url = runningPostgres(dataDir);
    if (url) return { url, ...(release && { release }) };
    if (release) return { release };
    if (waited === 0) log('Livecode is starting or stopping: waiting for its database.');
    await delay(250, undefined, { signal });
  }
  throw new StartError(`Livecode holds ${dataDir}, but its database does not answer. See its output, or stop it.`);
}

async function openRunning(cluster: Cluster, url: string, release: (() => void) | undefined): Promise<DatabaseSource> {
  const server = await openRunningCluster(cluster, url);
  const close = async () => {
    await server.close();
    release?.();
  };
  try {
    const migrations = await appliedMigrations(server.client);
    return {
      state: 'running',
      manifest: { database: { kind: 'cluster', major: server.major, machine, online: true }, migrations },
      client: server.client,
      addTo: server.addTo,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStopped(cluster: Cluster, release: (() => void) | undefined): Promise<DatabaseSource> {
  await clearPredecessor(cluster.folder, cluster.folder, () => {});
  const major = Number(await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8'));
  return {
    state: 'stopped; it cannot be started until the backup is done',
    manifest: { database: { kind: 'cluster', major, machine, online: false }, migrations: null },
    client: undefined,
    async addTo(archive, onCopied) {
      const database = await addStoppedCluster(archive, cluster.folder);
      await onCopied();
      return database;
    },
    close: async () => release?.(),
  };
}

async function openOutside(databaseUrl: string): Promise<DatabaseSource> {
  await refuseUnusable(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'livecode backup', connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ major: number }>(`SELECT current_setting('server_version_num')::int / 10000 AS major`);
    const major = rows[0]?.major ?? 0;
    requireClient('pg_dump', major);
    return {
      state: 'database of DATABASE_URL',
      manifest: { database: { kind: 'dump', major }, migrations: await appliedMigrations(client) },
      client,
      async addTo(archive, onCopied, signal) {
        const database = await addDump(archive, databaseUrl, signal);
        await onCopied();
        return database;
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Before anything is stopped for a backup. @throws {StartError} where an outside database does not answer, or no program here can dump it */
export async function refuseUndumpable(databaseUrl: string): Promise<void> {
  const source = await openOutside(databaseUrl);
  await source.close();
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rowCount } = await client.query(
    `SELECT WHERE to_regclass('migration') IS NOT NULL AND to_regclass('journal_segment') IS NOT NULL`,
  );
  if (!rowCount) throw new StartError('The database is still empty: there is nothing to back up before the first start came to its end.');
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration ORDER BY name');
  return rows.map(({ name }) => name);
}
