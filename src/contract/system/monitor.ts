import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, time } from '../kit/fields.ts';

/** What is shown: the last hour by half minutes, the last day by ten minutes. */
export const monitorRanges = ['hour', 'day'] as const;
export type MonitorRange = (typeof monitorRanges)[number];
export const monitorSeconds: Record<MonitorRange, { step: number; points: number }> = {
  hour: { step: 30, points: 120 },
  day: { step: 600, points: 144 },
};

/** What can be wrong with a host. */
export const hostAlarms = ['away', 'silent', 'slow_visits', 'unloaded', 'memory', 'disk'] as const;
export type HostAlarm = (typeof hostAlarms)[number];

/** What waits for somebody's work. */
export const queueKinds = ['operations', 'pushes', 'webhooks', 'domain_checks', 'monitors', 'payments', 'jobs'] as const;
export type QueueKind = (typeof queueKinds)[number];

const share = z.number().nonnegative();
const hostPoint = z.object({
  at: time,
  /** A second. */
  visits: z.number(),
  /** Milliseconds between request and answer; null where nobody came. */
  p50: z.number().nullable(),
  p99: z.number().nullable(),
  /** Visits a second that were told to come again. */
  refused: z.number(),
  /** Visits that were answered and are not in the database yet. */
  unloaded: count,
  /** Loaded a second. */
  loaded: z.number(),
  /** Calls of the back office a second, and the mean time of one in milliseconds. */
  calls: z.number(),
  call_milliseconds: z.number().nullable(),
  /** Of each process: bytes, and milliseconds that its event loop was late (99th percentile). */
  processes: z.record(z.string(), z.object({ bytes: z.number(), late: z.number() })),
});
export type HostPoint = z.infer<typeof hostPoint>;

const monitoredHost = z.object({
  host: z.string(),
  seen_at: time,
  alarms: z.array(z.object({ kind: z.enum(hostAlarms), since: time })),
  /** Used share of the disk that holds the data folder. */
  disk: share,
  processes: z.array(
    z.object({ name: z.string(), bytes: count, /** Of one core. */ processor: share, late: z.number(), started_at: time }),
  ),
  points: z.array(hostPoint),
});
export type MonitoredHost = z.infer<typeof monitoredHost>;

const queue = z.object({ kind: z.enum(queueKinds), waiting: count, /** How long the oldest is due already. */ late_seconds: count });
export type Queue = z.infer<typeof queue>;

/** Work that comes round by the clock, and whose last run failed. */
const failedJob = z.object({ name: z.string(), ran_at: time, error: z.string() });
export type FailedJob = z.infer<typeof failedJob>;

export const monitor = group('monitor', {
  inquire: call({
    summary: 'Visits, their latency, the journal, processes and disks of every host, what waits, and the database.',
    access: requireAny('monitor'),
    input: z.object({ range: z.enum(monitorRanges).optional() }),
    output: z.object({
      now: time,
      hosts: z.array(monitoredHost),
      queues: z.array(queue),
      failed_jobs: z.array(failedJob),
      database: z.object({ bytes: count, connections: count, max_connections: count }),
    }),
  }),
});
