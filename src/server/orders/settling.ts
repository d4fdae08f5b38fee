import { and, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { amountOf, least, millionthsOf } from '../../contract/money/amounts.ts';
import { type BalanceEdit, kindOfEdit } from '../../contract/money/ledger.ts';
import type { PaidFrom } from '../../contract/money/order.ts';
import { socketTypes } from '../../contract/socket.ts';
import { AppError } from '../kit/calls/errors.ts';
import { pushToPages } from '../kit/messages/push.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { grantedOf, lockBalance, post } from '../ledger/ledger.public.ts';
import { user_account } from '../users/users.table.ts';
import { giveUsesBack } from './coupons/coupons.ts';
import { tellOfOrder } from './notices.ts';
import { offerOf, type Period } from './offers.ts';
import { combo_order, type StoredOrder, type StoredShare } from './orders.table.ts';
import { applyMonitorQuotas } from './over-quota.public.ts';
import { freeShare, payShares, takeSharesBack } from './shares.ts';

type Member = { id: number; member_expires_at: string | null };

/** Orders of one user are dealt with one after the other: his row stays locked until the transaction ends. */
export async function lockMember(tx: Database, user_id: number): Promise<Member> {
  const [member] = await tx
    .select({ id: user_account.id, member_expires_at: user_account.member_expires_at })
    .from(user_account)
    .where(eq(user_account.id, user_id))
    .for('no key update');
  if (!member) throw new Error(`there is no user ${user_id}`);
  return member;
}

export const periodsOf = (db: Database, user_id: number, now: Date): Promise<Period[]> =>
  db
    .select({
      id: combo_order.id,
      combo_id: combo_order.combo_id,
      amount: combo_order.amount,
      credit: combo_order.credit,
      days: combo_order.days,
      begins_at: combo_order.begins_at,
      ends_at: combo_order.ends_at,
    })
    .from(combo_order)
    .where(
      and(
        eq(combo_order.user_id, user_id),
        eq(combo_order.state, 'paid'),
        isNull(combo_order.replaced_by),
        gt(combo_order.ends_at, now.toISOString()),
      ),
    )
    .orderBy(combo_order.id);

export type Payment = {
  from: Exclude<PaidFrom, 'site'>;
  /** In which states it can still be paid. */
  states: StoredOrder['state'][];
  actor_id?: number;
  reason?: string;
  transaction_hash?: string | undefined;
  now: Date;
};

const sameIds = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/**
 * Pays an order of a locked member: state, money, shares and membership at once. Who pays second, finds it paid.
 * @returns whether it was paid now
 */
export async function settle(tx: Database, order: StoredOrder, member: Member, payment: Payment): Promise<boolean> {
  const { from, states, actor_id, now } = payment;
  const periods = await periodsOf(tx, member.id, now);
  const combo = { id: order.combo_id, price: millionthsOf(order.price), days: order.days };
  const { begins_at, ends_at, replaces } = offerOf(combo, periods, member.member_expires_at, now);
  // A refund or another purchase came in between: what was promised of the rest holds no more.
  if (!sameIds(replaces, order.replaces)) {
    await endWaiting(tx, eq(combo_order.id, order.id), 'cancelled');
    return false;
  }
  const ends = order.replaces.length > 0 ? new Date(now.getTime() + order.days * 86_400_000) : ends_at;
  const [paid] = await tx
    .update(combo_order)
    .set({
      status: 2,
      state: 'paid',
      paid_from: from,
      paid_at: now.toISOString(),
      begins_at: begins_at.toISOString(),
      ends_at: ends.toISOString(),
      previous_expires_at: member.member_expires_at,
      reason: payment.reason ?? '',
      transaction_hash: payment.transaction_hash ?? null,
      decided_by: actor_id ?? null,
      updated_at: sql`now()`,
    })
    .where(and(eq(combo_order.id, order.id), inArray(combo_order.state, states)))
    .returning({ id: combo_order.id });
  if (!paid) return false;
  await tx.update(combo_order).set({ replaced_by: order.id }).where(isOneOf(combo_order.id, order.replaces));
  await tx
    .update(user_account)
    .set({ member_expires_at: ends.toISOString(), updated_at: sql`now()` })
    .where(eq(user_account.id, member.id));
  await applyMonitorQuotas(tx, member.id);
  await moveMoney(tx, order, payment);
  await tellOfOrder(tx, { ...order, ends_at: ends.toISOString() }, 'paid');
  await pushToPages(tx, { to: { user_ids: [member.id] }, type: socketTypes.order, content: { id: order.id } });
  return true;
}

/** Writes down what of an order is about to be paid with money that its buyer was given. */
async function payGranted(tx: Database, { id, user_id }: StoredOrder, amount: bigint): Promise<bigint> {
  const granted = least(await grantedOf(tx, user_id), amount);
  if (granted > 0n)
    await tx
      .update(combo_order)
      .set({ granted: amountOf(granted) })
      .where(eq(combo_order.id, id));
  return granted;
}

type Edit = { actor_id: number | null; reason: string; ref: 'order' | 'order_refund' };

/** What an administrator says that an order was paid with goes to its buyer's balance as an edit of his would, less than nothing back from it. */
async function bringIn(tx: Database, order: StoredOrder, edit: BalanceEdit, amount: bigint, { actor_id, reason, ref }: Edit) {
  await post(tx, {
    kind: kindOfEdit[edit],
    ref: { type: ref, id: String(order.id) },
    actor_id,
    note: [order.order_no, reason].filter(Boolean).join(' '),
    entries: [
      { account: { kind: 'admin_adjust' }, amount: -amount },
      { account: { kind: 'user_available', owner_id: order.user_id }, amount },
    ],
  });
}

/** An order that costs nothing, because the rest was worth its price, moves nothing. */
async function moveMoney(tx: Database, order: StoredOrder, { from, reason = '', now, ...payment }: Payment): Promise<void> {
  const amount = millionthsOf(order.amount);
  if (amount === 0n) return;
  const actor_id = payment.actor_id ?? null;
  if (from === 'gift' || from === 'payment') await bringIn(tx, order, from, amount, { actor_id, reason, ref: 'order' });
  // Money that came in for this order pays it, whatever its buyer was given besides.
  const granted = from === 'payment' ? 0n : await payGranted(tx, order, amount);
  await post(tx, {
    kind: 'order',
    ref: { type: 'order', id: String(order.id) },
    actor_id,
    note: order.order_no,
    entries: [
      { account: { kind: 'user_available', owner_id: order.user_id }, amount: -amount },
      { account: { kind: 'revenue' }, amount },
    ],
  });
  for (const share of await payShares(tx, order, amount - granted, now)) await releaseShare(tx, share, now);
}

/**
 * Pays the order that a user waits with, if his balance suffices now. Called in the transaction of whatever adds to a balance.
 * @returns whether it was paid
 */
export async function settleOpenOrders(tx: Database, user_id: number, now = new Date()): Promise<boolean> {
  const member = await lockMember(tx, user_id);
  const [waiting] = await tx
    .select()
    .from(combo_order)
    .where(and(eq(combo_order.user_id, user_id), eq(combo_order.state, 'waiting')));
  if (!waiting) return false;
  const balance = await lockBalance(tx, { kind: 'user_available', owner_id: user_id });
  if (balance < millionthsOf(waiting.amount)) return false;
  return settle(tx, waiting, member, { from: 'balance', states: ['waiting'], now });
}

/** Lets an agent dispose of a share whose time is over. An order of his that waits for money is paid from it. */
export async function releaseShare(tx: Database, { id, agent_id }: Pick<StoredShare, 'id' | 'agent_id'>, now: Date): Promise<boolean> {
  await lockMember(tx, agent_id);
  if (!(await freeShare(tx, id, now))) return false;
  await settleOpenOrders(tx, agent_id, now);
  return true;
}

/** Ends orders that wait, and gives back the coupons they held. */
export async function endWaiting(tx: Database, which: SQL | undefined, state: 'expired' | 'cancelled'): Promise<StoredOrder[]> {
  const ended = await tx
    .update(combo_order)
    .set({ state, updated_at: sql`now()` })
    .where(and(eq(combo_order.state, 'waiting'), which))
    .returning();
  await giveUsesBack(
    tx,
    ended.flatMap(({ id, coupon }) => (coupon === '' ? [] : [id])),
  );
  return ended;
}

/**
 * Ends unpaid orders whose time was over at this moment of the chain. The watcher of deposits calls it with the time of the last solid block
 * that it has read and credited: while it stands still, nobody's time runs out.
 * @returns how many
 */
export async function expireOrders(tx: Database, solidAt: Date): Promise<number> {
  const expired = await endWaiting(tx, lte(combo_order.expires_at, solidAt.toISOString()), 'expired');
  for (const order of expired) await tellOfOrder(tx, order, 'expired');
  if (expired.length > 0)
    await pushToPages(tx, { to: { user_ids: expired.map(({ user_id }) => user_id) }, type: socketTypes.order, content: null });
  return expired.length;
}

/**
 * Gives back what the last paid order of a user took: the user everything, but for what an administrator had only said to be paid, and the
 * site what agents got of it or will get of others.
 */
export async function refund(tx: Database, order: StoredOrder, { actor_id, reason }: { actor_id: number; reason: string }): Promise<void> {
  const member = await lockMember(tx, order.user_id);
  const [refunded] = await tx
    .update(combo_order)
    .set({ state: 'refunded', reason, decided_by: actor_id, updated_at: sql`now()` })
    .where(
      and(
        eq(combo_order.id, order.id),
        eq(combo_order.state, 'paid'),
        isNull(combo_order.replaced_by),
        sql`NOT EXISTS (SELECT FROM combo_order AS later WHERE later.user_id = ${order.user_id} AND later.state = 'paid'
          AND (later.paid_at, later.id) > (${combo_order.paid_at}, ${combo_order.id}))`,
      ),
    )
    .returning();
  if (!refunded) throw new AppError(409, 'order.not_refundable');
  await tx.update(combo_order).set({ replaced_by: null }).where(eq(combo_order.replaced_by, order.id));
  // An end that an administrator has set since then stays.
  if (member.member_expires_at === refunded.ends_at)
    await tx
      .update(user_account)
      .set({ member_expires_at: refunded.previous_expires_at, updated_at: sql`now()` })
      .where(eq(user_account.id, member.id));
  await applyMonitorQuotas(tx, member.id);
  await reverseMoney(tx, refunded, actor_id);
  await tellOfOrder(tx, { ...refunded, ends_at: null }, 'refunded');
  await pushToPages(tx, { to: { user_ids: [member.id] }, type: socketTypes.order, content: { id: order.id } });
}

async function reverseMoney(tx: Database, order: StoredOrder, actor_id: number): Promise<void> {
  const amount = millionthsOf(order.amount);
  if (amount === 0n) return;
  await takeSharesBack(tx, order, actor_id);
  const { paid_from } = order;
  const payer = paid_from === 'site' ? ({ kind: 'admin_adjust' } as const) : ({ kind: 'user_available', owner_id: order.user_id } as const);
  await post(tx, {
    kind: 'order_refund',
    ref: { type: 'order', id: String(order.id) },
    actor_id,
    note: order.order_no,
    entries: [
      { account: { kind: 'revenue' }, amount: -amount },
      { account: payer, amount },
    ],
  });
  if (paid_from === 'gift' || paid_from === 'payment')
    await bringIn(tx, order, paid_from, -amount, { actor_id, reason: order.reason, ref: 'order_refund' });
}
