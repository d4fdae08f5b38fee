import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../kit/until.ts';

/** What the running supervisor leaves for the next one, in `supervisor.json`. */
export interface SupervisorState {
  pid: number;
  /** False until a start on this data folder once came to its end. */
  completed: boolean;
  /** True from the moment it was told to stop. */
  stopping: boolean;
  children: { pid: number; identity: string; name: string }[];
}

/** Thrown when another supervisor holds the data folder. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
}

/** Stopping takes at most the grace of the children and the database's last checkpoint. */
const longestStopMilliseconds = 60_000;

/**
 * Takes the data folder for this process, after waiting for a supervisor that is just stopping.
 * @returns releases the folder
 * @throws {DataFolderInUse}
 */
export async function lockDataFolder(dataDir: string, log: (line: string) => void): Promise<() => void> {
  let release = tryLock(dataDir);
  if (!release && readState(dataDir)?.stopping) {
    log('Waiting for the earlier start, which is stopping.');
    await until(() => {
      release = tryLock(dataDir);
      return release !== undefined;
    }, longestStopMilliseconds);
  }
  if (release) return release;
  const holder = readState(dataDir)?.pid;
  throw new DataFolderInUse(`Livecode is already running on ${dataDir}${holder ? ` (process ${holder})` : ''}.`);
}

/**
 * SQLite's lock is one of the kernel's, which no killed process can leave behind.
 * Two at the same moment can each hold the half that the other needs: with a timeout one of them lets go and tries again.
 */
function tryLock(dataDir: string): (() => void) | undefined {
  const database = new DatabaseSync(join(dataDir, 'supervisor.lock'), { timeout: 250 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes('locked')) return undefined;
    throw error;
  }
}

export function readState(dataDir: string): SupervisorState | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'supervisor.json'), 'utf8'));
  } catch {
    // Missing at the first start; cut short when the machine lost power, which also ended every child.
    return undefined;
  }
}

export function writeState(dataDir: string, state: SupervisorState): void {
  writeFileSync(join(dataDir, 'supervisor.json'), JSON.stringify(state), { mode: 0o600 });
}
