import type { Faults } from '../faults.ts';
import type { Query } from './leases.queries.ts';

/** A block of visits of one target that this process may serve without asking anybody. */
export interface Lease {
  /** `target_lease.id`. */
  id: number;
  left: number;
  served: number;
  /** Of those served, the ones that the journal holds. */
  answered: number;
  quota: Quota;
}

/** What this process knows of the visits left of a target with a threshold. */
export interface Quota {
  target_id: number;
  generation: number;
  /** Oldest first; `left` is their sum. */
  leases: Lease[];
  left: number;
  /** What the database had left when it was last asked. */
  remaining: number;
  /** Others hold leases: some of theirs may come back. */
  has_others: boolean;
  is_asking: boolean;
  /** The last answer did not come in time: it is asked again, but nobody waits for it. */
  is_late: boolean;
  /** No asking before this moment, on the clock of `performance.now()` as every one here: setting the machine's clock moves none. */
  ask_after: number;
  /** Whether asking ahead of need makes no sense any more, because so little is left. */
  is_ending: boolean;
  /** Visits that wait for an answer; each is called once and chooses anew. */
  waiters: (() => void)[];
  /** How many of them take a visit, and whether anything but looks wants a block. */
  needs: number;
  is_wanted: boolean;
  /** When the database last said how many are left. */
  told_at: number;
  taken: number;
  taken_since: number;
  last_taken_at: number;
}

export const newQuota = (target_id: number, generation: number, remaining: number): Quota => ({
  target_id,
  generation,
  leases: [],
  left: 0,
  remaining,
  has_others: true,
  is_asking: false,
  is_late: false,
  ask_after: 0,
  is_ending: false,
  waiters: [],
  needs: 0,
  is_wanted: false,
  told_at: Number.NEGATIVE_INFINITY,
  taken: 0,
  taken_since: 0,
  last_taken_at: 0,
});

export interface LeaseOptions {
  query: Query;
  /** The process's name in `target_lease.source`. */
  source: string;
  isConnected: () => boolean;
  onFault: Faults;
  now?: () => number;
}
