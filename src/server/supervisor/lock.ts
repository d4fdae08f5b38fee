import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What the running supervisor leaves for the next one, in `supervisor.json`. */
export interface SupervisorState {
  pid: number;
  /** False until a start on this data folder once came to its end. */
  completed: boolean;
  children: { pid: number; identity: string; name: string }[];
}

/** Thrown when another supervisor holds the data folder. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
}

/**
 * Takes the data folder for this process. SQLite's lock is one of the kernel's, which no killed process can leave behind.
 * @returns releases the folder
 * @throws {DataFolderInUse}
 */
export function lockDataFolder(dataDir: string): () => void {
  const database = new DatabaseSync(join(dataDir, 'supervisor.lock'), { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Error && error.message.includes('locked'))) throw error;
    const holder = readState(dataDir)?.pid;
    throw new DataFolderInUse(`Livecode is already running on ${dataDir}${holder ? ` (process ${holder})` : ''}.`);
  }
  return () => database.close();
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
