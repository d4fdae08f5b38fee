import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import { arrivingOf, book, transition } from './withdrawals.states.ts';
import { withdrawal } from './withdrawals.table.ts';
import { tellUser } from './withdrawals.telling.ts';

/** What left a wallet from which administrators pay withdrawals; `amount` in millionths. */
type Payout = { transaction_hash: string; receiver: string; amount: bigint; at: string };

/**
 * Settles the withdrawal that waits for exactly this payment, and answers its id. Undefined where none does, or more than one: nobody can tell
 * which was meant, and their administrators are offered it.
 */
export async function matchPayout(tx: Database, { transaction_hash, receiver, amount, at }: Payout): Promise<number | undefined> {
  const isWaiting = and(
    eq(withdrawal.address, receiver),
    eq(withdrawal.state, 'approved'),
    eq(withdrawal.payout, 'hash'),
    lt(withdrawal.created_at, at),
  );
  const waiting = await tx.select().from(withdrawal).where(isWaiting).orderBy(asc(withdrawal.id)).for('update');
  // After they were waited for: an administrator may have named it for one of them meanwhile.
  const isNamed = and(eq(withdrawal.transaction_hash, transaction_hash), eq(withdrawal.address, receiver));
  if ((await tx.$count(withdrawal, isNamed)) > 0) return undefined;
  const [fitting, ...others] = waiting.filter((row) => arrivingOf(row) === amount);
  if (!fitting || others.length > 0) return undefined;
  const paid = await transition(tx, fitting.id, 'match', { transaction_hash, problem: null, paid_at: at });
  if (!paid) return undefined;
  await book(tx, paid, 0n);
  await tellUser(tx, paid, 'paid');
  return paid.id;
}

/** Hashes of payments that fit an approved withdrawal and that pay no other, the oldest first. */
export const offeredHashes: SQL<string[]> = sql<string[]>`ARRAY(
  SELECT usdt_payout.transaction_hash FROM usdt_payout
  WHERE ${withdrawal.state} = 'approved' AND ${withdrawal.payout} = 'hash' AND usdt_payout.receiver = ${withdrawal.address}
    AND usdt_payout.amount = ${withdrawal.amount} - ${withdrawal.fee} AND usdt_payout.at > ${withdrawal.created_at}
    AND NOT EXISTS (SELECT FROM withdrawal AS other
      WHERE other.transaction_hash = usdt_payout.transaction_hash AND other.address = usdt_payout.receiver)
  ORDER BY usdt_payout.id LIMIT 5)`;
