import type { ServerFigures } from '../../contract/system/server-list.ts';

/** Each answer stands after a line that names it. What a host does not know is left out; nothing is written there. */
export const figuresScript = `
LC_ALL=C; export LC_ALL
say() { printf '\\n@%s\\n' "$1"; }
{
say load; cat /proc/loadavg || uptime
say cpus; getconf _NPROCESSORS_ONLN || nproc
say memory; cat /proc/meminfo
say disk; df -Pk /
say uptime; cat /proc/uptime
say os; (. /etc/os-release && printf '%s\\n' "$PRETTY_NAME") || uname -s
say kernel; uname -r
say node; node --version
say npm; npm --version
say git; git --version
say end
} 2>/dev/null </dev/null
exit 0
`;

const maxVersion = 80;
const kibibyte = 1024;

const whole = (text: string | undefined): number | null => (text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null);
const decimal = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : null;

/** The answers by their names. */
function partsOf(output: string): Map<string, string> {
  const parts = output.split(/^@(\w+)\r?\n/m);
  return new Map(parts.flatMap((name, at) => (at % 2 === 1 ? [[name, (parts[at + 1] ?? '').trim()] as const] : [])));
}

function memoryOf(text: string): Pick<ServerFigures, 'memory_total' | 'memory_used'> {
  const kibibytes = (name: string) => whole(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]);
  const [total, available] = [kibibytes('MemTotal'), kibibytes('MemAvailable') ?? kibibytes('MemFree')];
  const used = total === null || available === null ? null : Math.max(0, total - available) * kibibyte;
  return { memory_total: total === null ? null : total * kibibyte, memory_used: used };
}

function diskOf(text: string): Pick<ServerFigures, 'disk_total' | 'disk_used'> {
  const [, total, used] = /\s(\d+)\s+(\d+)\s+\d+\s+\d+%\s+\/\s*$/m.exec(text) ?? [];
  const [all, taken] = [whole(total), whole(used)];
  return { disk_total: all === null ? null : all * kibibyte, disk_used: taken === null ? null : taken * kibibyte };
}

/** Reads what a host told. Whatever it says, nothing but figures and short lines comes of it. */
export function readFigures(output: string, now: Date): ServerFigures {
  const parts = partsOf(output);
  const part = (name: string) => parts.get(name) ?? '';
  const [load_1, load_5, load_15] = [...part('load').matchAll(/(?<![\d.])(\d+\.\d+)(?![\d.])/g)]
    .slice(0, 3)
    .map(([, figure]) => decimal(figure));
  const seconds = decimal(part('uptime').split(/\s/)[0]);
  const versions = ['os', 'kernel', 'node', 'npm', 'git'].flatMap((name) => {
    const [first = ''] = part(name).split('\n');
    const version = first
      .replace(/^(git version |v(?=\d))/, '')
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, maxVersion);
    return version === '' ? [] : [[name, version] as const];
  });
  return {
    cpus: whole(part('cpus')),
    load_1: load_1 ?? null,
    load_5: load_5 ?? null,
    load_15: load_15 ?? null,
    ...memoryOf(part('memory')),
    ...diskOf(part('disk')),
    booted_at: seconds === null ? null : new Date(now.getTime() - seconds * 1000).toISOString(),
    versions: Object.fromEntries(versions),
  };
}
