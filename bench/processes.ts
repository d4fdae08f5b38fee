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

/** Seconds of processor time that a process took, and those of its children that have ended; 0 where `memoryOf` answers that. */
export function processorTimeOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  const text = existsSync(file) ? readFileSync(file, 'latin1') : '';
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Ticks of the kernel, a hundredth of a second each: its own, in the kernel and not, then the children's.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
