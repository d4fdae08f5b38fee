import { spawn } from 'node:child_process';
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gatherMetrics } from '../../kit/metrics/exchange.ts';
import type { createTurns } from '../rotation/turns.ts';
import { redirectRuntime } from '../runtime.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface TestProcess {
  pid: number;
  /** What it logged so far. */
  output(): string;
  /** Ends it as the supervisor does and answers its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

interface Options {
  databaseUrl: string;
  dataDir: string;
  port: number;
  slot?: string;
  processes?: number;
  trustedProxies?: string;
  /** Arguments of the runtime, beside those of the product. */
  runtimeArgs?: string[];
  /** Deals the turns of all processes of a host, as the supervisor does; without it nobody does. */
  turns?: ReturnType<typeof createTurns>;
}

/** Starts the redirect process as the product does, and waits until it is ready. */
export async function startProcess({
  databaseUrl,
  dataDir,
  port,
  slot = '0',
  processes = 2,
  trustedProxies,
  runtimeArgs = [],
  turns,
}: Options): Promise<TestProcess> {
  const child = spawn(process.execPath, [...redirectRuntime.args, ...runtimeArgs, main], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: databaseUrl,
      LIVECODE_DATA_DIR: dataDir,
      LIVECODE_VISIT_PORT: String(port),
      LIVECODE_SLOT: slot,
      LIVECODE_REDIRECT_PROCESSES: String(processes),
      LIVECODE_TRUSTED_PROXIES: trustedProxies ?? '',
      LIVECODE_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // As the supervisor does: a process that gets no answer waits for it.
  const gathering = gatherMetrics(
    () => [{ process: child, name: `redirect ${slot}` }],
    () => '',
  );
  child.on('message', (message) => {
    gathering.hear(child, message);
    const answer = turns?.answer(message);
    if (answer) child.send(answer, () => {});
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const isReady = new Promise<boolean>((resolve) => child.once('message', () => resolve(true)));
  if (!(await Promise.race([isReady, ended.then(() => false)]))) throw new Error(`the redirect process did not start:\n${output}`);
  return {
    pid: child.pid ?? 0,
    output: () => output,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

export interface AskOptions {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  /** Fields of a form, sent as a browser does. */
  form?: Record<string, string>;
  agent?: Agent;
}

const browser = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';

/** Asks the visit path as a visitor's browser does; without an agent over a connection of its own, so that the processes of a port take turns. */
export function ask(
  port: number,
  path: string,
  { host = 'entry.example', form, method = form ? 'POST' : 'GET', headers = {}, agent }: AskOptions = {},
): Promise<Answer> {
  const formHeaders = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { host, 'user-agent': browser, ...formHeaders, ...headers },
        ...(agent ? { agent } : { agent: false }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString('utf8'), bytes });
        });
      },
    );
    request.once('error', reject);
    request.end(form && new URLSearchParams(form).toString());
  });
}

/** The address that a jump page or a redirection leads to. */
export const destinationOf = ({ headers, body }: Answer): string | undefined => headers.location ?? /id=to href="([^"]*)"/.exec(body)?.[1];
