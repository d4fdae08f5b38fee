import { sql } from 'drizzle-orm';
import { administrationJobs, outwardJobs, startAdministration, startOutwardAdministration } from './administration.ts';
import { backupJobs } from './backup/backup.jobs.ts';
import { backupWatchJobs } from './backup/runs/watch.ts';
import { keepMomentsRepaired } from './clock-repair.ts';
import { readConfig } from './config.ts';
import { collectWhileIdle } from './kit/idle-memory.ts';
import { type RecurringJob, startJobs } from './kit/jobs/jobs.ts';
import { readWorkMetrics } from './kit/jobs/work-metrics.ts';
import { openLog } from './kit/log.ts';
import { shareMetrics } from './kit/metrics/exchange.ts';
import { measureProcess, renderMetricList } from './kit/metrics/metrics.ts';
import { openBus } from './kit/postgres/bus.ts';
import { type Database, openDatabase, openPool } from './kit/postgres/database.ts';
import { openVault } from './kit/vault.ts';
import { liveCodeJobs } from './live-codes/limits/limits.jobs.ts';
import { startOutward } from './restored-copy/restored-copy.public.ts';
import { readSettings } from './settings/settings.public.ts';
import { startSending } from './visits/clickhouse/sending.ts';
import { answerFromClickhouse } from './visits/clickhouse/visit-stores.ts';
import { deviceModelJobs } from './visits/devices/device-model.jobs.ts';
import { visitDigestJobs } from './visits/digests/visit-digest.jobs.ts';
import { compactIndexes } from './visits/maintenance/indexes.ts';
import { compactRollups, emptyGivenUpHistories, purgeExpired, refillDueTargets } from './visits/maintenance/maintenance.ts';
import { packCounts } from './visits/maintenance/packing.ts';
import { endRetention } from './visits/maintenance/retention.ts';
import { visitRuleJobs } from './visits/rules/visit-rule.jobs.ts';

const config = readConfig(process.env);
if (!config.databaseUrl) throw new Error('DATABASE_URL is set by the supervisor for each of its parts');

const log = await openLog('worker', config);
const pool = openPool(config.databaseUrl, log, 8, 'livecode worker');
const db = openDatabase(pool);
const vault = await openVault(db, config.dataDir, config.masterKey);

/** Sessions that ran out, attempts whose time is over, and answers that nobody will ask for again. */
async function purgeSessions(on: Database): Promise<void> {
  await on.execute(sql`DELETE FROM session WHERE expires_at < now()`);
  await on.execute(sql`DELETE FROM attempt WHERE window_ends_at < now()`);
  await on.execute(sql`DELETE FROM request_answer WHERE created_at < now() - interval '2 days'`);
}

const recurring: RecurringJob[] = [
  {
    name: 'visits.refill',
    everyMinutes: 1,
    run: async () => refillDueTargets(pool, { now: new Date(), time_zone: (await readSettings(pool)).time_zone }),
  },
  { name: 'visits.empty', everyMinutes: 1, run: () => emptyGivenUpHistories(pool) },
  { name: 'visits.purge', everyMinutes: 10, run: () => purgeExpired(pool) },
  { name: 'visits.compact', everyMinutes: 1, run: () => compactRollups(pool, { now: new Date(), hours: 2 }) },
  { name: 'visits.compact_late', everyMinutes: 60, offsetMinutes: 23, run: () => compactRollups(pool, { now: new Date(), hours: 48 }) },
  { name: 'visits.compact_indexes', everyMinutes: 60, offsetMinutes: 53, run: () => compactIndexes(pool, { now: new Date() }) },
  { name: 'visits.pack', everyMinutes: 60, offsetMinutes: 37, run: () => packCounts(pool, { now: new Date() }) },
  {
    name: 'visits.retention',
    everyMinutes: 60,
    offsetMinutes: 23,
    run: async () => endRetention(pool, { now: new Date(), settings: await readSettings(pool) }),
  },
  { name: 'sessions.purge', everyMinutes: 60, offsetMinutes: 41, run: () => purgeSessions(db) },
  ...deviceModelJobs(pool),
  ...visitRuleJobs(pool),
  ...liveCodeJobs(pool),
  ...administrationJobs({ pool, dataDir: config.dataDir, vault }),
];

const bus = openBus(config.databaseUrl, log);
const jobs = await startJobs({ db, bus, log, jobs: recurring });
answerFromClickhouse(config.clickhouseUrl, log);
const moments = keepMomentsRepaired(db, log);
const { dataDir, allowedNetworks, serverNetworks } = config;
const administration = startAdministration({ pool, bus, dataDir, vault, log });

/** Fewer at once than the others: each may wait long for somebody else's server. */
const outwardAtOnce = 2;

/** All that reaches outside, or into what the original of a restored copy shares with it: buckets, folders of backups, ClickHouse. */
async function startReaching(): Promise<{ stop: () => Promise<void> }> {
  const options = { pool, bus, dataDir, vault, log, allowedNetworks, serverNetworks };
  const outward = [...visitDigestJobs(pool), ...backupWatchJobs(pool), ...outwardJobs(options)];
  const backups = backupJobs({ pool, log, ...config });
  const loops = [
    await startJobs({ db, bus, log, jobs: outward, concurrency: outwardAtOnce }),
    // One after the other, and none of the others waits for hours behind them.
    ...(backups.length > 0 ? [await startJobs({ db, bus, log, jobs: backups, concurrency: 1 })] : []),
    startSending(pool, { url: config.clickhouseUrl, cluster: config.clickhouseCluster }, log),
    startOutwardAdministration(options),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
const outward = await startOutward({ db, bus, log, start: startReaching });
const measured = measureProcess();
shareMetrics(async () => renderMetricList([...measured(), ...(await readWorkMetrics(pool).catch(() => []))]));
collectWhileIdle();

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([jobs.stop(), administration.stop(), moments.stop(), outward.stop()]);
  await bus.stop();
  await pool.end();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
// Whoever hears it may ask for the end at once.
process.send?.({ ready: true });
