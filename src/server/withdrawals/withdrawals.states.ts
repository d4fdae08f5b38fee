import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import type { TransferKind } from '../../contract/money/ledger.ts';
import type { WithdrawalState } from '../../contract/money/withdrawal-list.ts';
import { invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { type Entry, post, withdrawableOf } from '../ledger/ledger.public.ts';
import { settleOpenOrders } from '../orders/orders.public.ts';
import { user_account } from '../users/users.table.ts';
import { type StoredWithdrawal, withdrawal } from './withdrawals.table.ts';

/** What can happen to a withdrawal, in which states, and what it is then. Nothing else changes one's state. */
export const transitions = {
  cancel: { from: ['waiting'], to: 'cancelled' },
  approve: { from: ['waiting'], to: 'approved' },
  reject: { from: ['waiting', 'approved'], to: 'rejected' },
  /** An administrator names the transaction that paid it. */
  name_hash: { from: ['approved'], to: 'confirming' },
  /** That transaction does not pay it. */
  refute: { from: ['confirming'], to: 'approved' },
  /** The server's signer takes it. */
  begin_payout: { from: ['approved'], to: 'paying' },
  /** The server cannot pay it: an administrator does. */
  give_up_payout: { from: ['paying'], to: 'approved' },
  /** A wallet that administrators pay from has sent exactly what arrives. */
  match: { from: ['approved'], to: 'paid' },
  settle: { from: ['confirming', 'paying'], to: 'paid' },
} as const satisfies Record<string, { from: readonly WithdrawalState[]; to: WithdrawalState }>;
export type WithdrawalEvent = keyof typeof transitions;

type Values = Partial<Omit<typeof withdrawal.$inferInsert, 'state'>>;

/** Changes the state where it is one that the event is for: of two that come at once one finds it changed, and gets undefined. */
export async function transition(
  tx: Database,
  id: number,
  event: WithdrawalEvent,
  values: Values = {},
  condition?: SQL,
): Promise<StoredWithdrawal | undefined> {
  const { from, to } = transitions[event];
  const [changed] = await tx
    .update(withdrawal)
    .set({ ...values, state: to, updated_at: sql`now()` })
    .where(and(eq(withdrawal.id, id), inArray(withdrawal.state, [...from]), condition))
    .returning();
  return changed;
}

type Move = { kind: TransferKind; actor_id?: number | null; entries: readonly Entry[] };
export const move = (tx: Database, { id, address }: StoredWithdrawal, { kind, actor_id = null, entries }: Move) =>
  post(tx, { kind, ref: { type: 'withdrawal', id: String(id) }, actor_id, note: address, entries });

const available = (owner_id: number) => ({ kind: 'user_available', owner_id }) as const;
const held = (owner_id: number) => ({ kind: 'user_hold', owner_id }) as const;
const clearing = { kind: 'payout_clearing' } as const;

export const arrivingOf = ({ amount, fee }: Pick<StoredWithdrawal, 'amount' | 'fee'>): bigint => millionthsOf(amount) - millionthsOf(fee);

/** Fails beyond what the user has earned. He is locked: of two requests at once the second sees what the first has reserved. */
export async function reserve(tx: Database, row: StoredWithdrawal): Promise<void> {
  await lockUser(tx, row.user_id);
  if (millionthsOf(row.amount) > (await withdrawableOf(tx, row.user_id))) throw invalidField('amount', 'exceeds_withdrawable');
  await move(tx, row, {
    kind: 'withdrawal_hold',
    actor_id: row.user_id,
    entries: [
      { account: available(row.user_id), amount: -millionthsOf(row.amount) },
      { account: held(row.user_id), amount: millionthsOf(row.amount) },
    ],
  });
}

export const clear = (tx: Database, row: StoredWithdrawal, actor_id: number) =>
  move(tx, row, {
    kind: 'withdrawal_approve',
    actor_id,
    entries: [
      { account: held(row.user_id), amount: -millionthsOf(row.amount) },
      { account: clearing, amount: millionthsOf(row.amount) },
    ],
  });

/** An order of the user's that waits for money is paid from what returns. */
export async function giveBack(tx: Database, row: StoredWithdrawal, from: 'hold' | 'clearing', actor_id: number, now: Date): Promise<void> {
  await move(tx, row, {
    kind: 'withdrawal_return',
    actor_id,
    entries: [
      { account: from === 'hold' ? held(row.user_id) : clearing, amount: -millionthsOf(row.amount) },
      { account: available(row.user_id), amount: millionthsOf(row.amount) },
    ],
  });
  await settleOpenOrders(tx, row.user_id, now);
}

/**
 * Books what was paid: the address got what arrives, the fee stays with the site. The TRX that it cost the site is booked beside it.
 * @param sun 0 where somebody paid from a wallet that is none of the site's
 */
export async function book(tx: Database, row: StoredWithdrawal, sun: bigint): Promise<void> {
  const [amount, fee] = [millionthsOf(row.amount), millionthsOf(row.fee)];
  await move(tx, row, {
    kind: 'payout',
    entries: [
      { account: clearing, amount: -amount },
      { account: { kind: 'chain_hot' }, amount: amount - fee },
      { account: { kind: 'network_fee' }, amount: fee },
    ],
  });
  if (sun === 0n) return;
  await move(tx, row, {
    kind: 'network_fee',
    entries: [
      { account: { kind: 'network_fee', asset: 'TRX' }, amount: -sun },
      { account: { kind: 'chain_hot', asset: 'TRX' }, amount: sun },
    ],
  });
}

/** Locks the user before his withdrawal and his accounts, as orders do: what returns to him may pay one. */
export const lockUser = (tx: Database, user_id: number) =>
  tx.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, user_id)).for('no key update');

/** What a withdrawal comes to, as messages and events tell it. */
export const toldOf = (row: StoredWithdrawal) => ({
  id: row.id,
  amount: row.amount,
  fee: row.fee,
  arrives: amountOf(arrivingOf(row)),
  address: row.address,
  reason: row.reason,
  transaction_hash: row.transaction_hash,
});
