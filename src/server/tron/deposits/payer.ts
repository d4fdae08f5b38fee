import { and, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import { amountOf } from '../../../contract/money/amounts.ts';
import type { Deposit, Recharge } from '../../../contract/money/balance-recharge.ts';
import { confirmations } from '../../../contract/money/pay-config.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { balanceOf } from '../../ledger/ledger.public.ts';
import { readPayConfig } from '../tron.means.ts';
import { usdt_sighting, usdt_transaction } from '../tron.table.ts';
import { walletOf } from '../wallets/wallets.ts';
import { confirmationsOf } from './sightings.ts';

const { id, amount, state, block, transaction_hash, sender, at } = usdt_transaction;
export const depositFields = { id, amount, state, block, transaction_hash, sender, at };
export const shownDeposit = (row: Record<string, unknown>) => ({ ...row, amount: amountOf(row.amount as bigint) }) as Deposit;

/** A user's payments that are solid. */
export const depositsOf = (user_id: number): SQL | undefined =>
  and(eq(usdt_transaction.user_id, user_id), eq(usdt_transaction.type, 'deposit'), inArray(state, ['credited', 'aside']));

/** Where a user pays to, under which terms, what he has, and what is on its way. His address is made at the first look. */
export async function readPayer(db: Database, vault: Vault, user_id: number): Promise<Recharge> {
  const config = await readPayConfig(db);
  const { address } = await walletOf(db, vault, user_id);
  const seen = await db
    .select({
      amount: usdt_sighting.amount,
      sender: usdt_sighting.sender,
      transaction_hash: usdt_sighting.transaction_hash,
      block: usdt_sighting.block,
      at: usdt_sighting.at,
      confirmations: confirmationsOf,
    })
    .from(usdt_sighting)
    .where(and(eq(usdt_sighting.user_id, user_id), eq(usdt_sighting.contract, config.contract)))
    .orderBy(usdt_sighting.at);
  const [aside] = await db
    .select({ sum: sql<string>`coalesce(sum(${amount}), 0)::text` })
    .from(usdt_transaction)
    .where(and(eq(usdt_transaction.user_id, user_id), eq(state, 'aside')));
  return {
    network: config.network,
    address,
    balance: amountOf(await balanceOf(db, { kind: 'user_available', owner_id: user_id })),
    aside: amountOf(BigInt(aside?.sum ?? '0')),
    minimum_deposit: amountOf(config.minimum_deposit),
    qr_code_switch: config.qr_code_switch,
    confirmations,
    confirming: seen.map((one) => ({ ...one, amount: amountOf(one.amount), confirmations: Number(one.confirmations) })),
  };
}

/** A user's payments since a moment that are solid, the newest first. */
export async function solidDepositsSince(db: Database, user_id: number, since: string, maximum: number): Promise<Deposit[]> {
  const rows = await db
    .select(depositFields)
    .from(usdt_transaction)
    .where(and(depositsOf(user_id), gte(at, since)))
    .orderBy(desc(id))
    .limit(maximum);
  return rows.map(shownDeposit);
}
