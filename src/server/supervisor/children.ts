import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { askChild } from '../kit/ask-child.ts';
import { gatherMetrics } from '../kit/metrics/exchange.ts';
import { measureProcess, renderMetricList } from '../kit/metrics/metrics.ts';
import { type Listener, listenerEnv, listenerFrom, sendListener } from '../kit/network/listeners.ts';
import { standBack } from '../kit/niceness.ts';
import { strippedSources } from '../kit/stripped.ts';
import { until } from '../kit/until.ts';
import { identityOf } from './orphans.ts';

export interface ChildPlan {
  name: string;
  /** Program and its arguments, for our own Node. */
  args: string[];
  env?: Record<string, string>;
  /** How far it stands back behind the others where the processor is short; 0 to 19. */
  niceness?: number;
  /** False for a program that does not report that it is ready. */
  reports?: boolean;
  /** What it says is answered here, where there is an answer. */
  answer?: (message: unknown) => object | undefined;
}

interface Child extends ChildPlan {
  process: ChildProcess;
  identity: string;
  /** How long to wait before starting it again when it ends. 0 when we end it ourselves. */
  backoff: number;
}

export interface Children {
  /**
   * Starts a child and keeps it running: one that ends is started again, after 0.1 s, then ever later, up to 5 s.
   * @param listener what it takes connections from, the first time; it opens its port itself otherwise
   */
  add(plan: ChildPlan, listener?: Listener): void;
  /** Starts every part of ours anew, for changed sources. */
  restart(): void;
  /** Resolves when all have reported that they are ready; names those that have not after the given time. */
  ready(milliseconds: number): Promise<string[]>;
  running(): { pid: number; identity: string; name: string }[];
  /** Has some read what they may need while the database is away. Resolves when all have, or the time is over. */
  readAhead(isMeant: (name: string) => boolean, milliseconds: number): Promise<void>;
  /** Ends some for good: SIGTERM, then, when the grace is over, SIGKILL. */
  end(isMeant: (name: string) => boolean, graceMilliseconds: number): Promise<void>;
  /** Ends a child for good, but not what it listened on: connections that come wait there. Undefined where it listened on nothing. */
  takeListener(name: string, graceMilliseconds: number): Promise<Listener | undefined>;
  /** Ends all. */
  stop(graceMilliseconds: number): Promise<void>;
}

const shortestBackoff = 100;
const maxBackoff = 5_000;
const guard = fileURLToPath(new URL('./guard.ts', import.meta.url));

/** @param onChange called whenever the set of processes changed */
export function superviseChildren(env: NodeJS.ProcessEnv, log: (line: string) => void, onChange: () => void): Children {
  const children = new Map<string, Child>();
  const timers = new Set<NodeJS.Timeout>();
  const awaited = new Set<string>();
  const leaving = new Set<string>();
  let stopping = false;

  const start = (plan: ChildPlan, backoff: number, listener?: Listener) => {
    const child = spawn(process.execPath, [...strippedSources, '--import', guard, ...plan.args], {
      env: { ...env, ...plan.env, ...(listener && { [listenerEnv]: '1' }) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: Ctrl-C in the terminal reaches the supervisor only, which then stops all in order.
      detached: true,
    });
    const entry: Child = { ...plan, process: child, identity: identityOf(child.pid ?? 0) ?? '', backoff };
    children.set(plan.name, entry);
    if (listener) sendListener(child, listener);
    beginnings.set(plan.name, (beginnings.get(plan.name) ?? 0) + 1);
    onChange();
    child.on('message', (message) => {
      gathering.hear(child, message);
      const answer = plan.answer?.(message);
      // It may have ended meanwhile.
      if (answer) child.send(answer, () => {});
      if (typeof message !== 'object' || !('ready' in message)) return;
      awaited.delete(plan.name);
      entry.backoff = shortestBackoff;
      // Not before: on a busy machine it would hardly come to its start.
      if (plan.niceness && child.pid) standBack(child.pid, plan.niceness);
    });
    child.once('error', (error) => log(`${plan.name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      children.delete(plan.name);
      onChange();
      if (stopping || leaving.has(plan.name)) return;
      if (entry.backoff > 0) log(`${plan.name} ended (${signal ?? `code ${code}`}); starting it again.`);
      const next = entry.backoff === 0 ? shortestBackoff : Math.min(entry.backoff * 2, maxBackoff);
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!leaving.has(plan.name)) start(plan, next);
      }, entry.backoff);
      timers.add(timer);
    });
  };

  const beginnings = new Map<string, number>();
  const measured = measureProcess();
  const gathering = gatherMetrics(
    () => alive().filter(({ reports }) => reports !== false),
    () =>
      renderMetricList([
        ...measured(),
        {
          name: 'child_up',
          help: 'Whether a part of the product runs.',
          type: 'gauge',
          samples: [...beginnings.keys()].map((child) => ({ labels: { child }, value: children.has(child) ? 1 : 0 })),
        },
        {
          name: 'child_starts_total',
          help: 'How often a part was started; more than once where it ended by itself.',
          type: 'counter',
          samples: [...beginnings].map(([child, value]) => ({ labels: { child }, value })),
        },
      ]),
  );
  const alive = () => [...children.values()].filter(({ process }) => process.exitCode === null && process.signalCode === null);

  return {
    add(plan, listener) {
      if (plan.reports !== false) awaited.add(plan.name);
      start(plan, shortestBackoff, listener);
    },
    restart() {
      for (const child of children.values()) {
        // What does not report to us is a tool, which watches its sources by itself.
        if (child.reports === false) continue;
        child.backoff = 0;
        child.process.kill('SIGTERM');
      }
    },
    async ready(milliseconds) {
      await until(() => stopping || awaited.size === 0, milliseconds);
      return [...awaited];
    },
    running: () => alive().map(({ process, identity, name }) => ({ pid: process.pid ?? 0, identity, name })),
    async readAhead(isMeant, milliseconds) {
      const meant = alive().filter(({ name }) => isMeant(name));
      await Promise.all(meant.map((child) => askChild(child.process, { read_ahead_wanted: true }, 'read_ahead', milliseconds)));
    },
    async end(isMeant, graceMilliseconds) {
      for (const name of beginnings.keys()) if (isMeant(name)) leaving.add(name);
      await endAll(() => alive().filter(({ name }) => isMeant(name)), graceMilliseconds);
    },
    async takeListener(name, graceMilliseconds) {
      leaving.add(name);
      const child = alive().find((one) => one.name === name);
      const listener = child && (await listenerFrom(child.process));
      await endAll(() => alive().filter((one) => one.name === name), graceMilliseconds);
      return listener;
    },
    async stop(graceMilliseconds) {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      await endAll(alive, graceMilliseconds);
    },
  };

  async function endAll(left: () => Child[], graceMilliseconds: number): Promise<void> {
    for (const child of left()) child.process.kill('SIGTERM');
    if (await until(() => left().length === 0, graceMilliseconds)) return;
    const names = left().map(({ name }) => name);
    log(`Still running after ${graceMilliseconds / 1000} s, killed: ${names.join(', ')}.`);
    for (const child of left()) child.process.kill('SIGKILL');
    await until(() => left().length === 0, 5_000);
  }
}
