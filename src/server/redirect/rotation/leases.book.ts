import type { Granted } from './leases.queries.ts';
import { type Lease, newQuota, type Quota } from './quota.ts';

const maxQuotas = 200_000;

/** A lease that ended, as the database is told of it. */
export interface EndedLease {
  id: number;
  served: number;
}

export type LeaseBook = ReturnType<typeof createLeaseBook>;

/** Which leases a process holds and what of them was served; asks nobody. */
export function createLeaseBook(now: () => number) {
  const quotas = new Map<number, Quota>();
  /** Those with leases, whether their code is still held or not. */
  const leasing = new Set<Quota>();
  /** Ids of leases whose row is still there, as far as known. */
  const known = new Set<number>();
  const ended: EndedLease[] = [];

  /** Ends all leases of a quota. */
  const end = (quota: Quota): void => {
    for (const { id, served } of quota.leases) ended.push({ id, served });
    quota.leases = [];
    quota.left = 0;
    leasing.delete(quota);
  };

  /** A refill: what was leased before it serves no more. What is under way of it is answered all the same. */
  const renew = (quota: Quota, generation: number, remaining: number): void => {
    end(quota);
    Object.assign(quota, { generation, remaining, has_others: true, ask_after: 0, is_ending: false });
  };

  const dropIdle = (): void => {
    for (const [id, quota] of quotas) if (!leasing.has(quota)) quotas.delete(id);
  };

  const quotaOf = (targetId: number, generation: number | null, remaining: number | null): Quota => {
    const found = quotas.get(targetId);
    if (found) {
      if (generation !== null && found.generation !== generation) renew(found, generation, remaining ?? 0);
      else Object.assign(found, { remaining: remaining ?? 0, has_others: true, ask_after: 0 });
      return found;
    }
    if (quotas.size >= maxQuotas) dropIdle();
    const quota = newQuota(targetId, generation ?? 0, remaining ?? 0);
    quotas.set(targetId, quota);
    return quota;
  };

  /** What the database answered to a request; undefined where the target has no quota. */
  const receive = (quota: Quota, row: Granted | undefined): void => {
    if (!row) {
      Object.assign(quota, { remaining: 0, has_others: false });
      return;
    }
    if (row.generation !== quota.generation) renew(quota, row.generation, row.remaining);
    quota.remaining = row.remaining;
    quota.has_others = row.has_others;
    quota.is_ending = row.amount === 0 && quota.is_wanted;
    if (row.amount === 0 || row.lease_id === null) return;
    quota.leases.push({ id: row.lease_id, left: row.amount, served: 0, answered: 0, quota });
    quota.left += row.amount;
    quota.last_taken_at = now();
    known.add(row.lease_id);
    leasing.add(quota);
  };

  return {
    leasing,
    known,
    ended,
    end,
    quotaOf,
    receive,
    ...takingOf(leasing, ended, now),
    held: () => ({
      leases: known.size,
      visits: [...leasing].reduce((sum, quota) => sum + quota.left, 0),
    }),
  };
}

function takingOf(leasing: Set<Quota>, ended: EndedLease[], now: () => number) {
  return {
    take(quota: Quota): Lease | undefined {
      const lease = quota.leases[0];
      if (lease === undefined) return undefined;
      lease.left -= 1;
      lease.served += 1;
      quota.left -= 1;
      quota.taken += 1;
      quota.last_taken_at = now();
      if (lease.left === 0) {
        quota.leases.shift();
        if (quota.leases.length === 0) leasing.delete(quota);
      }
      return lease;
    },
    untake(lease: Lease): void {
      const { quota } = lease;
      lease.left += 1;
      lease.served -= 1;
      quota.left += 1;
      if (quota.leases[0] === lease) return;
      quota.leases.unshift(lease);
      leasing.add(quota);
    },
    answered(lease: Lease): void {
      lease.answered += 1;
      // Only now may its row go: until the journal holds the last visit, a crash would make that visit one that was never served.
      if (lease.left === 0 && lease.answered === lease.served) ended.push({ id: lease.id, served: lease.served });
    },
  };
}
