import type { LeaseAsking } from './leases.asking.ts';
import type { LeaseBook } from './leases.book.ts';
import { readLeases, releaseLeases } from './leases.queries.ts';
import type { LeaseOptions } from './quota.ts';

const idleMilliseconds = 2000;
const reconcileMilliseconds = 10_000;
const maxAttempts = 3;

interface Options extends Required<Omit<LeaseOptions, 'onFault'>> {
  book: LeaseBook;
  asking: LeaseAsking;
}

/** Releases leases to the database: those that ended, those that nobody used for a while, and at the end all. */
export function createLeaseReturns({ query, source, isConnected, now, book, asking }: Options) {
  const { ended, known, leasing } = book;
  let isReleasing = false;
  let reconciledAt = Number.NEGATIVE_INFINITY;

  const release = async (): Promise<void> => {
    if (ended.length === 0 || isReleasing) return;
    isReleasing = true;
    const batch = ended.splice(0);
    try {
      await releaseLeases(query, batch);
      for (const { id } of batch) known.delete(id);
    } catch (error) {
      // It may have happened all the same; doing it again changes nothing then.
      ended.push(...batch);
      throw error;
    } finally {
      isReleasing = false;
    }
  };

  /** Finds leases whose grant was never heard of, because the connection broke: nothing of them was served. */
  const reconcile = async (): Promise<void> => {
    const wasAsking = asking.isUnderWay();
    const stored = await readLeases(query, source);
    if (wasAsking || asking.isUnderWay()) return;
    for (const id of stored) {
      if (known.has(id)) continue;
      known.add(id);
      ended.push({ id, served: 0 });
    }
    reconciledAt = now();
  };

  const endIdle = (at: number): void => {
    for (const quota of leasing) {
      const isIdle = at - quota.last_taken_at > idleMilliseconds && !quota.is_asking;
      if (!isIdle || quota.leases.some((lease) => lease.answered !== lease.served)) continue;
      book.end(quota);
      Object.assign(quota, { remaining: Math.max(quota.remaining, 1), is_ending: false, ask_after: 0 });
    }
  };

  return {
    async sweep(): Promise<void> {
      const at = now();
      endIdle(at);
      if (!isConnected()) return;
      await release();
      if (at - reconciledAt >= reconcileMilliseconds) await reconcile();
    },
    async releaseAll(): Promise<void> {
      await asking.stop();
      for (const quota of leasing) book.end(quota);
      for (let attempt = 1; ended.length > 0 || isReleasing; attempt += 1) {
        await release().catch((error) => {
          if (attempt === maxAttempts) throw error;
        });
      }
    },
  };
}
