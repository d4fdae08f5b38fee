import { join } from 'node:path';
import type { Config } from '../config.ts';
import { readState, tryLock } from '../kit/data-folder-lock.ts';
import { type Migration, readMigrations } from '../kit/postgres/migrate.ts';
import { StartError } from '../kit/start-error.ts';
import { folderOf, type Installation } from './installation.ts';

export interface UpgradeOptions {
  installation: Installation;
  config: Config;
  signal: AbortSignal;
  log: (line: string) => void;
}

export const migrationsOf = (installation: Installation, version: string): Migration[] =>
  readMigrations(join(folderOf(installation, version), 'migrations'));

/** @throws {StartError} while Livecode runs */
export function hold(dataDir: string, before = ''): () => void {
  const release = tryLock(dataDir);
  if (release) return release;
  const pid = readState(dataDir)?.pid;
  throw new StartError(`${before}Livecode runs on ${dataDir}${pid ? ` (process ${pid})` : ''}: stop it, and run the same command again.`);
}
