import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { type HostAlarm, hostAlarms } from '../../contract/system/monitor.ts';
import { platformOwners } from '../detection/detection.public.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { emitEvents } from '../kit/messages/events.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { host_alarm } from './host-sample.table.ts';
import { type HostSample, pointOf } from './samples.ts';

const windowMinutes = 5;
/** A host that told nothing for so long is away; one that told nothing for a day was taken down. */
const awaySeconds = 60;
/** A part that tells nothing in any sample of so long is stuck; one that was just begun tells in the next. */
const silentSeconds = 30;
/** Of fewer visits the slowest one says nothing. */
const minVisits = 100;

type Thresholds = {
  alarm_visit_milliseconds: number;
  alarm_unloaded_visits: number;
  alarm_memory_megabytes: number;
  alarm_disk_percent: number;
};
type Strain = { value: number; limit: number };
type Row = { host: string; at: string; sample: HostSample };

/** What of a host is beyond the thresholds, all through the window where it goes up and down. */
export function strainsOf(samples: readonly Row[], limits: Thresholds, now: Date): Partial<Record<HostAlarm, Strain>> {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return {};
  const found: Partial<Record<HostAlarm, Strain>> = {};
  const look = (kind: HostAlarm, value: number, limit: number) => {
    if (value > limit) found[kind] = { value: Math.round(value), limit };
  };
  look('away', (now.getTime() - Date.parse(last.at)) / 1000, awaySeconds);
  if (found.away) return found;
  const newest = samples.filter(({ at }) => Date.parse(last.at) - Date.parse(at) <= silentSeconds * 1000);
  if (newest.length > 1)
    look('silent', (last.sample.silent ?? []).filter((name) => newest.every(({ sample }) => sample.silent?.includes(name))).length, 0);
  look('disk', last.sample.disk * 100, limits.alarm_disk_percent);
  if (first === last) return found;
  const point = pointOf(first, last);
  const visits = (point.visits * (Date.parse(last.at) - Date.parse(first.at))) / 1000;
  if (visits >= minVisits) look('slow_visits', point.p99 ?? 0, limits.alarm_visit_milliseconds);
  look('unloaded', Math.min(...samples.map(({ sample }) => sample.unloaded)), limits.alarm_unloaded_visits);
  const leastOf = (name: string) => Math.min(...samples.map(({ sample }) => sample.processes[name]?.bytes ?? 0));
  const largest = Math.max(0, ...Object.keys(last.sample.processes).map(leastOf));
  look('memory', largest / 2 ** 20, limits.alarm_memory_megabytes);
  return found;
}

/** The samples of the last minutes of every host, and the last one of those that tell nothing any more. */
async function recentSamples(db: Database, now: Date): Promise<Map<string, Row[]>> {
  const { rows } = await db.execute<Row>(sql`
    SELECT host_sample.host, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, sample
    FROM host_sample JOIN (SELECT host, max(at) AS last FROM host_sample GROUP BY host) AS seen USING (host)
    WHERE at <= ${now.toISOString()} AND (at > ${now.toISOString()}::timestamptz - make_interval(mins => ${windowMinutes}) OR at = last)
    ORDER BY host_sample.host, at`);
  return Map.groupBy(rows, ({ host }) => host);
}

/** Tells the platform's owners of what became too much on a host, and of what is well again; each once. */
export async function judgeHosts(db: Database, limits: Thresholds, now = new Date()): Promise<number> {
  return transact(db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('host_alarm'))`);
    const samples = await recentSamples(tx, now);
    const before = await tx.select().from(host_alarm);
    const isRaised = (host: string, kind: HostAlarm) => before.some((alarm) => alarm.host === host && alarm.kind === kind);
    const owners = await platformOwners(tx);
    const tell = (type: 'host.strained' | 'host.recovered', name: string, kind: HostAlarm, strain: Partial<Strain>) =>
      emitEvents(
        tx,
        owners.map((owner_id) => ({ type, owner_id, data: { name, kind, ...strain } })),
      );
    let changed = 0;
    for (const [host, rows] of samples) {
      const strains = strainsOf(rows, limits, now);
      for (const kind of hostAlarms) {
        const strain = strains[kind];
        if ((strain !== undefined) === isRaised(host, kind)) continue;
        // What one that is away last told says nothing of it now.
        if (!strain && strains.away) continue;
        changed += 1;
        if (strain) await tx.insert(host_alarm).values({ host, kind, since: now.toISOString() });
        else await tx.execute(sql`DELETE FROM host_alarm WHERE host = ${host} AND kind = ${kind}`);
        await tell(strain ? 'host.strained' : 'host.recovered', host, kind, strain ?? {});
      }
    }
    await tx.execute(sql`DELETE FROM host_alarm WHERE host <> ALL (${sql.param([...samples.keys()])}::text[])`);
    return changed;
  });
}

export const monitorJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'hosts.judge', everyMinutes: 1, run: async () => judgeHosts(openDatabase(pool), await readSettings(pool)) },
];
