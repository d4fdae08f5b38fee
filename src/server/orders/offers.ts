import { millionthsOf } from '../../contract/money/amounts.ts';
import type { StoredOrder } from './orders.table.ts';

const dayMilliseconds = 86_400_000;

/** A paid order whose membership runs, or is still to begin. */
export type Period = Pick<StoredOrder, 'id' | 'combo_id' | 'amount' | 'credit' | 'days' | 'begins_at' | 'ends_at'>;
type Wanted = { id: number; price: bigint; days: number };

export type Offer = {
  credit: bigint;
  amount: bigint;
  days: number;
  begins_at: Date;
  ends_at: Date;
  replaces: number[];
  is_renewal: boolean;
};

/** What the whole days that are left of a period are worth of what it was bought for. */
export function restOf({ amount, credit, days, begins_at, ends_at }: Period, now: Date): bigint {
  const from = Math.max(now.getTime(), Date.parse(begins_at ?? ''));
  const left = Math.min(days, Math.max(0, Math.floor((Date.parse(ends_at ?? '') - from) / dayMilliseconds)));
  return ((millionthsOf(amount) + millionthsOf(credit)) * BigInt(left)) / BigInt(days);
}

/**
 * What a combo costs a user now. The one that he has goes on after its end; another one begins at once and takes over what the rest is
 * worth: off the price, and where it is worth more, as further days. Time that was given to him stays his.
 */
export function offerOf(combo: Wanted, periods: readonly Period[], memberExpiresAt: string | null, now: Date): Offer {
  const isRenewal = periods.length > 0 && periods.every(({ combo_id }) => combo_id === combo.id);
  const isChange = periods.length > 0 && !isRenewal;
  const worth = isChange ? periods.reduce((sum, period) => sum + restOf(period, now), 0n) : 0n;
  const further = worth > combo.price ? Number(((worth - combo.price) * BigInt(combo.days)) / combo.price) : 0;
  const days = combo.days + further;
  const end = Math.max(now.getTime(), memberExpiresAt === null || isChange ? 0 : Date.parse(memberExpiresAt));
  return {
    credit: worth,
    amount: worth >= combo.price ? 0n : combo.price - worth,
    days,
    begins_at: isRenewal ? new Date(end) : now,
    ends_at: new Date(end + days * dayMilliseconds),
    replaces: isChange ? periods.map(({ id }) => id) : [],
    is_renewal: isRenewal,
  };
}
