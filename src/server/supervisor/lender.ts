import type { SupervisorState } from '../kit/data-folder-lock.ts';
import type { Children } from './children.ts';
import type { DatabaseServer } from './database.ts';
import { type Parts, usualGrace } from './parts.ts';
import { type Succession, type SuccessorPlan, succeed } from './successor.ts';

interface Options {
  parts: Parts;
  children: Children;
  database: DatabaseServer;
  /** Gives the data folder free. */
  release: () => void;
  /** Writes the state of the data folder. */
  keep: () => void;
  isStopping: () => boolean;
}

/** Some 25,000 codes a process take a few seconds. */
const maxReadAheadMilliseconds = 30_000;

export interface Lender {
  lent: () => SupervisorState['lent'];
  /** Whether what runs on the data folder is another's business. */
  isAway: () => boolean;
  /** From now on SIGUSR2 is heard. */
  open(): void;
  /** Ends the successor, where there is one. */
  stop(): Promise<void>;
}

/**
 * Lends the data folder on SIGUSR2 to an upgrade, and answers visits from memory meanwhile; on a second one ends these as well. Who starts
 * afterwards is the installation's release of then.
 * @param onEnd called with the exit code of a successor that had taken the visits
 */
export function createLender(options: Options, onEnd: (code: number) => void): Lender {
  const { parts, children, database, release, keep, isStopping } = options;
  const { successor: plan, graceMilliseconds = usualGrace, log } = parts;
  const isForVisits = (name: string) => parts.visits.some((visits) => visits.name === name);
  let lent: SupervisorState['lent'];
  let succession: Succession | undefined;
  const isAway = () => lent !== undefined && lent !== 'nothing';

  async function lendData(successor: SuccessorPlan): Promise<void> {
    lent = 'data';
    // While the database still answers: an upgrade takes as long as a backup, and codes that nobody asked for lately are scanned as well.
    await children.readAhead(isForVisits, maxReadAheadMilliseconds);
    if (isStopping()) return;
    log('The data folder is lent to an upgrade; visits are answered meanwhile.');
    await children.end((name) => !isForVisits(name), graceMilliseconds);
    await database.stop();
    if (isStopping()) return;
    keep();
    release();
    succession = succeed({
      plan: successor,
      give: (name) => children.takeListener(name, graceMilliseconds),
      isStopping,
      log,
    });
    onEnd(await succession.ended);
  }

  async function lendVisits(): Promise<void> {
    lent = 'visits';
    await children.end(isForVisits, graceMilliseconds);
    keep();
  }

  // It would end the process. Before all runs, and a third time, it means nothing.
  if (plan)
    process.on('SIGUSR2', () => {
      if (isStopping()) return;
      if (lent === 'nothing') void lendData(plan);
      else if (lent === 'data') void lendVisits();
    });

  return {
    lent: () => lent,
    isAway,
    open() {
      if (plan) lent = 'nothing';
    },
    stop: async () => succession?.stop(),
  };
}
