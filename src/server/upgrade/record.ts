import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../kit/files.ts';
import { StartError } from '../kit/start-error.ts';

/** What an upgrade leaves for the next step, whoever takes it: the same command after a kill, the way back, or a start. */
export interface UpgradeRecord {
  from: string;
  to: string;
  dataDir: string;
  /** Made before anything was changed; undefined on hosts that do not own the schema. */
  backup?: string;
  begun_at: string;
  isDone: boolean;
  /** While the data folder is exchanged for the one of the backup; what the release before recorded since stays where the new one never ran. */
  back?: { restored: string; aside: string; hasRun: boolean };
}

const fileOf = (home: string): string => join(home, 'upgrade.json');

export function readRecord(home: string): UpgradeRecord | undefined {
  return existsSync(fileOf(home)) ? JSON.parse(readFileSync(fileOf(home), 'utf8')) : undefined;
}

export const writeRecord = (home: string, record: UpgradeRecord): void =>
  replaceFile(fileOf(home), `${JSON.stringify(record, null, 2)}\n`, 0o600);

export const removeRecord = (home: string): void => rmSync(fileOf(home), { force: true });

/** @throws {StartError} while the data folder may be away: a start would make a new, empty site in its place */
export function refuseUnfinishedReturn(home: string): void {
  const record = readRecord(home);
  if (record?.back) throw new StartError(`The way back to ${record.from} was interrupted: npm run upgrade -- --back ends it.`);
}
