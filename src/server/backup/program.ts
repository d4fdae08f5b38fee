import { resolve } from 'node:path';
import { ConfigError } from '../config.ts';
import { isBucketAddress } from '../kit/bucket-address.ts';
import { StartError } from '../kit/start-error.ts';

/** npm changes to the folder of the product: what was typed is meant from where it was typed. A bucket's address stays as it is. */
export const typedPath = (path: string): string => (isBucketAddress(path) ? path : resolve(process.env.INIT_CWD ?? process.cwd(), path));

/** What a program says that was told to end. */
export const interrupted = 'Interrupted: nothing was left behind.';

/** Runs one of our programs to its end: 0 when it is done, 1 for an error, in one line where the operator can mend it. */
export async function runProgram(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => stop.abort(new StartError(interrupted)));
  }
  process.umask(0o077);
  try {
    await work(stop.signal);
  } catch (error) {
    process.exitCode = 1;
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    console.error(isPlain(reason) ? reason.message : reason);
  }
  // Nothing that a failed step left open may keep the program from its end.
  process.exit();
}

/** Tells the worker that runs this program what came of it; typed into a shell it has nobody to tell. */
export const report = (result: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(result, () => resolve());
    else resolve();
  });

/** Errors of the system name the path; those of PostgreSQL say what it wants. */
const isPlain = (error: unknown): error is Error =>
  error instanceof StartError ||
  error instanceof ConfigError ||
  (error instanceof Error && 'code' in error && !(error instanceof TypeError));
