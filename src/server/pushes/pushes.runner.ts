import type pg from 'pg';
import { onCallback } from '../bots/bots.public.ts';
import type { Log } from '../kit/calls/context.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { createWorkLoop, type WorkLoop } from '../kit/jobs/work-loop.ts';
import { setLocales, translate } from '../kit/messages/messages.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { cachedValue } from '../kit/postgres/cached-value.ts';
import { openDatabase } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { readLanguages } from '../languages/languages.public.ts';
import { readSettings } from '../settings/settings.public.ts';
import { tellOfExpiries } from './pushes.expiries.ts';
import { closeDue, gather, repeatUnseen } from './pushes.gathering.ts';
import { type ClaimedPush, claimPush, purgePushes, releasePush } from './pushes.outbox.ts';
import { seePush } from './pushes.public.ts';
import { attempt, seenButton } from './pushes.sending.ts';
import type { Means } from './senders/sending.types.ts';

/** How many pushes a worker has under way, and of one user. */
const concurrency = 8;
const perOwner = 4;
/** For pushes that come due by time. */
const pollMilliseconds = 1000;

export type PushOptions = { pool: pg.Pool; bus: Bus; network: GuardedNetwork; vault: Vault; log: Log; now?: () => Date };

/** Tells users what they asked to be told of, until it is stopped. */
export function startPushes({ pool, bus, network, vault, log, now = () => new Date() }: PushOptions): WorkLoop {
  const db = openDatabase(pool);
  const settings = cachedValue({ topics: ['setting'], read: () => readSettings(pool), bus, log });
  // What is written is in the words of the moment at which it is.
  const languages = cachedValue({
    topics: ['language', 'setting'],
    read: async () => setLocales(await readLanguages(pool)),
    bus,
    log,
  });
  const means: Means = { db, network, vault, now, site: settings };
  onCallback(seenButton, async (tx, { chat, data, language }) => {
    const isOwn = await seePush(tx, chat.user_id, Number(data));
    return { text: translate(language, isOwn ? 'shield_push.marked_seen' : 'errors.not_found'), buttons: [] };
  });
  const loop = createWorkLoop<ClaimedPush>({
    name: 'pushes',
    bus,
    topic: 'event',
    pollMilliseconds,
    concurrency,
    log,
    async prepare() {
      await gather(db);
      const [site] = await Promise.all([settings(), languages()]);
      await closeDue(db, site, now());
      await repeatUnseen(db, site, now());
    },
    claim(underWay) {
      const byOwner = Map.groupBy(underWay, ({ owner_id }) => owner_id);
      return claimPush(
        db,
        [...byOwner].filter(([, all]) => all.length >= perOwner).map(([owner_id]) => owner_id),
      );
    },
    async run(push) {
      await attempt(push, means);
    },
    release: (push) => releasePush(db, push),
  });
  return loop;
}

export const pushJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'pushes.purge', everyMinutes: 60, offsetMinutes: 43, run: () => purgePushes(openDatabase(pool)) },
  { name: 'pushes.expiries', everyMinutes: 30, offsetMinutes: 7, run: () => tellOfExpiries(openDatabase(pool)) },
];
