import { and, asc, eq } from 'drizzle-orm';
import type { PayoutProblem } from '../../contract/money/withdrawal-list.ts';
import type { Database } from '../kit/postgres/database.ts';
import { arrivingOf, book, transition } from './withdrawals.states.ts';
import { withdrawal } from './withdrawals.table.ts';
import { refreshPages, tellUser } from './withdrawals.telling.ts';

export { matchPayout } from './withdrawals.matching.ts';

/** What the server pays, and to whom; in millionths. */
export type Payout = { withdrawal_id: number; address: string; amount: bigint };

/** Withdrawals that were approved for the server to pay and that it has not begun, the longest waiting first. */
export async function waitingPayouts(db: Database, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: withdrawal.id })
    .from(withdrawal)
    .where(and(eq(withdrawal.state, 'approved'), eq(withdrawal.payout, 'server')))
    .orderBy(asc(withdrawal.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Takes a withdrawal for the server, in the transaction that plans its payment: from then on no administrator can pay or reject it.
 * Undefined: somebody else has done so, or it is not the server's.
 */
export async function beginPayout(tx: Database, withdrawal_id: number): Promise<Payout | undefined> {
  const [own] = await tx.select({ payout: withdrawal.payout }).from(withdrawal).where(eq(withdrawal.id, withdrawal_id)).for('update');
  if (own?.payout !== 'server') return undefined;
  const row = await transition(tx, withdrawal_id, 'begin_payout', { problem: null });
  if (!row) return undefined;
  await refreshPages(tx, row);
  return { withdrawal_id, address: row.address, amount: arrivingOf(row) };
}

/** Leaves it to an administrator, who is told why, once it is certain that no transaction of the server's pays it any more. */
export async function giveUpPayout(tx: Database, withdrawal_id: number, problem: PayoutProblem | null): Promise<boolean> {
  const row = await transition(tx, withdrawal_id, 'give_up_payout', { payout: 'hash', problem });
  if (row) await refreshPages(tx, row);
  return row !== undefined;
}

type Settled = {
  transaction_id: string;
  /** Sun that it cost a wallet of the site. */
  network_fee: bigint;
};

/**
 * Books the payment of a withdrawal that is solid on the chain, once: the money leaves the site, and its user is told. The caller has seen
 * that the transaction sent exactly what arrives to its address.
 * @returns whether it was booked now
 */
export async function settleWithdrawal(
  tx: Database,
  withdrawal_id: number,
  { transaction_id, network_fee }: Settled,
  now = new Date(),
): Promise<boolean> {
  const row = await transition(tx, withdrawal_id, 'settle', {
    transaction_hash: transaction_id,
    network_fee,
    problem: null,
    paid_at: now.toISOString(),
  });
  if (!row) return false;
  await book(tx, row, network_fee);
  await tellUser(tx, row, 'paid');
  return true;
}
