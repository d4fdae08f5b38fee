import { sql } from 'drizzle-orm';
import { administrationJobs, startAdministration } from './administration.ts';
import { keepMomentsRepaired } from './clock-repair.ts';
import { readConfig } from './config.ts';
import { type RecurringJob, startJobs } from './kit/jobs/jobs.ts';
import { openLog } from './kit/log.ts';
import { openBus } from './kit/postgres/bus.ts';
import { type Database, openDatabase, openPool } from './kit/postgres/database.ts';
import { openVault } from './kit/vault.ts';
import { liveCodeJobs } from './live-codes/limits/limits.jobs.ts';
import { readSettings } from './settings/settings.public.ts';
import { compactRollups, dropOldVisits, purgeExpired, refillDueTargets } from './visits/maintenance/maintenance.ts';

const config = readConfig(process.env);
if (!config.databaseUrl) throw new Error('DATABASE_URL is set by the supervisor for each of its parts');

const log = await openLog('worker', config);
const pool = openPool(config.databaseUrl, log, 8);
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
  { name: 'visits.purge', everyMinutes: 10, run: () => purgeExpired(pool) },
  { name: 'visits.compact', everyMinutes: 1, run: () => compactRollups(pool, { now: new Date(), hours: 2 }) },
  { name: 'visits.compact_late', everyMinutes: 60, offsetMinutes: 23, run: () => compactRollups(pool, { now: new Date(), hours: 48 }) },
  {
    name: 'visits.retention',
    everyMinutes: 60,
    offsetMinutes: 23,
    run: async () => {
      const { visit_retention_days: days } = await readSettings(pool);
      return dropOldVisits(pool, { now: new Date(), days });
    },
  },
  { name: 'sessions.purge', everyMinutes: 60, offsetMinutes: 41, run: () => purgeSessions(db) },
  ...liveCodeJobs(pool),
  ...administrationJobs({ pool, dataDir: config.dataDir, vault, log, allowedNetworks: config.allowedNetworks }),
];

const bus = openBus(config.databaseUrl, log);
const jobs = await startJobs({ db, bus, log, jobs: recurring });
const moments = keepMomentsRepaired(db, log);
const administration = startAdministration({ pool, bus, dataDir: config.dataDir, vault, log, allowedNetworks: config.allowedNetworks });
process.send?.({ ready: true });

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([jobs.stop(), administration.stop(), moments.stop()]);
  await bus.stop();
  await pool.end();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
