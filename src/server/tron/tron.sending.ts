import { bookCollections, fundHooks, sweepHooks } from './collections/collections.ts';
import { beginPayouts, giveUpPayouts, payoutHooks } from './payouts.ts';
import { type SenderOptions, startSender } from './sending/sender.ts';
import type { Hooks } from './sending/sends.ts';

/** What each purpose does when its transaction is signed, and when a solid block says what became of it. */
export const sendHooks: Hooks = {
  fund: fundHooks,
  sweep: sweepHooks,
  payout: payoutHooks,
};

/** Sends what waits, and books what is solid, until it is stopped. */
export const startSending = (options: Omit<SenderOptions, 'hooks' | 'prepare'>) =>
  startSender({
    ...options,
    hooks: sendHooks,
    async prepare(db) {
      await bookCollections(db);
      await beginPayouts({ db, vault: options.vault });
      await giveUpPayouts(db, sendHooks);
    },
  });
