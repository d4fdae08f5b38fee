import type { Faults } from '../faults.ts';
import { acquireLeases, type Granted, giveBackLeases, type Query, readLeases } from './leases.queries.ts';

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
  /** No asking before this moment, on the clock of `performance.now()` as every one here: setting the machine's clock moves none. */
  ask_after: number;
  /** Whether asking ahead of need makes no sense any more, because so little is left. */
  is_ending: boolean;
  /** Visits that wait for an answer; each is called once and chooses anew. */
  waiters: (() => void)[];
  taken: number;
  taken_since: number;
  last_taken_at: number;
}

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
  /** Gives back what has not been used for a while; called now and then. */
  sweep(): Promise<void>;
  /** Gives back everything; called when all that was served is in the journal. */
  giveBackAll(): Promise<void>;
  held(): { leases: number; visits: number };
}

interface Options {
  query: Query;
  /** The process's name in `target_lease.source`. */
  source: string;
  isConnected: () => boolean;
  onFault: Faults;
  now?: () => number;
}

/** A block lasts about this long at the present rate, so that a busy target asks the database a few times a second at most. */
const blockMilliseconds = 500;
const idleMilliseconds = 2000;
/** How soon a target that others may give visits back to is asked for again, and how soon after a failure. */
const probeMilliseconds = 250;
const retryMilliseconds = 200;
const reconcileMilliseconds = 10_000;
const rememberedQuotas = 200_000;

