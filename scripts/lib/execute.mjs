import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { runtimeOf } from './install.mjs';

/**
 * Runs a program of ours on the pinned runtime, in this terminal, and passes signals on to it.
 * @returns {Promise<number>} its exit code; 128 + number when a signal ended it
 */
export function execute(root, args, env = {}) {
  return run(root, args, env, 'inherit');
}

/** As `execute`, for a program that serves until it is stopped: it also learns, by its channel to us, when we were killed. */
export function serve(root, args, env = {}) {
  stopWithNpm();
  return run(root, args, env, ['inherit', 'inherit', 'inherit', 'ipc']);
}

function run(root, args, env, stdio) {
  return new Promise((resolve, reject) => {
    const child = spawn(runtimeOf(root), args, { cwd: root, stdio, env: { ...process.env, ...env } });
    // In a terminal Ctrl-C reaches the child by itself; a second one of ours does no harm there.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** npm that was killed cannot pass anything on: then its end is the signal. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  timer.unref();
}
