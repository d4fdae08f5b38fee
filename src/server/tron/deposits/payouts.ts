import { eq } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { matchPayout } from '../../withdrawals/withdrawals.public.ts';
import type { PayConfigRow } from '../tron.means.ts';
import { usdt_payout } from '../tron.table.ts';
import type { Transfer } from './transfers.ts';

type Config = Pick<PayConfigRow, 'contract' | 'payout_addresses'>;

/** Whether it left a wallet from which administrators said that they pay withdrawals. */
export const isPayout = ({ sender, receiver }: Transfer, { payout_addresses }: Pick<Config, 'payout_addresses'>): boolean =>
  sender !== receiver && payout_addresses.includes(sender);

/**
 * Writes down what left declared wallets, in the transaction that says that its block was read. What is written for the first time settles the
 * one withdrawal that it fits exactly; where several fit, administrators are offered it.
 */
export async function recordPayouts(tx: Database, transfers: readonly Transfer[], config: Config): Promise<void> {
  const rows = transfers.filter((transfer) => isPayout(transfer, config)).map((transfer) => ({ ...transfer, contract: config.contract }));
  if (rows.length === 0) return;
  const written = await tx.insert(usdt_payout).values(rows).onConflictDoNothing().returning();
  for (const { id, ...payout } of written.toSorted((one, other) => one.id - other.id)) {
    const withdrawal_id = await matchPayout(tx, payout);
    if (withdrawal_id !== undefined) await tx.update(usdt_payout).set({ withdrawal_id }).where(eq(usdt_payout.id, id));
  }
}
