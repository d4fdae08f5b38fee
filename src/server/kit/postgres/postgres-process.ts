import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { until } from '../until.ts';

/** The lines of `postmaster.pid`: process id first, state ("starting", "ready") in line 8. Empty when there is no file. */
export function postmasterLines(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * True when the process exists and is a PostgreSQL process of this folder, a real path: a process id alone may have been given to another
 * program, and the lock file of a copied folder names the original's.
 */
export function isPostgresOf(pid: number, folder: string) {
  try {
    if (process.platform === 'linux') {
      // A process that is exiting, or already a zombie, has no working directory any more.
      return readlinkSync(`/proc/${pid}/cwd`) === folder && basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres');
    }
  } catch {
    return false;
  }
  const command = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? '';
  return command.includes('postgres') && command.includes(`-D ${folder} -k `);
}

/** Backends outlive a killed postmaster until they notice. They work in its folder; elsewhere than on Linux only PostgreSQL itself can tell. */
function processesOf(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgresOf(pid, folder));
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
}

/**
 * Leaves no PostgreSQL process in the folder and no stale lock files: stops a postmaster whose parent was killed,
 * waits for (then ends) backends whose postmaster was killed. `folder` is a real path.
 */
export async function clearPredecessor(folder: string, socketDir: string, log: (line: string) => void): Promise<void> {
  const pid = Number(postmasterLines(folder)[0]);
  const runs = () => isPostgresOf(pid, folder);
  if (pid > 0 && runs()) {
    log(`An earlier database process (${pid}) is still running: stopping it.`);
    signal(pid, 'SIGINT');
    if (!(await until(() => !runs(), 30_000))) signal(pid, 'SIGQUIT');
    if (!(await until(() => !runs(), 10_000))) signal(pid, 'SIGKILL');
  }
  if (!(await until(() => processesOf(folder).length === 0, 1_000))) {
    for (const left of processesOf(folder)) signal(left, 'SIGKILL');
    await until(() => processesOf(folder).length === 0, 5_000);
  }
  for (const path of [join(folder, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) rmSync(path, { force: true });
}
