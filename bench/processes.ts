import { existsSync, readFileSync } from 'node:fs';

/**
 * Megabytes of a process: proportional (what processes share is divided among them), and what is its alone. 0 for one that ended meanwhile,
 * such as a session of the database, and elsewhere than on Linux.
 */
export function memoryOf(pid: number | undefined): { pss: number; own: number } {
  const file = `/proc/${pid}/smaps_rollup`;
  const text = existsSync(file) ? readFileSync(file, 'latin1') : '';
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { pss: of('Pss'), own: of('Private_Clean') + of('Private_Dirty') };
}

/** Seconds of processor time that a process took; 0 where `memoryOf` answers that. */
export function processorTimeOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  const text = existsSync(file) ? readFileSync(file, 'latin1') : '';
  const ticks = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(ticks[11] ?? 0) + Number(ticks[12] ?? 0)) / 100;
}
