import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunServerState } from '../../../contract/system/script.ts';
import { AppError, toPublicError } from '../../kit/calls/errors.ts';
import { Stopped } from '../../kit/jobs/work-loop.ts';
import type { StoredServer } from '../server-list.table.ts';
import { connectTo, type Means } from '../servers.means.ts';
import type { Connection } from '../ssh/connection.ts';
import { type Ending, follow } from '../ssh/following.ts';
import {
  announcement,
  endingInput,
  forgetInput,
  type Processes,
  readAnnouncement,
  type ScriptToRun,
  scriptInput,
} from '../ssh/script-shell.ts';
import { ask, type Exit, execute } from '../ssh/shell.ts';

/** More that logins print before the shell names itself than that is not looked through. */
const maxGreeting = 64 * 1024;
const greetingMilliseconds = 20_000;
const closingMilliseconds = 2_000;
const endingMilliseconds = 15_000;
/** So long a host that is away may come back; an update may start it anew. */
const awayMilliseconds = 180_000;
const maxPauseMilliseconds = 10_000;

export type Outcome = {
  state: Extract<RunServerState, 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'unreachable' | 'interrupted'>;
  exit_status: number | null;
  fault: AppError | null;
};
type Run = {
  server: StoredServer;
  /** What is to be run, or what runs already and is taken up again. */
  what: ScriptToRun | Processes;
  milliseconds: number;
  /** Broken off by its worker's stop, the run goes on and waits for the next one. */
  signal: AbortSignal;
  /** Called before anything of the script runs, with what its processes are known by. */
  onStart: (processes: Processes) => Promise<unknown>;
  onOutput: (bytes: Buffer) => void;
  onGap: (bytes: number) => void;
  /** Called with how it ended, before the host forgets it. */
  onEnd: (outcome: Outcome) => Promise<void>;
};

const ended = (state: Outcome['state'], fault: AppError | null = null): Outcome => ({ state, exit_status: null, fault });
const lostTo = ({ host }: StoredServer) => new AppError(502, 'server_list.connection_lost', { params: { host } });

type EndingOptions = { open?: Connection; isForgotten?: boolean };

/**
 * Ends what a run left on its host, over the given connection or one of its own; `isForgotten` where nobody comes for its output any more.
 * Answers what is to be told where it may be left.
 */
export async function endProcesses(
  means: Means,
  server: StoredServer,
  processes: Processes,
  { open, isForgotten = false }: EndingOptions = {},
): Promise<AppError | null> {
  const input = endingInput(processes) + (isForgotten ? forgetInput(processes.token) : '');
  const unsure = new AppError(502, 'script.end_unsure', { params: { host: server.host } });
  const tryOver = async (connection: Connection): Promise<AppError | null> => {
    const asked = ask(connection.client, input);
    asked.catch(() => {});
    const answer = await Promise.race([asked, delay(endingMilliseconds, undefined, { ref: false })]);
    if (!answer || answer.exit.status === null) return unsure;
    return /^none$/m.test(answer.output) ? null : new AppError(502, 'script.processes_left', { params: { host: server.host } });
  };
  const fault = open ? await tryOver(open).catch(() => unsure) : unsure;
  if (fault?.code !== 'script.end_unsure') return fault;
  // The channel may be refused, or the connection be gone: another one is tried, once.
  try {
    const own = await connectTo(means, server, AbortSignal.timeout(endingMilliseconds));
    try {
      return await tryOver(own);
    } finally {
      own.close();
    }
  } catch {
    return unsure;
  }
}

/** Whether the run has to end now, and not only our looking at it. */
const isOver = ({ aborted, reason }: AbortSignal): boolean => aborted && !(reason instanceof Stopped && reason.why !== 'cancelled');
/** Why a run has to end before it ends by itself. */
const endingOf = ({ reason }: AbortSignal): Outcome => ended(reason instanceof Stopped ? 'cancelled' : 'timed_out');

/** Starts the script once the shell has named itself. Answers how that shell ended; `begun` is false where it was never told what to run. */
async function tell(connection: Connection, processes: Processes, script: ScriptToRun, { signal, onStart, onOutput }: Run) {
  let greeting: string | null = '';
  let begun = false;
  const stop = () => {
    if (isOver(signal) && !begun) connection.close();
  };
  signal.addEventListener('abort', stop);
  const late = setTimeout(() => connection.close(), greetingMilliseconds);
  const exit: Exit = await execute(connection.client, {
    input: announcement(processes.token),
    isAll: false,
    onOutput(bytes, stream, write) {
      // What it says now is why there is no place for the run.
      if (greeting === null || stream === 'error') return onOutput(bytes);
      greeting += bytes.toString('latin1');
      const announced = readAnnouncement(greeting, processes.token);
      if (!announced) {
        if (greeting.length > maxGreeting) connection.close();
        return;
      }
      clearTimeout(late);
      greeting = null;
      Object.assign(processes, { group: announced.group, pid: announced.pid });
      // What ends it has to be known, whatever happens to us from here on.
      onStart(processes).then(
        () => {
          // Ended before it began.
          if (isOver(signal)) return connection.close();
          begun = true;
          write(scriptInput(script));
        },
        () => connection.close(),
      );
    },
  }).finally(() => {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
  });
  return { exit, begun };
}

