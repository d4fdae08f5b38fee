import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../../kit/testing/ports.ts';

const maxStartMilliseconds = 120_000;

/** Starts what an installation holds as an operator does, on ports of its own, and waits until it runs. */
export async function startInstallation(home: string, further: NodeJS.ProcessEnv = {}) {
  const [office, visits] = [await freePort(), await freePort()];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { LIVECODE_PORT: String(office), LIVECODE_VISIT_PORT: String(visits), LIVECODE_TRON_PORT: '0', ...further };
  const child = spawn(join(home, 'program/node_modules/.bin/node'), ['program/src/server/main.ts'], {
    cwd: home,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'exit').then(([code]) => code);
  const says = (words: string, times = 1) =>
    expect.poll(() => said.split(words).length - 1, { timeout: maxStartMilliseconds, message: said }).toBe(times);
  const site = {
    office,
    visits,
    env,
    /** Waits until it and what it started have said so, so many times. */
    says,
    /** Waits until so many releases have come up, one after the other. */
    runs: (times: number) => says('Livecode is running', times),
    isOpen: async () => (await fetch(`http://localhost:${office}/readyz`)).ok,
    /** Answers its exit code. */
    stop(): Promise<number | null> {
      child.kill('SIGTERM');
      return ended;
    },
  };
  await site.runs(1);
  return site;
}
