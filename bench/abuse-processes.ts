import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const parentOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
};

/** The process and everything below it. */
export function familyOf(pid: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Boolean);
  const children = new Map<number, number[]>();
  for (const one of all) children.set(parentOf(one), [...(children.get(parentOf(one)) ?? []), one]);
  const below = (one: number): number[] => [one, ...(children.get(one) ?? []).flatMap(below)];
  return below(pid);
}

function megabytesOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The process id of a part, as the supervisor noted it; undefined while it is down. */
export function partPid(dataDir: string, name: string): number | undefined {
  const state = JSON.parse(readFileSync(join(dataDir, 'supervisor.json'), 'utf8')) as { children: { pid: number; name: string }[] };
  return state.children.find((child) => child.name === name)?.pid;
}

export type Memory = { web: number; children: number };

/** Samples the web process and the processes it started, ten times a second; answers the highest of each since it was asked last. */
export function watchMemory(dataDir: string): { peak: () => Memory; stop: () => void } {
  let highest: Memory = { web: 0, children: 0 };
  const timer = setInterval(() => {
    const pid = partPid(dataDir, 'web');
    if (pid === undefined) return;
    const [web = 0, ...children] = familyOf(pid).map(megabytesOf);
    highest = {
      web: Math.max(highest.web, web),
      children: Math.max(
        highest.children,
        children.reduce((sum, one) => sum + one, 0),
      ),
    };
  }, 100);
  return {
    peak() {
      const seen = highest;
      highest = { web: 0, children: 0 };
      return seen;
    },
    stop: () => clearInterval(timer),
  };
}

/** Answers how many percent of the processors' time the machine's host gave to others since the call. */
export function watchSteal(): () => string {
  const times = () => (/^cpu +(.*)/.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? '').split(' ').slice(0, 8).map(Number);
  const before = times();
  return () => {
    const spent = times().map((time, index) => time - (before[index] ?? 0));
    const all = spent.reduce((sum, one) => sum + one, 0);
    return ((100 * (spent[7] ?? 0)) / (all || 1)).toFixed(0);
  };
}
