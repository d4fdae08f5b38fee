import { readlinkSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets a process stand back behind the others where the processor is short. Linux gives each session its share of the processors first
 * (autogroup, see sched(7)); each part of the product and each of PostgreSQL's processes is a session of its own: there the niceness of
 * the process says nothing to the others, that of its session does.
 * @param niceness 0 to 19
 * @returns false where the process ended, or the system has no such thing or refuses it now: it runs all the same
 */
export function standBack(pid: number, niceness: number): boolean {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
    return true;
  } catch {
    return false;
  }
}

/** Lets the thread that calls stand back behind the others of its process, where the system knows threads by number. */
export function standBackThread(niceness = 10): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // It runs all the same.
  }
}
