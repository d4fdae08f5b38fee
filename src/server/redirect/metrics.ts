import { outcomes } from '../../contract/enums.ts';

/** Upper bounds in milliseconds of the time between request and answer. */
const latencyBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/** Counters kept by hand: a library's labels would cost more than the rest of a visit's decision. */
export interface Counters {
  outcomes: Float64Array;
  latencies: Float64Array;
  latency_sum: number;
  /** Requests that were told to come again, because they could not be decided or recorded. */
  unavailable: number;
  errors: number;
}

export const createCounters = (): Counters => ({
  outcomes: new Float64Array(outcomes.length),
  latencies: new Float64Array(latencyBounds.length + 1),
  latency_sum: 0,
  unavailable: 0,
  errors: 0,
});

export function countAnswer(counters: Counters, outcome: number, milliseconds: number): void {
  counters.outcomes[outcome] = (counters.outcomes[outcome] ?? 0) + 1;
  let bucket = 0;
  while (milliseconds > (latencyBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
  counters.latencies[bucket] = (counters.latencies[bucket] ?? 0) + 1;
  counters.latency_sum += milliseconds;
}

export interface Gauge {
  name: string;
  help: string;
  value: number;
  type?: 'gauge' | 'counter';
}

/** The counters in Prometheus' text format, version 0.0.4. */
/** @param source the name of the process's journal */
export function renderMetrics(counters: Counters, slot: string, gauges: readonly Gauge[], source = ''): string {
  const label = `slot="${slot}"`;
  const lines = ['# HELP livecode_visits_total Answered and recorded requests.', '# TYPE livecode_visits_total counter'];
  for (const [index, outcome] of outcomes.entries()) {
    lines.push(`livecode_visits_total{${label},outcome="${outcome}"} ${counters.outcomes[index] ?? 0}`);
  }
  lines.push('# HELP livecode_visit_seconds Time between request and answer.', '# TYPE livecode_visit_seconds histogram');
  let sum = 0;
  for (const [index, count] of counters.latencies.entries()) {
    sum += count;
    const bound = latencyBounds[index];
    lines.push(`livecode_visit_seconds_bucket{${label},le="${bound === undefined ? '+Inf' : bound / 1000}"} ${sum}`);
  }
  lines.push(`livecode_visit_seconds_sum{${label}} ${counters.latency_sum / 1000}`, `livecode_visit_seconds_count{${label}} ${sum}`);
  lines.push('# HELP livecode_journal_source What the journal of the process is called.', '# TYPE livecode_journal_source gauge');
  lines.push(`livecode_journal_source{${label},source="${source}"} 1`);
  const all: Gauge[] = [
    ...gauges,
    { name: 'unavailable_total', help: 'Requests told to come again.', value: counters.unavailable, type: 'counter' },
    { name: 'errors_total', help: 'Internal errors.', value: counters.errors, type: 'counter' },
  ];
  for (const { name, help, value, type = 'gauge' } of all) {
    lines.push(`# HELP livecode_${name} ${help}`, `# TYPE livecode_${name} ${type}`, `livecode_${name}{${label}} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}
