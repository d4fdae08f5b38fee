import { LateAnswer } from '../memory/database.ts';
import type { LeaseBook } from './leases.book.ts';
import { acquireLeases, type LeaseRequest } from './leases.queries.ts';
import type { LeaseOptions, Quota } from './quota.ts';

/** A block lasts about this long at the present rate, so that a busy target asks the database a few times a second at most. */
const blockMilliseconds = 500;
/** How soon a target that others may give visits back to is asked for again, and how soon after a failure. */
const probeMilliseconds = 250;
const retryMilliseconds = 200;
/** So long the answer to one look serves others: who only looks never asks the database more often. */
const lookMilliseconds = 50;

interface Options extends Required<LeaseOptions> {
  book: LeaseBook;
}

export type LeaseAsking = ReturnType<typeof createLeaseAsking>;

/** Asks the database for blocks of visits: all that one turn of the event loop wants by one statement. */
export function createLeaseAsking({ query, source, isConnected, onFault, now, book }: Options) {
  const asked = new Set<Quota>();
  let underWay = 0;
  let isStopping = false;
  let onIdle: (() => void) | undefined;

  const flush = async (): Promise<void> => {
    const batch = [...asked];
    asked.clear();
    const at = now();
    underWay += 1;
    try {
      const granted = await acquireLeases(
        query,
        source,
        batch.map((quota) => requestOf(quota, at)),
      );
      const rows = new Map(granted.map((row) => [row.target_id, row]));
      for (const quota of batch) {
        book.receive(quota, rows.get(quota.target_id));
        quota.told_at = now();
        quota.is_late = false;
        quota.ask_after = quota.remaining === 0 ? now() + probeMilliseconds : 0;
      }
    } catch (error) {
      onFault('a block of visits of a target', error);
      // Whether the block was granted is unknown; what was will be found and released by `reconcile`.
      for (const quota of batch) {
        quota.is_late = error instanceof LateAnswer;
        quota.ask_after = now() + retryMilliseconds;
      }
    } finally {
      underWay -= 1;
      onIdle?.();
    }
    for (const quota of batch) wake(quota);
  };

  const begin = (quota: Quota, isLook = false): void => {
    if (!isLook) quota.is_wanted = true;
    if (quota.is_asking || isStopping) return;
    quota.is_asking = true;
    asked.add(quota);
    if (asked.size === 1) setImmediate(flush);
  };

  const canAsk = (quota: Quota, isLook = false): boolean => {
    if (isStopping || !isConnected()) return false;
    const at = now();
    if (quota.remaining > 0 && !quota.is_late) return quota.is_asking || at >= quota.ask_after;
    if ((quota.has_others || quota.is_late) && !quota.is_asking && at >= quota.ask_after) begin(quota, isLook);
    return false;
  };

  return {
    /** After a visit was taken: asks for the next block where this one will not last. */
    askAhead(quota: Quota): void {
      const elapsed = quota.last_taken_at - quota.taken_since;
      const isLow = quota.left * elapsed < (quota.taken * blockMilliseconds) / 2;
      if (isLow && !quota.is_asking && !quota.is_ending && quota.remaining > 0 && elapsed > 0 && isConnected()) begin(quota);
    },
    canAsk: (quota: Quota): boolean => canAsk(quota),
    canLook: (quota: Quota): boolean => canAsk(quota, true),
    ask(quota: Quota, waiter: () => void): void {
      quota.waiters.push(waiter);
      quota.needs += 1;
      begin(quota);
    },
    look(quota: Quota, waiter: () => void): void {
      quota.waiters.push(waiter);
      begin(quota, true);
    },
    /** Whether visits are left, as far as was heard just now. */
    hasLeft: (quota: Quota): boolean =>
      quota.left > 0 || (quota.remaining > 0 && !quota.is_late && now() - quota.told_at < lookMilliseconds),
    isUnderWay: (): boolean => underWay > 0,
    /** Asks for nothing more; resolves when all is answered. */
    async stop(): Promise<void> {
      isStopping = true;
      while (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

/** Who only looks asks for none: the answer says how many are left. */
function requestOf(quota: Quota, at: number): LeaseRequest {
  if (!quota.is_wanted) return { target_id: quota.target_id, need: 0, want: 0 };
  const rate = quota.taken / Math.max(at - quota.taken_since, 50);
  quota.taken = 0;
  quota.taken_since = at;
  const need = quota.needs || (quota.remaining === 0 || quota.is_late ? 1 : 0);
  return { target_id: quota.target_id, need, want: Math.ceil(rate * blockMilliseconds) + need };
}

function wake(quota: Quota): void {
  Object.assign(quota, { is_asking: false, is_wanted: false, needs: 0 });
  const { waiters } = quota;
  quota.waiters = [];
  for (const waiter of waiters) waiter();
}
