import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Listener, sendListener } from '../kit/network/listeners.ts';

/** What starts in the place of this supervisor once its data folder was borrowed: the release that is the installation's by then. */
export interface SuccessorPlan {
  /** Whether somebody still borrows the data folder. */
  isAwaited: () => boolean;
  program: () => { command: string; args: string[]; cwd: string };
}

/** Tells a supervisor that another one answers visits until it does. */
const successorEnv = 'LIVECODE_SUCCEEDS';
const lookMilliseconds = 200;
const shortestPause = 1_000;
const maxPause = 30_000;
const answerMilliseconds = 30_000;

/** What a successor asks of its predecessor, and hears from it: the name of a part that answers visits. At the end it says that all runs. */
type Wish = { visits_wanted: string };
type Given = { visits_given: string };
type Done = { all_runs: true };

const isWish = (message: unknown): message is Wish => typeof message === 'object' && message !== null && 'visits_wanted' in message;
const isDone = (message: unknown): message is Done => typeof message === 'object' && message !== null && 'all_runs' in message;

interface Options {
  plan: SuccessorPlan;
  /** Ends a part that answers visits, and gives what it listened on. */
  give: (name: string) => Promise<Listener | undefined>;
  isStopping: () => boolean;
  log: (line: string) => void;
}

export interface Succession {
  /** Resolves with the exit code of a successor of which all ran. One that ends before is started again, ever later: what it took as well. */
  ended: Promise<number>;
  /** Ends the successor, where there is one. */
  stop(): Promise<void>;
}

/** Waits until nobody borrows the data folder any more, and starts the successor, which takes one part after another that answers visits. */
export function succeed({ plan, give, isStopping, log }: Options): Succession {
  let successor: ChildProcess | undefined;
  let hasSucceeded = false;

  async function start(): Promise<number> {
    const { command, args, cwd } = plan.program();
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, [successorEnv]: '1' },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    successor = child;
    child.on('message', async (message) => {
      if (isDone(message)) hasSucceeded = true;
      if (!isWish(message)) return;
      const name = message.visits_wanted;
      const listener = await give(name);
      const given: Given = { visits_given: name };
      if (listener) sendListener(child, listener, given);
      else child.send(given, () => {});
    });
    const [code, signal] = await once(child, 'exit');
    return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  }

  async function run(): Promise<number> {
    for (let pause = shortestPause; ; pause = Math.min(pause * 2, maxPause)) {
      while (plan.isAwaited() && !isStopping()) await delay(lookMilliseconds);
      if (isStopping()) return 0;
      const code = await start();
      if (hasSucceeded || isStopping()) return code;
      log(`It did not start (code ${code}); trying again in ${pause / 1000} s. What it had not taken still answers visits.`);
      await delay(pause);
    }
  }

  return {
    ended: run(),
    async stop() {
      if (!successor || successor.exitCode !== null || successor.signalCode !== null) return;
      successor.kill('SIGTERM');
      await once(successor, 'exit');
    },
  };
}

/** The supervisor in whose place this one starts. */
export interface Predecessor {
  /** Takes a part that answers visits: ends it there, and gives what it listened on. */
  take(name: string): Promise<Listener | undefined>;
  /** From now on the end of this supervisor is the end of both. */
  tellDone(): void;
}

/** Undefined where this supervisor succeeds no other. */
export function findPredecessor(): Predecessor | undefined {
  const isSuccessor = process.env[successorEnv] !== undefined && process.send !== undefined;
  // It is no business of what this one starts.
  delete process.env[successorEnv];
  if (!isSuccessor) return undefined;
  const tell = (message: Wish | Done) => void process.send?.(message, undefined, {}, () => {});
  return {
    tellDone: () => tell({ all_runs: true }),
    take: (name) =>
      new Promise((resolve) => {
        const settle = (listener: unknown) => {
          clearTimeout(timer);
          process.off('message', hear);
          resolve(listener as Listener | undefined);
        };
        const hear = (message: Given, listener: unknown) => {
          if (message.visits_given === name) settle(listener);
        };
        // Without it the part opens the port itself.
        const timer = setTimeout(settle, answerMilliseconds, undefined);
        process.on('message', hear);
        tell({ visits_wanted: name });
      }),
  };
}
