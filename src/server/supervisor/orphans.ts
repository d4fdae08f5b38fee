import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SupervisorState } from '../kit/data-folder-lock.ts';
import { until } from '../kit/until.ts';

/** Tells a process from a later one with the same number: when it started. Undefined when there is none. */
export function identityOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-p', String(pid), '-o', 'lstart='], { encoding: 'utf8' }).stdout?.trim() || undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything; after it follow the state (Z: ended already) and, as 20th, the start time.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[18]}`;
  } catch {
    return undefined;
  }
}

/** Ends the children that a killed supervisor left behind. They notice by themselves; this waits for it, and insists. */
export async function endOrphans(
  state: SupervisorState | undefined,
  log: (line: string) => void,
  graceMilliseconds = 10_000,
): Promise<void> {
  const left = () => (state?.children ?? []).filter(({ pid, identity }) => identityOf(pid) === identity);
  const found = left();
  if (found.length === 0) return;
  log(`An earlier start was killed; ending what it left: ${found.map(({ name }) => name).join(', ')}.`);
  for (const { pid } of found) signal(pid, 'SIGTERM');
  if (await until(() => left().length === 0, graceMilliseconds)) return;
  for (const { pid } of left()) signal(pid, 'SIGKILL');
  await until(() => left().length === 0, 5_000);
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
}
