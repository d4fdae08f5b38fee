import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Migration, readMigrations } from '../kit/postgres/migrate.ts';
import { folderOf, type Installation } from './installation.ts';

export interface UpgradeOptions {
  installation: Installation;
  config: Config;
  signal: AbortSignal;
  log: (line: string) => void;
}

export const migrationsOf = (installation: Installation, version: string): Migration[] =>
  readMigrations(join(folderOf(installation, version), 'migrations'));
