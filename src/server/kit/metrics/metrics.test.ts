import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { gatherMetrics } from './exchange.ts';
import { mayReadMetrics } from './guard.ts';
import { gauge, measureProcess, mergeMetrics, renderMetricList } from './metrics.ts';

test('what several processes tell is one text: each family once, each sample with its process', () => {
  const web = renderMetricList([gauge('process_heap_bytes', 'Memory.', 1)]);
  const job = renderMetricList([
    gauge('process_heap_bytes', 'Memory.', 2),
    { name: 'job_late_seconds', help: 'Late.', type: 'gauge', samples: [{ labels: { job: 'a"b' }, value: 3 }] },
  ]);
  expect(
    mergeMetrics(
      new Map([
        ['web', web],
        ['worker', job],
      ]),
    ),
  ).toBe(
    [
      '# HELP livecode_process_heap_bytes Memory.',
      '# TYPE livecode_process_heap_bytes gauge',
      'livecode_process_heap_bytes{process="web"} 1',
      'livecode_process_heap_bytes{process="worker"} 2',
      '# HELP livecode_job_late_seconds Late.',
      '# TYPE livecode_job_late_seconds gauge',
      'livecode_job_late_seconds{process="worker",job="a\\"b"} 3',
      '',
    ].join('\n'),
  );
});

test('a process tells its processor time, memory and lateness', () => {
  const text = renderMetricList(measureProcess()());
  for (const name of ['cpu_seconds_total', 'resident_bytes', 'heap_bytes', 'loop_late_seconds', 'start_seconds'])
    expect(text).toMatch(new RegExp(`^livecode_process_${name} [\\d.e-]+$`, 'm'));
});

type Child = Parameters<Parameters<typeof gatherMetrics>[0] extends () => readonly (infer A)[] ? (child: A) => void : never>[0]['process'];

test('the supervisor asks every child and answers the one that asked; one that is silent costs no other', async () => {
  const answers: unknown[] = [];
  const child = (pid: number, reply: ((message: { metrics_wanted: number }) => void) | undefined) =>
    Object.assign(new EventEmitter(), {
      pid,
      connected: true,
      send: (message: { metrics_wanted: number }) => {
        if ('metrics_wanted' in message) reply?.(message);
        else answers.push(message);
        return true;
      },
    }) as unknown as Child;
  const web = child(1, ({ metrics_wanted }) =>
    gathering.hear(web, { metrics_own: metrics_wanted, text: '# TYPE livecode_a gauge\nlivecode_a 1\n' }),
  );
  const silent = child(2, undefined);
  const gathering = gatherMetrics(
    () => [
      { process: web, name: 'web' },
      { process: silent, name: 'loader' },
    ],
    () => '# TYPE livecode_b gauge\nlivecode_b 2\n',
  );
  gathering.hear(web, { metrics_asked: 7 });
  await expect.poll(() => answers).toHaveLength(1);
  expect(answers).toEqual([
    {
      metrics_all: 7,
      text: '# TYPE livecode_b gauge\nlivecode_b{process="supervisor"} 2\n# TYPE livecode_a gauge\nlivecode_a{process="web"} 1\n',
    },
  ]);
});

test.each([
  ['this machine', '127.0.0.1', {}, undefined, true],
  ['this machine by IPv6', '::1', {}, undefined, true],
  ['a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, undefined, false],
  ['another machine', '10.0.0.5', {}, undefined, false],
  ['the token from elsewhere', '10.0.0.5', { authorization: 'Bearer secret-token-123' }, 'secret-token-123', true],
  ['a wrong token', '127.0.0.1', { authorization: 'Bearer other' }, 'secret-token-123', false],
  ['this machine without the token', '127.0.0.1', {}, 'secret-token-123', false],
])('%s reads metrics or not', (_who, remoteAddress, headers, token, may) => {
  expect(mayReadMetrics({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, token)).toBe(may);
});
