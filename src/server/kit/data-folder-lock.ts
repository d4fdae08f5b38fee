import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { folderIdentity, isDiskFull, replaceFile } from './files.ts';
import { StartError } from './start-error.ts';
import { until } from './until.ts';

/** What the running supervisor leaves for the next one, in `supervisor.json`. */
export interface SupervisorState {
  /** Undefined in a copied folder: the original's processes are none of its business. */
  pid: number | undefined;
  /** False until a start on this data folder once came to its end. */
  completed: boolean;
  /** True from the moment it was told to stop. */
  stopping: boolean;
  /**
   * What it gives up on SIGUSR2 while it runs on: its data folder the first time, so that it answers visits alone, and those the second time.
   * Undefined where it knows no SIGUSR2, which ends it then.
   */
  lent?: 'nothing' | 'data' | 'visits' | undefined;
  children: { pid: number; identity: string; name: string }[];
}

/** Stopping takes at most the grace of the children and the database's last checkpoint. */
const maxStopMilliseconds = 60_000;

/**
 * Takes the data folder for this process, after waiting for a supervisor that is just stopping.
 * @returns releases the folder
 * @throws {StartError} when another supervisor holds it
 */
export async function lockDataFolder(dataDir: string, log: (line: string) => void): Promise<() => void> {
  let release = tryLock(dataDir);
  if (!release && readState(dataDir)?.stopping) {
    log('Waiting for the earlier start, which is stopping.');
    await until(() => {
      release = tryLock(dataDir);
      return release !== undefined;
    }, maxStopMilliseconds);
  }
  if (release) return release;
  const holder = readState(dataDir)?.pid;
  throw new StartError(`Livecode is already running on ${dataDir}${holder ? ` (process ${holder})` : ''}.`);
}

/**
 * Takes the data folder where nobody holds it. SQLite's lock is one of the kernel's, which no killed process can leave behind.
 * Two at the same moment can each hold the half that the other needs: with a timeout one of them lets go and tries again.
 */
export function tryLock(dataDir: string, timeout = 250): (() => void) | undefined {
  const database = new DatabaseSync(join(dataDir, 'supervisor.lock'), { timeout });
  try {
    // Nothing is ever written; without a journal file the lock is had on a full disk, too.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => {
      if (database.isOpen) database.close();
    };
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes('locked')) return undefined;
    if (isDiskFull(error)) throw new StartError(`The disk of ${dataDir} is full: make room on it first.`);
    throw error;
  }
}

/** Whether anybody holds a folder, or tries to at this moment. It keeps nobody waiting. */
export function isHeld(folder: string): boolean {
  const release = tryLock(folder, 0);
  release?.();
  return release === undefined;
}

/** The state that an earlier start left in this folder; of one that was left in another, which this one is a copy of, only what is the site's. */
export function readState(dataDir: string): SupervisorState | undefined {
  try {
    const { folder, ...state }: SupervisorState & { folder: string } = JSON.parse(readFileSync(join(dataDir, 'supervisor.json'), 'utf8'));
    if (folder === folderIdentity(dataDir)) return state;
    return { completed: state.completed, pid: undefined, stopping: false, children: [] };
  } catch {
    // Missing at the first start; damaged when the machine lost power, which also ended every child.
    return undefined;
  }
}

/** Keeps the state. On a full disk the earlier one stays: that must not keep visits from being answered. */
export function writeState(dataDir: string, state: SupervisorState): void {
  try {
    replaceFile(join(dataDir, 'supervisor.json'), JSON.stringify({ ...state, folder: folderIdentity(dataDir) }), 0o600);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}
