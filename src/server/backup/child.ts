import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runningPostgres } from '../kit/postgres/postgres-address.ts';
import { strippedSources } from '../kit/stripped.ts';
import { interrupted } from './program.ts';

const maxReason = 300;

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, maxReason);

/** Whether a program was told to end, with the worker that ran it: nothing failed then. */
export const wasInterrupted = (error: unknown): boolean => error instanceof Error && error.message === interrupted;

/**
 * Runs a program of ours for a data folder in a process of its own: it needs memory that the worker would keep. Answers what it reports.
 * @throws with the last that it said where it fails
 */
export async function runApart<T>(program: URL, dataDir: string, args: readonly string[]): Promise<T> {
  const { DATABASE_URL, INIT_CWD: _, ...environment } = process.env;
  // The supervisor names the embedded database to its parts, too; a backup of that one is made of its files.
  const outside = runningPostgres(dataDir) === undefined && DATABASE_URL ? { DATABASE_URL } : {};
  const env = { ...environment, ...outside, LIVECODE_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [...strippedSources, fileURLToPath(program), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-maxReason);
  });
  let answer: unknown;
  child.on('message', (message) => {
    answer = message;
  });
  const [code] = await once(child, 'close');
  if (code !== 0 || answer === undefined) throw new Error(said.trim() || `${program.pathname.split('/').at(-1)} ended with ${code}`);
  // The seam to another process, which runs this same version.
  return answer as T;
}
