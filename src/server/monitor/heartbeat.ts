import type pg from 'pg';
import { AppError } from '../kit/calls/errors.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { guardedRequest } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { readFailedJobs, readHostAlarms, readLateQueues, readSiteLoad } from './monitor.public.ts';

const timeoutMilliseconds = 10_000;
const jobName = 'heartbeat';

/** What an outside monitor is told each minute: whether anything waits for its attention, and what. */
async function healthOf(db: Database, now: Date) {
  const [load, late, alarms, failed] = [
    await readSiteLoad(db, now),
    await readLateQueues(db),
    await readHostAlarms(db),
    await readFailedJobs(db),
  ];
  const wrong = [
    ...late.map(({ kind, waiting, late_seconds }) => `${kind}: ${waiting} waiting, ${late_seconds} s late`),
    ...alarms.map(({ host, kind }) => `${host}: ${kind}`),
    // Who hears this knows that telling works again.
    ...failed.filter(({ name }) => name !== jobName).map(({ name }) => `${name} failed`),
  ];
  return { status: wrong.length === 0 ? 'up' : 'down', at: now.toISOString(), ...load, wrong };
}

/**
 * Tells the address of the setting `heartbeat_url` that we live, and how: what stops telling is noticed outside. `{status}` in it becomes
 * `up` or `down`, `{message}` what is wrong; the body says all of it as JSON.
 * @returns what was told; undefined where there is no address
 */
export async function beat(db: Database, network: GuardedNetwork, url: string, now = new Date()) {
  if (url === '') return undefined;
  const health = await healthOf(db, now);
  const gaps = { status: health.status, message: health.wrong.join('; ').slice(0, 500) || 'OK' };
  const { status } = await guardedRequest(network, {
    url: url.replace(/\{(status|message)\}/g, (_, name: keyof typeof gaps) => encodeURIComponent(gaps[name])),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(health),
    timeout_ms: timeoutMilliseconds,
  });
  if (status >= 400) throw new AppError(502, 'outgoing.failed', { params: { status } });
  return health;
}

export const heartbeatJobs = (pool: pg.Pool, network: GuardedNetwork): RecurringJob[] => [
  {
    name: jobName,
    everyMinutes: 1,
    run: async () => {
      await beat(openDatabase(pool), network, (await readSettings(pool)).heartbeat_url);
    },
  },
];
