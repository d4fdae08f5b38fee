import { isHeld, readState, tryLock } from '../kit/data-folder-lock.ts';
import { StartError } from '../kit/start-error.ts';
import { until } from '../kit/until.ts';

/** The grace of its parts, and the database's last checkpoint. */
const maxLendMilliseconds = 120_000;
const maxStartMilliseconds = 180_000;

/**
 * Takes the data folder. What runs on it lends it, and answers visits meanwhile; it starts the installation's release when the upgrade is over.
 * @throws {StartError} where that knows no lending, and has to be stopped
 */
export async function hold(dataDir: string, before = ''): Promise<() => void> {
  let release = tryLock(dataDir);
  if (release) return release;
  const state = readState(dataDir);
  if (state?.pid !== undefined && state.lent === 'nothing' && isAlive(state.pid)) {
    process.kill(state.pid, 'SIGUSR2');
    await until(() => {
      release = tryLock(dataDir);
      return release !== undefined;
    }, maxLendMilliseconds);
  }
  if (release) return release;
  throw new StartError(
    `${before}Livecode runs on ${dataDir}${state?.pid ? ` (process ${state.pid})` : ''}: stop it, and run the same command again.`,
  );
}

/** The process that lent the data folder, and waits for the end of the upgrade; undefined where nothing ran on it. */
export function lenderOf(dataDir: string): number | undefined {
  return readState(dataDir)?.lent === 'nothing' ? undefined : lendingOn(dataDir);
}

/** The process that runs on a data folder and lends it, or has lent it. */
export function lendingOn(dataDir: string): number | undefined {
  const { lent, pid } = readState(dataDir) ?? {};
  // What was killed left its note, and its number may be another process's by now.
  const isThere = lent === 'nothing' ? isHeld(dataDir) : lent !== undefined;
  return pid !== undefined && isThere && isAlive(pid) ? pid : undefined;
}

/** Ends the visits that are answered on a data folder that was lent: before it is moved away. @throws {StartError} where they go on */
export async function endVisits(dataDir: string): Promise<void> {
  const lender = lenderOf(dataDir);
  if (lender === undefined) return;
  const isOver = () => readState(dataDir)?.lent === 'visits' || !isAlive(lender);
  if (!isOver()) process.kill(lender, 'SIGUSR2');
  if (!(await until(isOver, maxLendMilliseconds)))
    throw new StartError(`Process ${lender} still answers visits: stop it, and run the same command again.`);
}

/** Waits until the one that takes the lender's place runs. @returns false where it does not in three minutes */
export const untilSucceeded = (dataDir: string, lender: number): Promise<boolean> =>
  until(() => {
    const state = readState(dataDir);
    return state?.lent === 'nothing' && state.pid !== lender;
  }, maxStartMilliseconds);

/** Whether a process of this user runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
