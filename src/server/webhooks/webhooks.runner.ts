import type pg from 'pg';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { createWorkLoop, type WorkLoop } from '../kit/jobs/work-loop.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { openDatabase, transactRedoable } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { type ClaimedDelivery, claimDelivery, fanOut, purgeEvents, releaseDelivery } from './webhooks.outbox.ts';
import { attempt, type Sender } from './webhooks.sending.ts';

/** How many deliveries a worker has under way. */
export const deliveriesAtOnce = 16;

export type WebhookOptions = {
  pool: pg.Pool;
  bus: Bus;
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

/** Tells webhooks of what happens, until it is stopped. */
export function startWebhooks(options: WebhookOptions): WorkLoop {
  const { pool, bus, network, vault, log, concurrency = deliveriesAtOnce, perHost = 4, perOwner = Math.ceil(concurrency / 2) } = options;
  const db = openDatabase(pool);
  const sender: Sender = { db, network, vault, now: () => new Date() };
  const loop = createWorkLoop<ClaimedDelivery>({
    name: 'webhooks',
    bus,
    topic: 'event',
    pollMilliseconds,
    concurrency,
    log,
    async prepare() {
      if ((await transactRedoable(db, fanOut)) > 0) loop.wake();
    },
    claim(underWay) {
      const owners = { underWay: underWay.map(({ owner_id }) => owner_id), most: perOwner };
      return claimDelivery(db, busyHosts(underWay, perHost), owners);
    },
    async run(delivery) {
      await attempt(delivery, sender);
    },
    release: (delivery) => releaseDelivery(db, delivery),
  });
  return loop;
}

const busyHosts = (underWay: readonly ClaimedDelivery[], perHost: number): string[] =>
  [...Map.groupBy(underWay, ({ host }) => host)].filter(([, all]) => all.length >= perHost).map(([host]) => host);

export const webhookJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'events.purge', everyMinutes: 60, offsetMinutes: 37, run: () => purgeEvents(openDatabase(pool)) },
];