export function createLeases({ query, source, isConnected, onFault, now: clock = () => performance.now() }: Options): Leases {
  const quotas = new Map<number, Quota>();
  /** Those with leases, whether their code is still held or not. */
  const leasing = new Set<Quota>();
  /** Ids of leases whose row is still there, as far as known. */
  const known = new Set<number>();
  const asked = new Set<Quota>();
  let returning: { id: number; served: number }[] = [];
  let asksUnderWay = 0;
  let isGivingBack = false;
  let onAnswered: (() => void) | undefined;
  let reconciledAt = Number.NEGATIVE_INFINITY;
  let isStopping = false;

  const put = (quota: Quota, back: readonly Lease[]): void => {
    for (const lease of back) returning.push({ id: lease.id, served: lease.served });
    quota.leases = quota.leases.filter((lease) => !back.includes(lease));
    quota.left = quota.leases.reduce((sum, lease) => sum + lease.left, 0);
    if (quota.leases.length === 0) leasing.delete(quota);
  };

  /** A refill: what was leased before it serves no more. What is under way of it is answered all the same. */
  const renew = (quota: Quota, generation: number, remaining: number): void => {
    put(quota, quota.leases);
    Object.assign(quota, { generation, remaining, has_others: true, ask_after: 0, is_ending: false });
  };

  const receive = (quota: Quota, row: Granted | undefined): void => {
    if (!row) {
      Object.assign(quota, { remaining: 0, has_others: false });
      return;
    }
    if (row.generation !== quota.generation) renew(quota, row.generation, row.remaining);
    quota.remaining = row.remaining;
    quota.has_others = row.has_others;
    quota.is_ending = row.amount === 0;
    if (row.amount === 0 || row.lease_id === null) return;
    quota.leases.push({ id: row.lease_id, left: row.amount, served: 0, answered: 0, quota });
    quota.left += row.amount;
    quota.last_taken_at = clock();
    known.add(row.lease_id);
    leasing.add(quota);
  };

  const flush = async (): Promise<void> => {
    const batch = [...asked];
    asked.clear();
    const at = clock();
    const wishes = batch.map((quota) => {
      const rate = quota.taken / Math.max(at - quota.taken_since, 50);
      quota.taken = 0;
      quota.taken_since = at;
      const need = quota.waiters.length || (quota.remaining === 0 ? 1 : 0);
      return { target_id: quota.target_id, need, want: Math.ceil(rate * blockMilliseconds) + need };
    });
    asksUnderWay += 1;
    try {
      const rows = new Map((await acquireLeases(query, source, wishes)).map((row) => [row.target_id, row]));
      for (const quota of batch) {
        receive(quota, rows.get(quota.target_id));
        quota.ask_after = quota.remaining === 0 ? clock() + probeMilliseconds : 0;
      }
    } catch (error) {
      onFault('a block of visits of a target', error);
      // Whether the block was granted is unknown; what was will be found and given back by `reconcile`.
      for (const quota of batch) quota.ask_after = clock() + retryMilliseconds;
    } finally {
      asksUnderWay -= 1;
      onAnswered?.();
    }
    for (const quota of batch) {
      quota.is_asking = false;
      const waiters = quota.waiters;
      quota.waiters = [];
      for (const waiter of waiters) waiter();
    }
  };

  const begin = (quota: Quota): void => {
    if (quota.is_asking || isStopping) return;
    quota.is_asking = true;
    asked.add(quota);
    // What this turn of the event loop brings goes into one statement.
    if (asked.size === 1) setImmediate(flush);
  };

  const giveBack = async (): Promise<void> => {
    const batch = returning;
    if (batch.length === 0 || isGivingBack) return;
    isGivingBack = true;
    returning = [];
    try {
      await giveBackLeases(query, batch);
      for (const { id } of batch) known.delete(id);
    } catch (error) {
      // It may have happened all the same; doing it again changes nothing then.
      returning.push(...batch);
      throw error;
    } finally {
      isGivingBack = false;
    }
  };

  /** Finds leases whose grant was never heard of, because the connection broke: nothing of them was served. */
  const reconcile = async (): Promise<void> => {
    const before = asksUnderWay;
    const stored = await readLeases(query, source);
    if (before > 0 || asksUnderWay > 0) return;
    for (const id of stored) {
      if (known.has(id)) continue;
      known.add(id);
      returning.push({ id, served: 0 });
    }
    reconciledAt = clock();
  };

  return {
    quotaOf(targetId, generation, remaining) {
      const found = quotas.get(targetId);
      if (found) {
        if (generation !== null && found.generation !== generation) renew(found, generation, remaining ?? 0);
        else Object.assign(found, { remaining: remaining ?? 0, has_others: true, ask_after: 0 });
        return found;
      }
      if (quotas.size >= rememberedQuotas) for (const [id, quota] of quotas) if (!leasing.has(quota)) quotas.delete(id);
      const quota: Quota = {
        target_id: targetId,
        generation: generation ?? 0,
        leases: [],
        left: 0,
        remaining: remaining ?? 0,
        has_others: true,
        is_asking: false,
        ask_after: 0,
        is_ending: false,
        waiters: [],
        taken: 0,
        taken_since: 0,
        last_taken_at: 0,
      };
      quotas.set(targetId, quota);
      return quota;
    },

    take(quota) {
      const lease = quota.leases[0];
      if (lease === undefined) return undefined;
      const now = clock();
      lease.left -= 1;
      lease.served += 1;
      quota.left -= 1;
      quota.taken += 1;
      quota.last_taken_at = now;
      if (lease.left === 0) {
        quota.leases.shift();
        if (quota.leases.length === 0) leasing.delete(quota);
      }
      const elapsed = now - quota.taken_since;
      const isLow = quota.left * elapsed < (quota.taken * blockMilliseconds) / 2;
      if (isLow && !quota.is_asking && !quota.is_ending && quota.remaining > 0 && elapsed > 0 && isConnected()) begin(quota);
      return lease;
    },

    untake(lease) {
      const { quota } = lease;
      lease.left += 1;
      lease.served -= 1;
      quota.left += 1;
      if (quota.leases[0] === lease) return;
      quota.leases.unshift(lease);
      leasing.add(quota);
    },

    answered(lease) {
      lease.answered += 1;
      // Only now may its row go: until the journal holds the last visit, a crash would make that visit one that was never served.
      if (lease.left === 0 && lease.answered === lease.served) returning.push({ id: lease.id, served: lease.served });
    },

    canAsk(quota) {
      if (isStopping || !isConnected()) return false;
      const now = clock();
      if (quota.remaining > 0) return quota.is_asking || now >= quota.ask_after;
      if (quota.has_others && !quota.is_asking && now >= quota.ask_after) begin(quota);
      return false;
    },

    ask(quota, waiter) {
      quota.waiters.push(waiter);
      begin(quota);
    },

    async sweep() {
      const now = clock();
      for (const quota of leasing) {
        const isIdle = now - quota.last_taken_at > idleMilliseconds && !quota.is_asking;
        if (isIdle && quota.leases.every((lease) => lease.answered === lease.served)) {
          put(quota, quota.leases);
          Object.assign(quota, { remaining: Math.max(quota.remaining, 1), is_ending: false, ask_after: 0 });
        }
      }
      if (!isConnected()) return;
      await giveBack();
      if (now - reconciledAt >= reconcileMilliseconds) await reconcile();
    },

    async giveBackAll() {
      isStopping = true;
      while (asksUnderWay > 0) await new Promise<void>((resolve) => (onAnswered = resolve));
      for (const quota of leasing) put(quota, quota.leases);
      for (let attempt = 1; returning.length > 0 || isGivingBack; attempt += 1) {
        await giveBack().catch((error) => {
          if (attempt === 3) throw error;
        });
      }
    },

    held: () => ({
      leases: known.size,
      visits: [...leasing].reduce((sum, quota) => sum + quota.left, 0),
    }),
  };
}
