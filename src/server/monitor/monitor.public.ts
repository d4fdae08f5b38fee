import { sql } from 'drizzle-orm';
import { type HostAlarm, hostAlarms, type Queue } from '../../contract/system/monitor.ts';
import type { Database } from '../kit/postgres/database.ts';
import { host_alarm } from './host-sample.table.ts';
import { readQueues } from './queues.ts';
import { type HostSample, pointOf } from './samples.ts';

export { readFailedJobs } from './queues.ts';

const minuteSeconds = 60;

export type SiteLoad = {
  hosts: number;
  /** A second, of the last minute and all hosts; null where none told of one. */
  visits: number | null;
  /** Milliseconds that the slowest host answered 99 of 100 visits in; null where nobody came. */
  p99: number | null;
  /** Answered, and not in the database yet. */
  unloaded: number;
};

/** What all hosts do, by what they told in the last minute. */
export async function readSiteLoad(db: Database, now: Date): Promise<SiteLoad> {
  const { rows } = await db.execute<{ host: string; at: string; sample: HostSample }>(sql`
    SELECT host, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, sample FROM host_sample
    WHERE at > ${now.toISOString()}::timestamptz - make_interval(secs => ${minuteSeconds}) AND at <= ${now.toISOString()} ORDER BY host, host_sample.at`);
  const hosts = [...Map.groupBy(rows, ({ host }) => host).values()];
  const points = hosts.flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    return first && last && first !== last ? [pointOf(first, last)] : [];
  });
  const slowest = points.flatMap(({ p99 }) => (p99 === null ? [] : [p99]));
  return {
    hosts: hosts.length,
    visits: points.length === 0 ? null : points.reduce((sum, { visits }) => sum + visits, 0),
    p99: slowest.length === 0 ? null : Math.max(...slowest),
    unloaded: hosts.reduce((sum, own) => sum + (own.at(-1)?.sample.unloaded ?? 0), 0),
  };
}

/** What is wrong with hosts, the gravest first. */
export async function readHostAlarms(db: Database): Promise<{ host: string; kind: HostAlarm; since: string }[]> {
  const alarms = (await db.select().from(host_alarm)).map((alarm) => ({ ...alarm, kind: alarm.kind as HostAlarm }));
  return alarms.sort((one, other) => hostAlarms.indexOf(one.kind) - hostAlarms.indexOf(other.kind) || one.host.localeCompare(other.host));
}

/** A queue is late when its oldest row is due for so long. */
const lateSeconds = 60;

/** What waits for workers, and is due for longer than they need. */
export async function readLateQueues(db: Database): Promise<Queue[]> {
  return (await readQueues(db)).filter(({ late_seconds }) => late_seconds > lateSeconds);
}
