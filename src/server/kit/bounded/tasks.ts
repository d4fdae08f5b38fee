import { availableParallelism } from 'node:os';
import { AppError } from '../calls/errors.ts';
import { type AnyProgram, askProcess, type BoundedProcess, endProcess, holdLoop, startProcess, TaskFault } from './processes.ts';
import type { BoundedProgram } from './program.ts';

export type Task = {
  /** Who is served in turn with the others, one task at a time: a user, mostly. */
  key: string;
  /** What the task will take beside an idle process, as far as can be known beforehand. */
  costBytes: number;
  /** Of the processor; of the clock it may take ten times as long. */
  timeoutMilliseconds: number;
  /** Aborted when nobody waits for the answer any more: the task is ended, or does not begin. */
  signal?: AbortSignal;
};

/** What a user's tasks are served under. */
export const userKey = (user_id: number): string => `user:${user_id}`;

/** What a process holds that has done nothing yet. */
export const idleBytes = 100_000_000;
/** Estimates are no promises: a process is ended when it exceeds its own by this much. */
const slackBytes = 50_000_000;
const retryAfterSeconds = 5;
/** How long a key waits after a task that asked too much, doubled each time, and after how long that is forgotten. */
const [firstHoldSeconds, maxHoldSeconds, forgottenSeconds] = [10, 300, 900];

type Waiting = Task & { program: AnyProgram; input: unknown; resolve: (output: unknown) => void; reject: (error: unknown) => void };

const defaults = {
  /** What all processes together may take. */
  budgetBytes: 650_000_000,
  /** One core is left to those that answer people. */
  maxRunning: Math.max(1, Math.min(2, availableParallelism() - 1)),
  maxWaiting: 100,
  maxWaitingOfKey: 20,
  /** A process that has nothing to do ends after this time. */
  idleMilliseconds: 8_000,
  /** A machine that is busy otherwise gives a task its time of the processor as much later, and no later. */
  waitFactor: 10,
};

/**
 * Runs work on what strangers sent in processes that may take only so much time and memory, a few at once, and never two of one key.
 * Keys that wait are served in turn.
 */
