import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { addressOf } from '../kit/postgres/postgres-address.ts';
import type { Cluster } from '../kit/postgres/postgres-cluster.ts';
import { StartError } from '../kit/start-error.ts';
import type { ArchiveWriter } from './archive/writer.ts';
import { addPath, type Tally, walk } from './tree.ts';

/** Folders whose contents the server makes anew when it starts, as the chapter on base backups of PostgreSQL's manual lists them. */
const emptied = /^(log|pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
/** Files of the process that runs now, of another backup, or half written; temporary relations and files of sessions. */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|current_logfiles(\.tmp)?|postgresql\.auto\.conf\.tmp)$|^\.s\.PGSQL|(^|\/)(pgsql_tmp|pg_internal\.init)|\/t\d+_\d+/;
const writeAheadLog = /^pg_wal\//;
const control = 'global/pg_control';
export const clusterName = 'postgres';

const isCopied = (name: string): boolean => !emptied.test(name) && !leftOut.test(name);

/** Adds the cluster of a server that does not run and cannot start meanwhile: as it lies there, with its whole write-ahead log. */
export async function addStoppedCluster(archive: ArchiveWriter, folder: string): Promise<Tally> {
  const tally = { files: 0, bytes: 0 };
  await addClusterFiles(archive, folder, isCopied, tally);
  return tally;
}

/** Says of an entry of a cluster that it cannot be copied. */
function refuse(name: string): never {
  if (name.startsWith('pg_tblspc/'))
    throw new StartError('The database uses tablespaces outside of its folder, which a backup does not hold.');
  throw new StartError(`${name} in the database's folder is neither a file nor a folder: a backup cannot hold it.`);
}

async function addClusterFiles(archive: ArchiveWriter, folder: string, isWanted: (name: string) => boolean, tally: Tally): Promise<void> {
  await archive.addFolder(clusterName);
  for await (const { name, path, kind } of walk(folder, isWanted)) {
    const entryName = `${clusterName}/${name}`;
    if (kind === 'folder') await archive.addFolder(entryName);
    else if (kind === 'file') await addPath(archive, entryName, path, tally);
    // Operators may have moved the log to a disk of its own.
    else if (name === 'pg_wal') await addLinkedLog(archive, path, isWanted, tally);
    else refuse(name);
  }
}

async function addLinkedLog(archive: ArchiveWriter, path: string, isWanted: (name: string) => boolean, tally: Tally): Promise<void> {
  await archive.addFolder(`${clusterName}/pg_wal`);
  for await (const { name, path: from, kind } of walk(path, isWanted, 'pg_wal/')) {
    if (kind === 'folder') await archive.addFolder(`${clusterName}/${name}`);
    else if (kind === 'file') await addPath(archive, `${clusterName}/${name}`, from, tally);
  }
}

export interface ClusterBackup {
  /** Adds the files of the cluster, then ends the backup and adds the log that makes them one state. */
  addTo(archive: ArchiveWriter, onStopped: () => Promise<void>): Promise<Tally>;
  /** Of the product's database. */
  client: pg.Client;
  major: number;
  close(): Promise<void>;
}

/**
 * Connects to the running server as its superuser. Whatever ends this process ends the session, and with it the backup mode and the slot
 * that keeps the log: both live no longer than the session.
 */
export async function openRunningCluster(cluster: Cluster, url: string): Promise<ClusterBackup> {
  const socketFolder = new URL(url).searchParams.get('host') ?? '';
  const connectionString = addressOf('postgres', cluster.superuserPassword, 'livecode', socketFolder);
  const client = new pg.Client({ connectionString, application_name: 'livecode backup', connectionTimeoutMillis: 10_000 });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  await client.connect();
  await client.query('SET idle_session_timeout = 0; SET statement_timeout = 0');
  const { rows } = await client.query<{ major: number; segment: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS major, pg_size_bytes(current_setting('wal_segment_size'))::float8 AS segment`,
  );
  const { major = 0, segment = 0 } = rows[0] ?? {};

  return {
    client,
    major,
    async addTo(archive, onStopped) {
      const tally = { files: 0, bytes: 0 };
      await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [`livecode_backup_${process.pid}`]);
      const start = await walName(client, `pg_backup_start('livecode', fast => true)`);
      const isData = (name: string) =>
        isCopied(name) && name !== control && !(writeAheadLog.test(name) && !/^pg_wal\/(archive_status|summaries)$/.test(name));
      await addClusterFiles(archive, cluster.folder, isData, tally);
      // Last, as pg_basebackup does it.
      await archive.addBytes(`${clusterName}/${control}`, await readControl(join(cluster.folder, control)));
      if (lost) throw lost;
      const stopped = await client.query<{ stop: string; label: string; spaces: string }>(
        'SELECT pg_walfile_name(lsn) AS stop, labelfile AS label, spcmapfile AS spaces FROM pg_backup_stop(wait_for_archive => false)',
      );
      const { stop = '', label = '', spaces = '' } = stopped.rows[0] ?? {};
      await onStopped();
      await archive.addBytes(`${clusterName}/backup_label`, Buffer.from(label));
      if (spaces) await archive.addBytes(`${clusterName}/tablespace_map`, Buffer.from(spaces));
      await addLog(archive, join(cluster.folder, 'pg_wal'), { start, stop, segment }, tally);
      return tally;
    },
    close: () => client.end().catch(() => {}),
  };
}

async function walName(client: pg.Client, position: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(`SELECT pg_walfile_name(${position}) AS name`);
  return rows[0]?.name ?? '';
}

/** The server rewrites it in one piece; read twice the same, it was not read in the middle of that. */
async function readControl(path: string): Promise<Buffer> {
  let before = await readFile(path);
  for (;;) {
    const after = await readFile(path);
    if (after.equals(before)) return after;
    before = after;
  }
}

/** Segments have names of 24 hexadecimal digits: timeline, then the number in two parts. */
async function addLog(
  archive: ArchiveWriter,
  folder: string,
  { start, stop, segment }: { start: string; stop: string; segment: number },
  tally: Tally,
): Promise<void> {
  const perPart = 2 ** 32 / segment;
  const numberOf = (name: string) => Number.parseInt(name.slice(8, 16), 16) * perPart + Number.parseInt(name.slice(16), 16);
  const partOf = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  for (let number = numberOf(start); number <= numberOf(stop); number += 1) {
    const name = `${start.slice(0, 8)}${partOf(Math.floor(number / perPart))}${partOf(number % perPart)}`;
    const before = tally.files;
    await addPath(archive, `${clusterName}/pg_wal/${name}`, join(folder, name), tally);
    if (tally.files === before) throw new Error(`The database removed ${name} of its write-ahead log, which the backup needs.`);
  }
  for await (const { name, path } of walk(folder, (candidate) => candidate.endsWith('.history'))) {
    await addPath(archive, `${clusterName}/pg_wal/${name}`, path, tally);
  }
}
