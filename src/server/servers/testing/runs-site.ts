import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { RunServerState, ScriptParameter, ScriptRunDetails } from '../../../contract/system/script.ts';
import { longOperationKinds } from '../../administration.ts';
import { startOperations } from '../../jobs/operations.runner.ts';
import type { Answer } from '../../kit/testing/app.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { startOnBus } from '../../kit/testing/on-bus.ts';
import { createServersSite, type ServersSite } from './site.ts';
import { startSshServer, type TestSshServer } from './ssh-server.ts';

type Worker = { stop: () => Promise<void> };
type ScriptOptions = { timeout_seconds?: number; parameters?: ScriptParameter[] };

export type RunsSite = {
  site: ServersSite;
  /** Three hosts that scripts find `NUMBER` and `FOLDER` on, and what they are registered as. */
  hosts: TestSshServer[];
  servers: number[];
  /** Of the test, for what scripts leave. */
  folder: string;
  /** Another worker; the first one can be stopped by `stopWorker`. */
  startWorker: (leaseSeconds?: number) => void;
  /** One in a process of its own, which can be killed. */
  startProcess: () => Promise<ChildProcess>;
  stopWorker: () => Promise<void>;
  send: (action: string, input: object) => Promise<Answer<Record<string, unknown>>>;
  addScript: (body: string, options?: ScriptOptions) => Promise<number>;
  /** Runs a script on all three servers, unless the options say otherwise. Answers the run. */
  run: (id: number, options?: object) => Promise<number>;
  details: (id: number) => Promise<ScriptRunDetails>;
  /** The run when it is over. */
  ended: (id: number) => Promise<ScriptRunDetails>;
  /** What each server printed. */
  outputs: (id: number) => Promise<string[]>;
  close: () => Promise<void>;
};

const log = { info: () => {}, warn: () => {}, error: () => {} };
const over: (string | null)[] = ['completed', 'failed', 'cancelled'];

export const statesOf = (found: { servers: { state: RunServerState }[] }): RunServerState[] => found.servers.map(({ state }) => state);

/** The app with three servers and a worker that runs scripts on them. */
export async function createRunsSite(): Promise<RunsSite> {
  const site = await createServersSite();
  const folder = mkdtempSync(join(tmpdir(), 'livecode-scripts-'));
  const hosts = await Promise.all(
    [1, 2, 3].map((number) => startSshServer({ password: 'secret', env: { NUMBER: String(number), FOLDER: folder } })),
  );
  const servers: number[] = [];
  for (const [index, host] of hosts.entries()) servers.push((await site.addServer(host, { name: `server ${index + 1}` })).id);
  const work = (leaseSeconds?: number): Worker =>
    startOnBus(site.url, (bus) =>
      startOperations({
        pool: site.pool,
        bus,
        dataDir: site.dataDir,
        kinds: longOperationKinds(site.means),
        log,
        concurrency: 4,
        leaseSeconds,
      }),
    );
  const processes: ChildProcess[] = [];
  let worker: Worker | undefined = work();
  let made = 0;
  const send: RunsSite['send'] = (action, input) => site.send(site.owner, `script/${action}`, input);
  const details: RunsSite['details'] = async (id) => (await site.call(site.owner, 'script', 'run_details', { id })).body;

  async function outputOf(run_server_id: number): Promise<string> {
    let text = '';
    for (let after = 0, more = true; more; ) {
      const { body } = await site.call(site.owner, 'script', 'output', { run_server_id, after });
      text += body.content;
      [after, more] = [body.last, body.more];
    }
    return text;
  }

  return {
    ...{ site, hosts, servers, folder, send, details },
    startWorker(leaseSeconds) {
      worker = work(leaseSeconds);
    },
    async startProcess() {
      const program = fileURLToPath(new URL('worker.main.ts', import.meta.url));
      const child = fork(program, [site.url, site.dataDir], { stdio: 'ignore', execPath: process.execPath, execArgv: [] });
      processes.push(child);
      await once(child, 'message');
      return child;
    },
    async stopWorker() {
      await worker?.stop();
      worker = undefined;
    },
    async addScript(body, options = {}) {
      made += 1;
      const { status, body: answer } = await send('add', { name: `script ${made}`, body, ...options, ...(await site.proof()) });
      expect([status, answer.fields]).toEqual([200, undefined]);
      return Number(answer.id);
    },
    async run(id, options = {}) {
      const { body } = await send('run', { id, server_ids: servers, stop_on_failure: false, ...options, ...(await site.proof()) });
      expect(body.fields).toBeUndefined();
      return Number(body.run_id);
    },
    ended: (id) =>
      eventually(
        async () => {
          const found = await details(id);
          expect(over).toContain(found.operation_state);
          return found;
        },
        { timeout: 20_000, interval: 100 },
      ),
    outputs: async (id) => Promise.all((await details(id)).servers.map((row) => outputOf(row.id))),
    async close() {
      await worker?.stop();
      for (const child of processes) child.kill('SIGKILL');
      await Promise.all(hosts.map((host) => host.close()));
      await site.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What is left of earlier tests counts for nobody. */
export const forgetOperations = ({ site }: RunsSite): Promise<unknown> => site.db.execute(sql`DELETE FROM async_operation`);
