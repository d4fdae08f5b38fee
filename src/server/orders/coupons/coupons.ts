import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { millionthsOf } from '../../../contract/money/amounts.ts';
import { AppError } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { coupon, coupon_use } from '../orders.table.ts';

export type StoredCoupon = typeof coupon.$inferSelect;

/** What is said beside the field in which a coupon's code was typed. */
const refused = (code: string) => new AppError(400, 'input.invalid', { fields: { coupon: code } });

// Math.min takes no bigint.
const least = (one: bigint, other: bigint): bigint => (one <= other ? one : other);

/** What a coupon takes off what is to be paid; a division rounds in favour of the site. */
export function discountOf({ percent, amount }: Pick<StoredCoupon, 'percent' | 'amount'>, due: bigint): bigint {
  if (percent !== null) return (due * BigInt(percent)) / 10_000n;
  return least(millionthsOf(amount ?? '0'), due);
}

export const isFor = ({ combo_ids }: Pick<StoredCoupon, 'combo_ids'>, combo_id: number): boolean =>
  combo_ids.length === 0 || combo_ids.includes(combo_id);

type Asked = { code: string; user_id: number; now: Date /** An order that waits with it would make way. */; waiting_id: number | null };

/** The coupon of a code that this user may use now, as far as that can be said without taking a use. */
export async function findCoupon(db: Database, { code, user_id, now, waiting_id }: Asked): Promise<StoredCoupon> {
  const [found] = await db
    .select()
    .from(coupon)
    .where(and(eq(coupon.code, code), eq(coupon.enabled, true)));
  if (!found) throw refused('coupon_unknown');
  if (found.valid_from !== null && Date.parse(found.valid_from) > now.getTime()) throw refused('coupon_not_yet');
  if (found.valid_to !== null && Date.parse(found.valid_to) <= now.getTime()) throw refused('coupon_over');
  const own = await db
    .select({ order_id: coupon_use.order_id })
    .from(coupon_use)
    .where(and(eq(coupon_use.coupon_id, found.id), eq(coupon_use.user_id, user_id), isNull(coupon_use.given_back_at)));
  const isHeld = own.some(({ order_id }) => order_id === waiting_id);
  if (found.once_a_user && own.length > (isHeld ? 1 : 0)) throw refused('coupon_used');
  if (found.max_uses !== null && found.used >= found.max_uses && !isHeld) throw refused('coupon_used_up');
  return found;
}

/** Takes one use for an order: of the last one, one of many gets it. */
export async function takeUse(tx: Database, { id, once_a_user }: StoredCoupon, order: { id: number; user_id: number }): Promise<void> {
  const [taken] = await tx
    .update(coupon)
    .set({ used: sql`${coupon.used} + 1` })
    .where(and(eq(coupon.id, id), eq(coupon.enabled, true), or(isNull(coupon.max_uses), sql`${coupon.used} < ${coupon.max_uses}`)))
    .returning({ id: coupon.id });
  if (!taken) throw refused('coupon_used_up');
  await tx.insert(coupon_use).values({ coupon_id: id, order_id: order.id, user_id: order.user_id, is_once: once_a_user });
}

/** Gives the uses of orders back that ended unpaid. */
export async function giveUsesBack(tx: Database, order_ids: readonly number[]): Promise<void> {
  if (order_ids.length === 0) return;
  const given = await tx
    .update(coupon_use)
    .set({ given_back_at: sql`now()` })
    .where(and(isOneOf(coupon_use.order_id, order_ids), isNull(coupon_use.given_back_at)))
    .returning({ coupon_id: coupon_use.coupon_id });
  const uses = [...Map.groupBy(given, ({ coupon_id }) => coupon_id)].sort(([one], [other]) => one - other);
  for (const [id, all] of uses)
    await tx
      .update(coupon)
      .set({ used: sql`${coupon.used} - ${all.length}` })
      .where(eq(coupon.id, id));
}