export function createBoundedTasks(options: Partial<typeof defaults> = {}) {
  const { budgetBytes, maxRunning, maxWaiting, maxWaitingOfKey, idleMilliseconds, waitFactor } = { ...defaults, ...options };
  /** In the order of their turns. */
  const waiting = new Map<string, Waiting[]>();
  const running = new Map<string, Waiting>();
  const idle = new Map<BoundedProcess, { timer: NodeJS.Timeout; resident: number }>();
  let waitingNumber = 0;
  const holds = new Map<string, { until: number; seconds: number }>();
  const nowSeconds = () => performance.now() / 1000;

  const usedBytes = (): number => [...running.values()].reduce((sum, task) => sum + idleBytes + task.costBytes, 0);

  /** The next whose turn it is. Where memory does not suffice for it, nobody with less to do overtakes it. */
  function next(): Waiting | undefined {
    if (running.size >= maxRunning) return undefined;
    for (const [key, tasks] of waiting) {
      const [task] = tasks;
      if (!task || running.has(key)) continue;
      const isTooMuch = running.size > 0 && usedBytes() + idleBytes + task.costBytes > budgetBytes;
      if (isTooMuch) return undefined;
      waiting.delete(key);
      tasks.shift();
      if (tasks.length > 0) waiting.set(key, tasks);
      waitingNumber -= 1;
      return task;
    }
    return undefined;
  }

  function takeIdle(program: AnyProgram): { process: BoundedProcess; resident: number } | undefined {
    for (const [process, { resident }] of idle)
      if (process.program.file.href === program.file.href) {
        forget(process);
        return { process, resident };
      }
    return undefined;
  }

  function forget(process: BoundedProcess): void {
    clearTimeout(idle.get(process)?.timer);
    idle.delete(process);
  }

  function drop(process: BoundedProcess): Promise<void> {
    forget(process);
    return endProcess(process);
  }

  function start(program: AnyProgram): BoundedProcess {
    const process = startProcess(program);
    process.child.once('exit', () => forget(process));
    return process;
  }

  /** Idle processes make room for one that is to work. */
  async function makeRoom(): Promise<void> {
    for (const process of idle.keys()) {
      if (usedBytes() + idle.size * idleBytes <= budgetBytes) return;
      await drop(process);
    }
  }

  function keepIdle(process: BoundedProcess, resident: number): void {
    if (resident > idleBytes + slackBytes || idle.size >= maxRunning) {
      void endProcess(process);
      return;
    }
    const timer = setTimeout(() => void drop(process), idleMilliseconds);
    timer.unref();
    idle.set(process, { timer, resident });
    holdLoop(process, false);
  }

  async function perform({ program, input, costBytes, timeoutMilliseconds, signal }: Waiting): Promise<unknown> {
    const used = takeIdle(program);
    await makeRoom();
    const process = used?.process ?? start(program);
    holdLoop(process, true);
    // What earlier tasks left in a process is not this task's.
    const maxBytes = Math.max(idleBytes, used?.resident ?? 0) + costBytes + slackBytes;
    const leave = () => void endProcess(process);
    signal?.addEventListener('abort', leave);
    const answer = await askProcess(process, input, { maxBytes, timeoutMilliseconds, waitMilliseconds: timeoutMilliseconds * waitFactor })
      .catch((error: unknown) => {
        throw signal?.aborted ? new TaskFault('left', 'its caller has left') : error;
      })
      .finally(() => signal?.removeEventListener('abort', leave));
    keepIdle(process, answer.resident);
    if ('failure' in answer) throw new TaskFault('crash', answer.failure);
    return answer.output;
  }

  function leaveQueue(task: Waiting): void {
    const own = waiting.get(task.key);
    const at = own?.indexOf(task) ?? -1;
    if (!own || at < 0) return;
    own.splice(at, 1);
    if (own.length === 0) waiting.delete(task.key);
    waitingNumber -= 1;
    task.reject(new TaskFault('left', 'its caller has left'));
    serve();
  }

  function serve(): void {
    for (let task = next(); task; task = next()) {
      const current = task;
      running.set(current.key, current);
      perform(current)
        .then(current.resolve, current.reject)
        .finally(() => {
          running.delete(current.key);
          serve();
        });
    }
  }

  return {
    /**
     * @throws AppError 429 `busy` at once where too many tasks wait, or its key is held back
     * @throws TaskFault where the task was ended, its caller has left, or its process ended by itself
     */
    run<Input, Output>(program: BoundedProgram<Input, Output>, task: Task, input: Input): Promise<Output> {
      const own = waiting.get(task.key) ?? [];
      if (waitingNumber >= maxWaiting || own.length >= maxWaitingOfKey)
        return Promise.reject(new AppError(429, 'busy', { retryAfterSeconds }));
      const held = Math.ceil((holds.get(task.key)?.until ?? 0) - nowSeconds());
      if (held > 0) return Promise.reject(new AppError(429, 'busy', { retryAfterSeconds: held }));
      return new Promise<Output>((resolve, reject) => {
        const added: Waiting = { ...task, program, input, resolve: (output) => resolve(output as Output), reject };
        task.signal?.addEventListener('abort', () => leaveQueue(added), { once: true });
        own.push(added);
        waiting.set(task.key, own);
        waitingNumber += 1;
        serve();
      });
    },
    /** Whoever sent what asked too much waits longer for the next, each time. */
    holdBack(key: string): void {
      const now = nowSeconds();
      for (const [other, { until }] of holds) if (until + forgottenSeconds < now) holds.delete(other);
      const seconds = Math.min(maxHoldSeconds, (holds.get(key)?.seconds ?? firstHoldSeconds / 2) * 2);
      holds.set(key, { until: now + seconds, seconds });
    },
    /** The processes there are, for tests. */
    pids: () => [...idle.keys()].map(({ child }) => child.pid),
  };
}
export type BoundedTasks = ReturnType<typeof createBoundedTasks>;

/** One for the whole process, whose memory it guards. */
/** What people send to be shown; tables have a place of their own, so that one never waits for the other. */
export const boundedTasks = createBoundedTasks();
export const tableTasks = createBoundedTasks({ maxRunning: 1, budgetBytes: 500_000_000 });
