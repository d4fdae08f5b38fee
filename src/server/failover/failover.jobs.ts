import type pg from 'pg';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { createWorkLoop, type WorkLoop } from '../kit/jobs/work-loop.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { openDatabase, transact, transactRedoable } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { type Claimed, claimIncident, incidents, wakeWaiting } from './failover.incidents.ts';
import { noteLevels } from './failover.levels.ts';
import { handle } from './failover.run.ts';

/** For what waits until a time, or for a domain that becomes healthy. */
const pollMilliseconds = 5_000;
/** Three at once are through with a storm of 300 domains hardly sooner, and keep the processor from visits. */
const incidentsAtOnce = 1;

type Options = { pool: pg.Pool; bus: Bus; log: Log; pollEvery?: number };

/** Does what the rules say about blocked domains, from the moment of the verdict. */
export function startFailover({ pool, bus, log, pollEvery = pollMilliseconds }: Options): WorkLoop {
  const db = openDatabase(pool);
  return createWorkLoop<Claimed>({
    name: 'failover',
    bus,
    topic: 'domain_incident',
    pollMilliseconds: pollEvery,
    concurrency: incidentsAtOnce,
    log,
    prepare: () => wakeWaiting(db),
    claim: () => transactRedoable(db, claimIncident),
    run: (claimed, signal) => handle({ db, claimed, signal, maker: { now: new Date(), settings: () => readSettings(pool) } }),
    lease: incidents.lease(db),
    release: (claimed) => incidents.release(db, claimed),
  });
}

export const failoverJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'failover.levels', everyMinutes: 1, run: () => transact(openDatabase(pool), (db) => noteLevels(db)) },
];
