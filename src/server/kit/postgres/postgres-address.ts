import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCluster } from './postgres-cluster.ts';
import { isPostgresOf, postmasterLines } from './postgres-process.ts';

/** The address of the data folder's server while the product runs it; undefined while it does not, also for a copy of a running one's folder. */
export function runningPostgres(dataDir: string): string | undefined {
  const cluster = readCluster(dataDir);
  if (!cluster) return undefined;
  const lines = postmasterLines(cluster.folder);
  const socketFolder = lines[4]?.trim();
  if (lines[7]?.trim() !== 'ready' || !socketFolder) return undefined;
  const folder = realpathSync(cluster.folder);
  if (!isPostgresOf(Number(lines[0]), folder)) return undefined;
  return addressOf('livecode', cluster.password, 'livecode', resolve(folder, socketFolder));
}

/** The address of a database behind the unix socket in a folder. */
export function addressOf(user: string, password: string, database: string, socketFolder: string): string {
  const url = new URL(`postgresql://${user}:${password}@localhost:5432/${database}`);
  url.searchParams.set('host', socketFolder);
  return url.href;
}
