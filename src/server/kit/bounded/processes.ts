import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { strippedSources } from '../stripped.ts';
import { type BoundedProgram, type TaskAnswer, type TaskMessage, timeLimitSignal } from './program.ts';

export type AnyProgram = BoundedProgram<unknown, unknown>;

/**
 * Why a task has no answer: it took too much time of the processor, or memory; or for nothing that it did: its process ended by itself, the
 * machine was too busy to give it its time, or nobody waited any more.
 */
export class TaskFault extends Error {
  readonly reason: 'time' | 'memory' | 'crash' | 'busy' | 'left';
  constructor(reason: TaskFault['reason'], detail: string) {
    super(`a bounded task failed: ${reason} (${detail})`);
    this.reason = reason;
  }

  /** What was sent asks too much: whoever sent it may wait longer for the next. */
  get isTooMuch(): boolean {
    return this.reason === 'time' || this.reason === 'memory';
  }
}

/** `timeoutMilliseconds` are the processor's, `waitMilliseconds` the clock's. */
export type Bounds = { maxBytes: number; timeoutMilliseconds: number; waitMilliseconds: number };
/** `ready` resolves when the process takes tasks, or has ended: how long it takes to start is no fault of a task. */
export type BoundedProcess = { program: AnyProgram; child: ChildProcess; ready: Promise<unknown> };

/**
 * Below the processes that answer people, which have ten times its share: their answers don't wait for what files take. The lowest rank
 * would get a sixtieth, and no picture done on a machine that is busy for a minute.
 */
const niceness = 10;
/** Starting is work of our own, the same for every process: on a busy machine it would take longer than a task may. */
const startNiceness = 5;
const startMilliseconds = 20_000;

/** A process that has just ended needs none. */
function setNiceness(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {}
}

export function startProcess(program: AnyProgram): BoundedProcess {
  const child = fork(program.file, {
    serialization: 'advanced',
    execArgv: [
      ...strippedSources,
      `--max-old-space-size=${program.heapMegabytes}`,
      '--max-semi-space-size=8',
      '--disable-warning=ExperimentalWarning',
    ],
    // Neither the master key nor the address of the database: a file that takes a decoder over finds nothing.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // An error event without a listener would end this process; what follows of it is an exit.
  child.on('error', () => {});
  if (child.pid !== undefined) setPriority(child.pid, startNiceness);
  child.once('message', () => child.pid !== undefined && setNiceness(child.pid));
  const timer = setTimeout(() => child.kill('SIGKILL'), startMilliseconds);
  const ready = Promise.race(['message', 'exit', 'error'].map((event) => new Promise((resolve) => child.once(event, resolve))));
  return { program, child, ready: ready.finally(() => clearTimeout(timer)) };
}

const isGone = ({ child }: BoundedProcess): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Ends the process; resolves when its memory is free. */
export function endProcess(process: BoundedProcess): Promise<void> {
  if (isGone(process)) return Promise.resolve();
  return new Promise((resolve) => {
    process.child.once('exit', () => resolve());
    process.child.kill('SIGKILL');
  });
}

/** A process that waits for tasks keeps no program alive. */
export function holdLoop({ child }: BoundedProcess, isHeld: boolean): void {
  child[isHeld ? 'ref' : 'unref']();
  child.channel?.[isHeld ? 'ref' : 'unref']();
}

/** V8 aborts where its heap is full; the watching thread, and the system, kill. */
function faultOf(code: number | null, signal: string | null): TaskFault {
  if (signal === timeLimitSignal) return new TaskFault('time', signal);
  const isMemory = signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134;
  return new TaskFault(isMemory ? 'memory' : 'crash', signal ?? `code ${code}`);
}

/** @throws TaskFault; the process has ended then */
export async function askProcess(
  process: BoundedProcess,
  input: unknown,
  { maxBytes, timeoutMilliseconds, waitMilliseconds }: Bounds,
): Promise<TaskAnswer> {
  const { child } = process;
  await process.ready;
  return new Promise((resolve, reject) => {
    let fault: TaskFault | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      child.off('message', hear);
      child.off('exit', die);
      child.off('error', refuse);
      settle();
    };
    const hear = (answer: unknown): void => end(() => resolve(answer as TaskAnswer));
    const die = (code: number | null, signal: string | null): void => end(() => reject(fault ?? faultOf(code, signal)));
    const refuse = (error: Error): void => {
      fault ??= new TaskFault('crash', error.message);
      if (child.pid === undefined) end(() => reject(fault));
      else child.kill('SIGKILL');
    };
    const timer = setTimeout(() => {
      fault = new TaskFault('busy', 'waited too long for the processor');
      child.kill('SIGKILL');
    }, waitMilliseconds);
    child.on('message', hear);
    child.on('exit', die);
    child.on('error', refuse);
    if (isGone(process)) die(child.exitCode, child.signalCode);
    else child.send({ input, maxBytes, timeoutMilliseconds } satisfies TaskMessage, (error) => error && refuse(error));
  });
}