type Begun = { processes: Processes; connection?: Connection };

/** Has a script begun on its host. Answers how it ended where it never began; undefined where another worker is to begin it. */
async function begin(means: Means, script: ScriptToRun, run: Run): Promise<Begun | Outcome | undefined> {
  const { server, signal } = run;
  let connection: Connection;
  try {
    connection = await connectTo(means, server, signal);
  } catch (error) {
    if (signal.aborted) return isOver(signal) ? endingOf(signal) : undefined;
    const fault = toPublicError(error);
    if (!fault) throw error;
    return ended('unreachable', fault);
  }
  const processes: Processes = { token: randomBytes(16).toString('hex'), group: null };
  const { exit, begun } = await tell(connection, processes, script, run);
  if (exit.status === 0) return { processes, connection };
  connection.close();
  if (!begun) return isOver(signal) ? endingOf(signal) : ended('unreachable', lostTo(server));
  return exit.status === null ? { processes } : { state: 'failed', exit_status: exit.status, fault: null };
}

/** Looks at a run until it ends, over as many connections as that takes. Undefined where it is left to another worker. */
async function lookOn(means: Means, run: Run, begun: Begun): Promise<Outcome | undefined> {
  const { server, signal, onGap } = run;
  const { processes } = begun;
  let place = 0;
  let lastHeard = performance.now();
  const onOutput = (bytes: Buffer) => {
    place += bytes.length;
    lastHeard = performance.now();
    run.onOutput(bytes);
  };
  const stopped = new Promise<'stopped'>((resolve) => {
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  for (let pause = 1_000; ; pause = Math.min(pause * 2, maxPauseMilliseconds)) {
    begun.connection ??= await connectTo(means, server, signal).catch(() => undefined);
    const { connection } = begun;
    const following = connection && follow(connection.client, processes.token, place, { onOutput, onGap }).catch(() => undefined);
    // In this order: without a connection there is nothing to wait for.
    const found = await Promise.race([stopped, following]);
    if (found === 'stopped') {
      if (!isOver(signal)) return undefined;
      const fault = await endProcesses(means, server, processes, { open: connection });
      // What it printed last may be on its way.
      await Promise.race([following, delay(closingMilliseconds, undefined, { ref: false })]);
      return { ...endingOf(signal), fault };
    }
    if (found) return await outcomeOf(means, run, begun, found);
    connection?.close();
    delete begun.connection;
    if (performance.now() - lastHeard > awayMilliseconds)
      return ended('failed', (await endProcesses(means, server, processes)) ?? lostTo(server));
    await Promise.race([stopped, delay(pause, undefined, { ref: false })]);
  }
}

async function outcomeOf(means: Means, { server }: Run, { processes, connection }: Begun, found: Ending): Promise<Outcome> {
  if (found !== 'gone' && found.status !== null)
    return { state: found.status === 0 ? 'succeeded' : 'failed', exit_status: found.status, fault: null };
  const left = found === 'gone' ? null : await endProcesses(means, server, processes, { open: connection });
  return ended('interrupted', left ?? new AppError(502, 'script.no_status', { params: { host: server.host } }));
}

/**
 * Runs a script on one server, or takes up a run that another worker left, and tells `onEnd` how it ended; whatever it started there is ended
 * then, or the outcome says that it may not be. Where the signal says that the worker stops, the run goes on and nothing is told.
 */
export async function runOn(means: Means, run: Run): Promise<Outcome | undefined> {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(Math.max(0, Math.round(run.milliseconds)))]);
  const own = { ...run, signal };
  const begun = 'token' in run.what ? { processes: run.what } : await begin(means, run.what, own);
  if (!begun || 'state' in begun) {
    if (begun) await run.onEnd(begun);
    return begun;
  }
  try {
    const outcome = await lookOn(means, own, begun);
    if (outcome) await run.onEnd(outcome);
    if (outcome && begun.connection)
      await Promise.race([
        ask(begun.connection.client, forgetInput(begun.processes.token)).catch(() => {}),
        delay(closingMilliseconds, undefined, { ref: false }),
      ]);
    return outcome;
  } finally {
    begun.connection?.close();
  }
}
