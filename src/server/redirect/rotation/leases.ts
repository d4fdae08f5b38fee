import { createLeaseAsking } from './leases.asking.ts';
import { createLeaseBook } from './leases.book.ts';
import { createLeaseReturns } from './leases.returns.ts';
import type { Lease, LeaseOptions, Quota } from './quota.ts';

export interface Leases {
  /** The quota of a target as the database showed it when its code was read. */
  quotaOf(targetId: number, generation: number | null, remaining: number | null): Quota;
  /** One visit, or undefined where none is leased. */
  take(quota: Quota): Lease | undefined;
  /** A visit that was taken just now and could not be recorded. */
  untake(lease: Lease): void;
  /** A visit whose record is on the disk. */
  answered(lease: Lease): void;
  /** Whether it is worth waiting for the database's answer; where it isn't, it may be asked in the background. */
  canAsk(quota: Quota): boolean;
  /** Asks for a block, and calls the waiter when there is an answer of any kind. */
  ask(quota: Quota, waiter: () => void): void;
  /** The same of visits that take none (`hasLeft` stands for `take`): they are told how many are left, and no block is taken for them. */
  hasLeft(quota: Quota): boolean;
  canLook(quota: Quota): boolean;
  look(quota: Quota, waiter: () => void): void;
  /** Releases what has not been used for a while; called now and then. */
  sweep(): Promise<void>;
  /** Releases everything; called when all that was served is in the journal. */
  releaseAll(): Promise<void>;
  held(): { leases: number; visits: number };
}

/** The leases of a process: what it holds, how it asks for more, and how it releases what it does not need. */
export function createLeases({ query, source, isConnected, onFault, now = () => performance.now() }: LeaseOptions): Leases {
  const book = createLeaseBook(now);
  const asking = createLeaseAsking({ query, source, isConnected, onFault, now, book });
  const returns = createLeaseReturns({ query, source, isConnected, now, book, asking });
  return {
    quotaOf: book.quotaOf,
    take(quota) {
      const lease = book.take(quota);
      if (lease !== undefined) asking.askAhead(quota);
      return lease;
    },
    untake: book.untake,
    answered: book.answered,
    canAsk: asking.canAsk,
    ask: asking.ask,
    hasLeft: asking.hasLeft,
    canLook: asking.canLook,
    look: asking.look,
    sweep: returns.sweep,
    releaseAll: returns.releaseAll,
    held: book.held,
  };
}
