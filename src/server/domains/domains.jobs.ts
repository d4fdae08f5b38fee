import { setTimeout as delay } from 'node:timers/promises';
import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { z } from 'zod';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { type OperationKind, operationKind } from '../kit/jobs/operations.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { openBus } from '../kit/postgres/bus.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { checkDue, checkThese } from './checks/checks.ts';
import { domain } from './domains.table.ts';

type Options = { pool: pg.Pool; network: GuardedNetwork; log: Log };

const now = () => new Date();

/** Looks every minute for domains that are due: those whose news was missed, too. */
export const domainJobs = ({ pool, network }: Omit<Options, 'log'>): RecurringJob[] => [
  {
    name: 'domains.check',
    cron: '* * * * *',
    run: async () => checkDue({ db: openDatabase(pool), network, settings: await readSettings(pool), now }),
  },
];

/** Checks domains the moment they are added, renamed or asked for. */
export function startDomainChecks({ pool, url, network, log }: Options & { url: string }): { stop: () => Promise<void> } {
  const db = openDatabase(pool);
  const stopping = new AbortController();
  const bus = openBus(url, log);
  let wake = new AbortController();
  bus.subscribe('domain_check', () => wake.abort());
  // What was asked for before the bus listened, or while its connection was lost.
  bus.onGap(() => wake.abort());

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(2 ** 31 - 1, undefined, { signal: AbortSignal.any([wake.signal, stopping.signal]), ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      wake = new AbortController();
      try {
        await checkDue({ db, network, settings: await readSettings(pool), now, signal: stopping.signal });
      } catch (error) {
        log.warn({ error: String(error) }, 'domains could not be checked');
      }
    }
  }

  const following = follow();
  return {
    async stop() {
      stopping.abort();
      await Promise.all([following, bus.stop()]);
    },
  };
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
