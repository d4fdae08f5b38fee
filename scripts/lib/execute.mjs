import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { runtimeOf } from './install.mjs';

/**
 * Runs a program of ours on the pinned runtime, in this terminal, and passes signals on to it.
 * @returns {Promise<number>} its exit code; 128 + number when a signal ended it
 */
export function execute(root, args, env = {}, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(runtimeOf(root), args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });
    // In a terminal Ctrl-C reaches the child by itself; a second one of ours does no harm there.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
