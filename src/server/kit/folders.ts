import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes what is missing of the path, each new folder with exactly this mode, whatever the umask. Folders that exist are not touched. */
export function makeFolder(path: string, mode: number): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, mode);
}

/**
 * Makes the data folder. As root, PostgreSQL's account must pass through it to the cluster inside, and can do nothing more;
 * what lies in the folder has modes of its own.
 */
export function makeDataFolder(path: string): void {
  makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700);
}
