import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './postgres-cluster.ts';
import { postmasterLines } from './postgres-process.ts';

/** The address of the data folder's server while the product runs it; undefined while it does not. */
export function runningPostgres(dataDir: string): string | undefined {
  const record = join(dataDir, 'postgres.json');
  if (!existsSync(record)) return undefined;
  const { folder, password }: Cluster = JSON.parse(readFileSync(record, 'utf8'));
  const lines = postmasterLines(folder);
  const socketFolder = lines[4]?.trim();
  if (lines[7]?.trim() !== 'ready' || !socketFolder) return undefined;
  const url = new URL(`postgresql://livecode:${password}@localhost:5432/livecode`);
  url.searchParams.set('host', socketFolder);
  return url.href;
}
