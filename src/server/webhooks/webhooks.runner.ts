import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { openBus } from '../kit/postgres/bus.ts';
import { openDatabase } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { type ClaimedDelivery, claimDelivery, fanOut, purgeEvents } from './webhooks.outbox.ts';
import { attempt, type Sender } from './webhooks.sending.ts';

/** How many deliveries a worker has under way. */
export const deliveriesAtOnce = 16;

export type WebhookOptions = {
  pool: pg.Pool;
  /** The database's address, for the connection that hears of new events. */
  url: string;
  network: GuardedNetwork;
  vault: Vault;
  log: Log;
  /** How many deliveries are under way at once; of those to one host, and of one user: half of all, so that others need not wait. */
  concurrency?: number;
  perHost?: number;
  perOwner?: number;
};

/** For retries that have become due, and for news that was missed. */
const pollMilliseconds = 1000;

/** Tells webhooks of what happens, until it is stopped: then it waits for the attempts under way. */
export function startWebhooks(options: WebhookOptions): { stop: () => Promise<void> } {
  const { pool, url, network, vault, log, concurrency = deliveriesAtOnce, perHost = 4, perOwner = Math.ceil(concurrency / 2) } = options;
  const sender: Sender = { db: openDatabase(pool), network, vault, now: () => new Date() };
  const underWay = new Map<Promise<void>, ClaimedDelivery>();
  const stopping = new AbortController();
  let wake = new AbortController();
  const bus = openBus(url, log);
  bus.subscribe('event', () => wake.abort());
  bus.onGap(() => wake.abort());

  const busyHosts = (): string[] =>
    [...Map.groupBy(underWay.values(), ({ host }) => host)].filter(([, all]) => all.length >= perHost).map(([host]) => host);

  /** Begins what there is room for, as much as once fits in; what happens meanwhile need not wait for the rest. Answers whether there is more. */
  async function sendSome(): Promise<boolean> {
    for (let begun = 0; begun < concurrency; begun += 1) {
      if (underWay.size >= concurrency || stopping.signal.aborted) return false;
      const owners = { underWay: [...underWay.values()].map(({ owner_id }) => owner_id), most: perOwner };
      const claimed = await claimDelivery(sender.db, busyHosts(), owners);
      if (!claimed) return false;
      const sending = attempt(claimed, sender).then(
        () => {},
        (error) => log.error({ delivery: claimed.id, error: String(error) }, 'a webhook could not be told'),
      );
      underWay.set(sending, claimed);
      void sending.finally(() => {
        underWay.delete(sending);
        wake.abort();
      });
    }
    return true;
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const told = await fanOut(sender.db);
        if ((await sendSome()) || told > 0) continue;
      } catch (error) {
        log.warn({ error: String(error) }, 'webhooks could not be told');
        await delay(pollMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
      }
      await delay(pollMilliseconds, undefined, { signal: AbortSignal.any([wake.signal, stopping.signal]) }).catch(() => {});
      wake = new AbortController();
    }
    await Promise.all(underWay.keys());
  }

  const working = work();
  return {
    async stop() {
      stopping.abort();
      await Promise.all([working, bus.stop()]);
    },
  };
}

export const webhookJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'events.purge', cron: '37 * * * *', run: () => purgeEvents(openDatabase(pool)) },
];
