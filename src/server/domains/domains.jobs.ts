import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { z } from 'zod';
import type { Log } from '../kit/calls/context.ts';
import { type OperationKind, operationKind } from '../kit/jobs/operations.ts';
import { createWorkLoop, type WorkLoop } from '../kit/jobs/work-loop.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { checkDue, checkThese, claimDue, type DueDomains, releaseDue } from './checks/checks.ts';
import { domain } from './domains.table.ts';

const now = () => new Date();
/** For those whose time comes without news. */
const pollMilliseconds = 15_000;
/** A check that failed here, as where the database gave no connection in time, says nothing of the domain. */
const retrySeconds = 10;

type Options = { pool: pg.Pool; bus: Bus; network: GuardedNetwork; log: Log };

/** Checks domains when their time comes, and the moment they are added, renamed or asked for. */
export function startDomainChecks({ pool, bus, network, log }: Options): WorkLoop {
  const db = openDatabase(pool);
  return createWorkLoop<DueDomains>({
    name: 'domain checks',
    bus,
    topic: 'domain_check',
    pollMilliseconds,
    // Portions of domains: a new one does not wait for hundreds that are due.
    concurrency: 2,
    log,
    claim: () => claimDue(db),
    async run(due, signal) {
      try {
        await checkDue(due, { db, network, settings: await readSettings(pool), now, signal });
      } catch (error) {
        await releaseDue(db, due, retrySeconds);
        throw error;
      }
      signal.throwIfAborted();
    },
    release: (due) => releaseDue(db, due),
  });
}

/** "Check now" for many domains: those that the user may still change when it runs, all of them where no ids are given. */
export const domainCheckKind = (network: GuardedNetwork): OperationKind =>
  operationKind('domain_check', z.object({ ids: z.array(z.number()).nullable() }), async ({ ids }, job) => {
    const found = await ownIds(job.db, job.scope.changes(domain.holder_id));
    const asked = new Set(ids);
    const wanted = ids === null ? found : found.filter((id) => asked.has(id));
    job.progress(0, wanted.length);
    const { db, settings, signal } = job;
    const options = { db, network, settings, now, signal };
    const number = await checkThese(wanted, { ...options, onChecked: (done) => job.progress(done, wanted.length) });
    return { message: { key: 'async_operations.message.domains_checked', params: { number } } };
  });

async function ownIds(db: Database, isOwn: SQL | undefined): Promise<number[]> {
  const rows = await db.select({ id: domain.id }).from(domain).where(isOwn).orderBy(domain.id);
  return rows.map(({ id }) => id);
}
