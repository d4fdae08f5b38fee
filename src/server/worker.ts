import { sql } from 'drizzle-orm';
import pino from 'pino';
import { administrationJobs, startAdministration } from './administration.ts';
import { keepMomentsRepaired } from './clock-repair.ts';
import { readConfig } from './config.ts';
import { type RecurringJob, startJobs } from './kit/jobs/jobs.ts';
import { type Database, openDatabase, openPool } from './kit/postgres/database.ts';
import { openVault } from './kit/vault.ts';
import { liveCodeJobs } from './live-codes/limits/limits.jobs.ts';
import { readSettings } from './settings/settings.public.ts';
import { compactRollups, dropOldVisits, purgeExpired, refillDueTargets } from './visits/maintenance/maintenance.ts';

const config = readConfig(process.env);
if (!config.databaseUrl) throw new Error('DATABASE_URL is set by the supervisor for each of its parts');

const log = pino({ level: config.logLevel, name: 'worker' });
const pool = openPool(config.databaseUrl, log, 5);
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
    cron: '* * * * *',
    run: async () => refillDueTargets(pool, { now: new Date(), time_zone: (await readSettings(pool)).time_zone }),
  },
  { name: 'visits.purge', cron: '*/10 * * * *', run: () => purgeExpired(pool) },
  { name: 'visits.compact', cron: '*/10 * * * *', run: () => compactRollups(pool, { now: new Date(), hours: 48 }) },
  {
    name: 'visits.retention',
    cron: '23 * * * *',
    run: async () => {
      const { visit_retention_days: days } = await readSettings(pool);
      return dropOldVisits(pool, { now: new Date(), days });
    },
  },
  { name: 'sessions.purge', cron: '41 * * * *', run: () => purgeSessions(db) },
  ...liveCodeJobs(pool),
  ...administrationJobs({ pool, dataDir: config.dataDir, vault, log, allowedNetworks: config.allowedNetworks }),
];

const jobs = await startJobs(config.databaseUrl, recurring, log);
const moments = keepMomentsRepaired(db, log);
const administration = startAdministration({
  pool,
  url: config.databaseUrl,
  dataDir: config.dataDir,
  vault,
  log,
  allowedNetworks: config.allowedNetworks,
});
process.send?.({ ready: true });

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([jobs.stop(), administration.stop(), moments.stop()]);
  await pool.end();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
