import { sql } from 'drizzle-orm';
import { type HostAlarm, type MonitoredHost, type MonitorRange, type monitor, monitorSeconds } from '../../contract/system/monitor.ts';
import type { Service } from '../kit/calls/context.ts';
import type { Database } from '../kit/postgres/database.ts';
import { host_alarm } from './host-sample.table.ts';
import { readFailedJobs, readQueues } from './queues.ts';
import { type HostSample, pointOf, processorOf } from './samples.ts';

type Row = { host: string; at: string; sample: HostSample };

/** The last sample of each step, and the one before the first, from which it grew. */
async function readSamples(db: Database, range: MonitorRange, now: Date): Promise<Row[]> {
  const { step, points } = monitorSeconds[range];
  const { rows } = await db.execute<Row>(sql`
    SELECT DISTINCT ON (host, bin) host, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, sample
    FROM (
      SELECT host, at, sample, date_bin(make_interval(secs => ${step}), at, '2000-01-01 00:00Z') AS bin FROM host_sample
      WHERE at > ${now.toISOString()}::timestamptz - make_interval(secs => ${step * (points + 1)}) AND at <= ${now.toISOString()}
    ) AS told ORDER BY host, bin, told.at DESC`);
  return rows;
}

function shownHost(host: string, rows: readonly Row[], alarms: MonitoredHost['alarms']): MonitoredHost[] {
  const [before, last] = [rows.at(-2), rows.at(-1)];
  if (!last) return [];
  const processes = Object.entries(last.sample.processes).map(([name, { bytes, late, started_at }]) => ({
    name,
    bytes: Math.round(bytes),
    processor: before ? processorOf(name, before, last) : 0,
    late: late * 1000,
    started_at: new Date(started_at * 1000).toISOString(),
  }));
  const points = rows.slice(1).flatMap((row, at) => {
    const earlier = rows[at];
    return earlier ? [pointOf(earlier, row)] : [];
  });
  return [{ host, seen_at: last.at, alarms, disk: last.sample.disk, processes, points }];
}

async function readDatabase(db: Database) {
  const { rows } = await db.execute<{ bytes: number; connections: number; max_connections: number }>(sql`
    SELECT pg_database_size(current_database()) AS bytes, current_setting('max_connections')::integer AS max_connections,
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::integer AS connections`);
  const [found] = rows;
  if (!found) throw new Error('the database tells nothing of itself');
  return found;
}

export const monitorService: Service<typeof monitor> = {
  async inquire({ range = 'hour' }, { db, now }) {
    const [rows, alarms] = [await readSamples(db, range, now), await db.select().from(host_alarm)];
    const alarmsOf = (name: string) =>
      alarms.filter(({ host }) => host === name).map(({ kind, since }) => ({ kind: kind as HostAlarm, since }));
    const hosts = [...Map.groupBy(rows, ({ host }) => host)].flatMap(([host, own]) => shownHost(host, own, alarmsOf(host)));
    return {
      now: now.toISOString(),
      hosts,
      queues: await readQueues(db),
      failed_jobs: await readFailedJobs(db),
      database: await readDatabase(db),
    };
  },
};
