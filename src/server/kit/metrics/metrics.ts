import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Metrics in Prometheus' text format, version 0.0.4, by hand: a library's registry would cost a visit more than its decision. */
export type Sample = { labels?: Readonly<Record<string, string>>; value: number };
export type Metric = { name: string; help: string; type: 'counter' | 'gauge'; samples: readonly Sample[] };

const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
const labelsOf = (labels: Sample['labels'] = {}): string => {
  const parts = Object.entries(labels).map(([name, value]) => `${name}=${quoted(value)}`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
};

export function renderMetricList(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) =>
      [
        `# HELP livecode_${name} ${help}`,
        `# TYPE livecode_${name} ${type}`,
        ...samples.map(({ labels, value }) => `livecode_${name}${labelsOf(labels)} ${Number.isFinite(value) ? value : 0}`),
        '',
      ].join('\n'),
    )
    .join('');
}

export const gauge = (name: string, help: string, value: number): Metric => ({ name, help, type: 'gauge', samples: [{ value }] });
export const counter = (name: string, help: string, value: number): Metric => ({ name, help, type: 'counter', samples: [{ value }] });

/** Begins to measure how late the event loop of this process is; answers what every process tells of itself. */
export function measureProcess(): () => Metric[] {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  return () => {
    const { user, system } = process.cpuUsage();
    const lateness = delay.percentile(99) / 1e9;
    delay.reset();
    return [
      counter('process_cpu_seconds_total', 'Processor time of the process.', (user + system) / 1e6),
      gauge('process_resident_bytes', 'Memory of the process.', process.memoryUsage.rss()),
      gauge('process_heap_bytes', 'Memory of its JavaScript objects.', process.memoryUsage().heapUsed),
      gauge('process_loop_late_seconds', 'How late its event loop was since the last look, 99th percentile.', lateness),
      gauge('process_start_seconds', 'When it started, in seconds since 1970.', startedAt),
    ];
  };
}

/** One text of several processes': each family once, each sample with its process. */
export function mergeMetrics(texts: ReadonlyMap<string, string>): string {
  const families = new Map<string, { head: string[]; samples: string[] }>();
  for (const [name, text] of texts) {
    let family: { head: string[]; samples: string[] } | undefined;
    for (const line of text.split('\n')) {
      const [, word, of = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (word !== undefined) {
        family = families.get(of) ?? { head: [], samples: [] };
        families.set(of, family);
        if (!family.head.includes(line) && family.head.length < 2) family.head.push(line);
      } else if (line !== '') family?.samples.push(withProcess(line, name));
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('');
}

function withProcess(line: string, name: string): string {
  const label = `process=${quoted(name)}`;
  const brace = line.indexOf('{');
  if (brace >= 0) return `${line.slice(0, brace + 1)}${label},${line.slice(brace + 1)}`;
  const space = line.indexOf(' ');
  return `${line.slice(0, space)}{${label}}${line.slice(space)}`;
}
