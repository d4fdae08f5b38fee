import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes what is missing of the path, each new folder with exactly this mode, whatever the umask. Folders that exist are not touched. */
export function makeFolder(path: string, mode: number): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, mode);
}

/**
 * Makes the data folder, closed to others. Elsewhere than on Linux PostgreSQL's account, which root's start needs, must pass through it to
 * the cluster inside, and can do nothing more.
 */
export function makeDataFolder(path: string): void {
  makeFolder(path, process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700);
}
