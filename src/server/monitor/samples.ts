import type { HostPoint } from '../../contract/system/monitor.ts';

/** What a host told at one moment: counters since each of its processes began, and what was at that moment. */
export type HostSample = {
  /** By process: visits that were answered, in all and by the bounds of their time in seconds; told to come again. */
  visits: Record<string, { answered: number; refused: number; bounds: Record<string, number> }>;
  unloaded: number;
  /** Of all hosts. */
  loaded: number;
  calls: number;
  call_seconds: number;
  /** Used share of the data folder's disk. */
  disk: number;
  processes: Record<string, { bytes: number; cpu: number; late: number; started_at: number }>;
  /** Redirect processes and loaders that were begun and told nothing; older samples do not know. */
  silent?: string[];
};

type Line = { name: string; labels: Record<string, string>; value: number };

/** The samples of metrics in Prometheus' text format, as `renderMetricList` and `mergeMetrics` write them. */
export function parseMetrics(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^livecode_([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', quoted = '']) => [key, quoted] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/**
 * @param loadedOf records that are loaded of a redirect process's journal, by its source
 * @param disk used share
 */
export function sampleOf(text: string, loadedOf: (source: string) => number, disk: number): HostSample {
  const lines = parseMetrics(text);
  const sample: HostSample = { visits: {}, unloaded: 0, loaded: 0, calls: 0, call_seconds: 0, disk, processes: {} };
  const records = new Map<string, number>();
  const begun: string[] = [];
  const visitsOf = (name: string) => {
    sample.visits[name] ??= { answered: 0, refused: 0, bounds: {} };
    return sample.visits[name];
  };
  const processOf = (name: string) => {
    sample.processes[name] ??= { bytes: 0, cpu: 0, late: 0, started_at: 0 };
    return sample.processes[name];
  };
  for (const { name, labels, value } of lines) {
    const { process = '', le = '', child = '' } = labels;
    if (name === 'visit_seconds_count') visitsOf(process).answered = value;
    else if (name === 'visit_seconds_bucket') visitsOf(process).bounds[le] = value;
    else if (name === 'unavailable_total' || name === 'journal_refused_total') visitsOf(process).refused += value;
    else if (name === 'journal_records_total') records.set(process, value);
    else if (name === 'loader_records_total') sample.loaded = Math.max(sample.loaded, value);
    else if (name === 'web_requests_total') sample.calls += value;
    else if (name === 'web_request_seconds_total') sample.call_seconds += value;
    else if (name === 'process_resident_bytes') processOf(process).bytes = value;
    else if (name === 'process_cpu_seconds_total') processOf(process).cpu = value;
    else if (name === 'process_loop_late_seconds') processOf(process).late = value;
    else if (name === 'process_start_seconds') processOf(process).started_at = value;
    else if (name === 'child_up' && /^(redirect|loader)\b/.test(child)) begun.push(child);
  }
  sample.silent = begun.filter((child) => !(child in sample.processes));
  for (const { name, labels } of lines) {
    if (name === 'journal_source') sample.unloaded += Math.max(0, (records.get(labels.process ?? '') ?? 0) - loadedOf(labels.source ?? ''));
  }
  return sample;
}

/** What a counter grew by; a process that began anew counts from 0. */
const grown = (before: number | undefined, after: number): number => (before === undefined || after < before ? after : after - before);

type Bounds = Record<string, number>;

/** The time that so large a part of the visits did not exceed, in milliseconds, as Prometheus guesses it between two bounds. */
export function quantileOf(bounds: Bounds, part: number): number | null {
  const all = bounds['+Inf'] ?? 0;
  if (all <= 0) return null;
  const steps = Object.entries(bounds)
    .filter(([bound]) => bound !== '+Inf')
    .map(([bound, number]) => ({ bound: Number(bound) * 1000, number }))
    .sort((one, other) => one.bound - other.bound);
  let low = { bound: 0, number: 0 };
  for (const step of steps) {
    if (step.number >= part * all) {
      const within = step.number - low.number;
      return within === 0 ? step.bound : low.bound + ((part * all - low.number) / within) * (step.bound - low.bound);
    }
    low = step;
  }
  return low.bound;
}

/** What happened between two samples of a host. */
export function pointOf(before: { at: string; sample: HostSample }, after: { at: string; sample: HostSample }): HostPoint {
  const seconds = Math.max(0.001, (Date.parse(after.at) - Date.parse(before.at)) / 1000);
  const bounds: Bounds = {};
  let [visits, refused] = [0, 0];
  for (const [name, now] of Object.entries(after.sample.visits)) {
    const then = before.sample.visits[name];
    visits += grown(then?.answered, now.answered);
    refused += grown(then?.refused, now.refused);
    const isNew = then !== undefined && now.answered < then.answered;
    for (const [bound, number] of Object.entries(now.bounds))
      bounds[bound] = (bounds[bound] ?? 0) + (isNew ? number : grown(then?.bounds[bound], number));
  }
  const calls = grown(before.sample.calls, after.sample.calls);
  const processes = Object.entries(after.sample.processes).map(([name, { bytes, late }]) => [name, { bytes, late: late * 1000 }] as const);
  return {
    at: after.at,
    visits: visits / seconds,
    p50: quantileOf(bounds, 0.5),
    p99: quantileOf(bounds, 0.99),
    refused: refused / seconds,
    unloaded: after.sample.unloaded,
    loaded: grown(before.sample.loaded, after.sample.loaded) / seconds,
    calls: calls / seconds,
    call_milliseconds: calls === 0 ? null : (grown(before.sample.call_seconds, after.sample.call_seconds) / calls) * 1000,
    processes: Object.fromEntries(processes),
  };
}

/** The share of one core that a process took between two samples. */
export function processorOf(name: string, before: { at: string; sample: HostSample }, after: { at: string; sample: HostSample }): number {
  const seconds = Math.max(0.001, (Date.parse(after.at) - Date.parse(before.at)) / 1000);
  return grown(before.sample.processes[name]?.cpu, after.sample.processes[name]?.cpu ?? 0) / seconds;
}
