import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunServerState } from '../../../contract/system/script.ts';
import { AppError, toPublicError } from '../../kit/calls/errors.ts';
import { Stopped } from '../../kit/jobs/work-loop.ts';
import type { StoredServer } from '../server-list.table.ts';
import { connectTo, type Means } from '../servers.means.ts';
import type { Connection } from '../ssh/connection.ts';
import { announcement, endingInput, type Processes, readAnnouncement, type ScriptToRun, scriptInput } from '../ssh/script-shell.ts';
import { ask, type Exit, execute, type Stream } from '../ssh/shell.ts';

/** More that logins print before the shell names itself than that is not looked through. */
const maxGreeting = 64 * 1024;
const greetingMilliseconds = 20_000;
const closingMilliseconds = 2_000;
const endingMilliseconds = 15_000;

export type Outcome = {
  state: Extract<RunServerState, 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'unreachable' | 'interrupted'>;
  exit_status: number | null;
  exit_signal: string | null;
  fault: AppError | null;
};
type Run = {
  server: StoredServer;
  script: ScriptToRun;
  timeoutSeconds: number;
  signal: AbortSignal;
  /** Called before anything of the script runs, with what its processes are known by. */
  onStart: (processes: Processes) => Promise<unknown>;
  onOutput: (text: string) => void;
};

/** Ends what a run left on its host, over the given connection or one of its own. Answers what is to be told where it may be left. */
export async function endProcesses(means: Means, server: StoredServer, processes: Processes, open?: Connection): Promise<AppError | null> {
  const unsure = new AppError(502, 'script.end_unsure', { params: { host: server.host } });
  const tryOver = async (connection: Connection): Promise<AppError | null> => {
    const asked = ask(connection.client, endingInput(processes));
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

/** Starts the script once the shell has named itself. Answers how it ended; `begun` is false where it never did. */
async function start(
  connection: Connection,
  processes: Processes,
  { script, signal, onStart, onOutput }: Run,
): Promise<{ exit: Exit; begun: boolean }> {
  const decoders: Record<Stream, TextDecoder> = { out: new TextDecoder(), error: new TextDecoder() };
  let greeting: string | null = '';
  let begun = false;
  const late = setTimeout(() => connection.close(), greetingMilliseconds);
  const exit = await execute(connection.client, {
    input: announcement(processes.token),
    isAll: false,
    onOutput(bytes, stream, write) {
      const text = decoders[stream].decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
      if (greeting === null || stream === 'error') return onOutput(text);
      greeting += text;
      const announced = readAnnouncement(greeting, processes.token);
      if (!announced) {
        if (greeting.length > maxGreeting) connection.close();
        return;
      }
      clearTimeout(late);
      greeting = null;
      Object.assign(processes, { group: announced.group, pid: announced.pid });
      onOutput(announced.before);
      // What ends it has to be known, whatever happens to us from here on.
      onStart(processes).then(
        () => {
          // Ended before it began.
          if (signal.aborted) return connection.close();
          begun = true;
          write(scriptInput(script));
        },
        () => connection.close(),
      );
    },
  }).finally(() => clearTimeout(late));
  return { exit, begun };
}

/** Why a run has to end before it ends by itself. */
function endingOf(reason: unknown): Outcome['state'] {
  if (reason instanceof Stopped) return reason.why === 'cancelled' ? 'cancelled' : 'interrupted';
  return 'timed_out';
}

/** Runs a script on one server. Whatever happens, what it started there is ended when this answers, or the answer says that it may not be. */
export async function runOn(means: Means, run: Run): Promise<Outcome> {
  const { server, timeoutSeconds } = run;
  const nothing = { exit_status: null, exit_signal: null };
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  const signal = AbortSignal.any([run.signal, timeout]);
  let connection: Connection;
  try {
    connection = await connectTo(means, server, signal);
  } catch (error) {
    if (signal.aborted) return { ...nothing, state: endingOf(signal.reason), fault: null };
    const fault = toPublicError(error);
    if (!fault) throw error;
    return { ...nothing, state: 'unreachable', fault };
  }
  const processes: Processes = { token: randomBytes(16).toString('hex'), group: null };
  try {
    const running = start(connection, processes, { ...run, signal });
    const stopped = new Promise<'stopped'>((resolve) => {
      if (signal.aborted) resolve('stopped');
      signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    const ended = await Promise.race([running, stopped]);
    if (ended === 'stopped') {
      running.catch(() => {});
      const fault = await endProcesses(means, server, processes, connection);
      // What it printed last may be on its way.
      await Promise.race([running.catch(() => {}), delay(closingMilliseconds, undefined, { ref: false })]);
      return { ...nothing, state: endingOf(signal.reason), fault };
    }
    const { exit, begun } = ended;
    if (exit.status !== null || exit.signal !== null)
      return { state: exit.status === 0 ? 'succeeded' : 'failed', exit_status: exit.status, exit_signal: exit.signal, fault: null };
    const lost = new AppError(502, 'server_list.connection_lost', { params: { host: server.host } });
    if (!begun) return { ...nothing, state: 'unreachable', fault: lost };
    return { ...nothing, state: 'failed', fault: (await endProcesses(means, server, processes)) ?? lost };
  } catch (error) {
    const fault = new AppError(502, 'outgoing.failed', { params: { host: server.host, reason: String(error).slice(0, 100) } });
    return { ...nothing, state: 'failed', fault };
  } finally {
    connection.close();
  }
}
