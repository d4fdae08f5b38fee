import { randomBytes } from 'node:crypto';
import { open, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder } from '../../kit/folders.ts';

/** A file that is not whole yet says in its name who writes it: the process, and the machine or container in which that has its number. */
const partName = /\.(\d+)@([^/]+)\.part$/;

export const partOf = (path: string): string => `${path}.${process.pid}@${hostname()}.part`;

/**
 * Removes what killed processes of this machine left in a folder under such names. What a process may still write stays.
 * @param leave ends what still works in one
 */
export async function removeLeftParts(folder: string, beginning = '', leave = async (_part: string) => {}): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid, host] = partName.exec(name) ?? [];
    if (!name.startsWith(beginning) || pid === undefined || host !== hostname() || (await isHeld(Number(pid), join(folder, name))))
      continue;
    await leave(join(folder, name));
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Works in a folder of its own, which is removed afterwards, and with it what killed ones left beside it. */
export async function withPartFolder<T>(parent: string, beginning: string, work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftParts(parent, beginning);
  const folder = partOf(join(parent, `${beginning}${randomBytes(4).toString('hex')}`));
  makeDataFolder(folder);
  // Held open: others see that it is somebody's while no file in it is.
  const held = await open(folder, 'r');
  try {
    return await work(folder);
  } finally {
    await held.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Another process may have got the number of a killed one: where the system tells, it is asked which files that has open. */
async function isHeld(pid: number, path: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    const files = `/proc/${pid}/fd`;
    const real = await realpath(path);
    const opened = await Promise.all((await readdir(files)).map((number) => readlink(join(files, number)).catch(() => '')));
    return opened.includes(real);
  } catch {
    return true;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another account's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
