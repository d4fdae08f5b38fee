import { randomInt } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { lockBalance } from '../ledger/ledger.public.ts';
import { pay_config } from '../tron/tron.table.ts';
import { user_account } from '../users/users.table.ts';
import { discountOf, findCoupon, isFor, type StoredCoupon, takeUse } from './coupons/coupons.ts';
import { type Offer, offerOf } from './offers.ts';
import { waitingOrder } from './order.service.ts';
import { combo_order, vip_combo } from './orders.table.ts';
import { endWaiting, lockMember, periodsOf, settle } from './settling.ts';

/** Where nothing was said of payments yet. */
const defaultMinutes = 30;

export type Combo = typeof vip_combo.$inferSelect;

export const offered = (combo: Combo, ...rest: [Awaited<ReturnType<typeof periodsOf>>, string | null, Date]): Offer =>
  offerOf({ id: combo.id, price: millionthsOf(combo.price), days: combo.days }, ...rest);

export type Buyer = { user_id: number; actor_id: number; now: Date };
type Wanted = {
  combo_id: number;
  /** A code. */
  coupon?: string | undefined;
  /** What its buyer saw before. */
  shown?: { amount: string; last_order_id: number | null };
};

export async function lastPaidId(db: Database, user_id: number): Promise<number | null> {
  const [last] = await db
    .select({ id: combo_order.id })
    .from(combo_order)
    .where(and(eq(combo_order.user_id, user_id), eq(combo_order.state, 'paid')))
    .orderBy(desc(combo_order.id))
    .limit(1);
  return last?.id ?? null;
}

/** What is sold, and what decides what it costs a user. */
export async function marketFor(db: Database, user_id: number, now: Date) {
  const combos = await db.select().from(vip_combo).where(eq(vip_combo.on_sale, true)).orderBy(desc(vip_combo.sort), vip_combo.id);
  const [member] = await db
    .select({ member_expires_at: user_account.member_expires_at })
    .from(user_account)
    .where(eq(user_account.id, user_id));
  return { combos, periods: await periodsOf(db, user_id, now), member_expires_at: member?.member_expires_at ?? null };
}

/** The coupon of a code, for one combo. */
async function couponFor(db: Database, code: string, combo_id: number, { user_id, now }: Buyer): Promise<StoredCoupon> {
  const waiting = await waitingOrder(db, user_id);
  const found = await findCoupon(db, { code, user_id, now, waiting_id: waiting?.id ?? null });
  if (!isFor(found, combo_id)) throw invalidField('coupon', 'coupon_other_combo');
  return found;
}

/** The day, and a number that tells nothing of how many there were: `20260131-482913057`. */
const newOrderNo = (now: Date): string => `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${randomInt(1e8, 1e9)}`;

/** The order of a combo that waits already, or a new one in the place of another that waited. */
async function waitFor(db: Database, { user_id, now }: Buyer, combo: Combo, offer: Offer, coupon?: StoredCoupon): Promise<number> {
  const discount = coupon ? discountOf(coupon, offer.amount) : 0n;
  const amount = amountOf(offer.amount - discount);
  const waiting = await waitingOrder(db, user_id);
  const isSame = waiting?.combo_id === combo.id && waiting.amount === amount && waiting.price === combo.price;
  if (waiting && isSame && waiting.coupon === (coupon?.code ?? '')) return waiting.id;
  if (waiting) await cancelWaiting(db, user_id, waiting.id);
  const [config] = await db.select({ minutes: pay_config.order_minutes }).from(pay_config).limit(1);
  const [made] = await db
    .insert(combo_order)
    .values({
      order_no: newOrderNo(now),
      user_id,
      combo_id: combo.id,
      combo: { name: combo.name, days: combo.days, quotas: combo.quotas },
      price: combo.price,
      credit: amountOf(offer.credit),
      amount,
      coupon: coupon?.code ?? '',
      discount: amountOf(discount),
      days: offer.days,
      replaces: offer.replaces,
      expires_at: new Date(now.getTime() + (config?.minutes ?? defaultMinutes) * 60_000).toISOString(),
      created_at: now.toISOString(),
    })
    .returning({ id: combo_order.id });
  if (!made) throw new Error('the order was not returned');
  if (coupon) await takeUse(db, coupon, { id: made.id, user_id });
  return made.id;
}

export const cancelWaiting = async (db: Database, user_id: number, id: number): Promise<number> =>
  (await endWaiting(db, and(eq(combo_order.id, id), eq(combo_order.user_id, user_id)), 'cancelled')).length;

/**
 * Buys a combo: paid from the balance at once where it suffices, otherwise an order waits for what is missing. Refused where the offer is
 * another one than was shown.
 * @returns the order's id
 */
export async function buyCombo(tx: Database, buyer: Buyer, { combo_id, coupon: code, shown }: Wanted): Promise<number> {
  const { user_id, actor_id, now } = buyer;
  const member = await lockMember(tx, user_id);
  const [combo] = await tx
    .select()
    .from(vip_combo)
    .where(and(eq(vip_combo.id, combo_id), eq(vip_combo.on_sale, true)));
  if (!combo) throw notFound();
  const offer = offered(combo, await periodsOf(tx, user_id, now), member.member_expires_at, now);
  const coupon = code === undefined ? undefined : await couponFor(tx, code, combo.id, buyer);
  const due = offer.amount - (coupon ? discountOf(coupon, offer.amount) : 0n);
  const isAsShown = !shown || (amountOf(due) === shown.amount && (await lastPaidId(tx, user_id)) === shown.last_order_id);
  if (!isAsShown) throw new AppError(409, 'order.offer_changed');
  const id = await waitFor(tx, buyer, combo, offer, coupon);
  const balance = await lockBalance(tx, { kind: 'user_available', owner_id: user_id });
  if (balance < due) return id;
  const [stored] = await tx.select().from(combo_order).where(eq(combo_order.id, id));
  if (stored) await settle(tx, stored, member, { from: 'balance', states: ['waiting'], actor_id, now });
  return id;
}
