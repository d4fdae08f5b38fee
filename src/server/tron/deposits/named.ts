import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { type Means, openNodes, readPayConfig } from '../tron.means.ts';
import { usdt_transaction } from '../tron.table.ts';
import { recordTransfers, releaseNamed, walletsAmong } from './credit.ts';
import { sameTransfers, type Transfer, transfersIn } from './transfers.ts';

/** What a transaction that is said to have paid us turns out to be. */
export type NamedDeposit =
  | { state: 'solid'; transfers: readonly Transfer[] }
  /** No block has it. */
  | { state: 'missing' }
  /** It is in a block that is not solid yet: ask again in a minute. */
  | { state: 'confirming' }
  /** It failed, was of another token, or sent nothing to a wallet of ours from outside. */
  | { state: 'wrong' };

/** The transfers to our wallets that are no transfers of our own. */
async function depositsAmong(db: Database, transfers: readonly Transfer[], collecting_address: string): Promise<Transfer[]> {
  const wallets = await walletsAmong(db, transfers);
  return transfers.filter(({ sender, receiver }) => wallets.has(receiver) && !wallets.has(sender) && sender !== collecting_address);
}

/**
 * The payments to us that a transaction made: of the configured contract, successful, solid, and the same at both nodes where there are two.
 * Asks the network: not within a transaction.
 */
export async function readNamedDeposit(means: Means, hash: string): Promise<NamedDeposit> {
  const { config, node, second } = await openNodes(means);
  const solid = await node.info(hash, { solid: true });
  const found = solid ?? (await node.info(hash, { solid: false }));
  if (!found) return { state: 'missing' };
  const transfers = transfersIn([found], config.contract);
  const deposits = await depositsAmong(means.db, transfers, config.collecting_address);
  if (deposits.length === 0) return { state: 'wrong' };
  if (!solid) return { state: 'confirming' };
  if (second) {
    const theirs = await second.info(hash, { solid: true });
    if (!theirs) return { state: 'confirming' };
    if (!sameTransfers(transfers, transfersIn([theirs], config.contract))) return { state: 'wrong' };
  }
  return { state: 'solid', transfers: deposits };
}

/**
 * Puts what a transaction paid to us on a user's balance: what was not read yet is written down, and what is kept aside, for him or because
 * its wallet has no user, is released to him. What is on his balance already stays there.
 * @returns whether it is his: a payment to the address of somebody else is not
 */
export async function takeNamedDeposit(tx: Database, transfers: readonly Transfer[], user_id: number): Promise<boolean> {
  await recordTransfers(tx, transfers, await walletsAmong(tx, transfers), await readPayConfig(tx));
  const isOfTransaction = sql`${usdt_transaction.fingerprint} = ANY(${sql.param(transfers.map(({ fingerprint }) => fingerprint))}::text[])`;
  const rows = await tx
    .select()
    .from(usdt_transaction)
    .where(and(isOfTransaction, eq(usdt_transaction.type, 'deposit')))
    .orderBy(asc(usdt_transaction.id))
    .for('update');
  if (rows.length === 0 || rows.some((row) => row.user_id !== null && row.user_id !== user_id)) return false;
  for (const row of rows) if (row.state !== 'credited') await releaseNamed(tx, row, user_id);
  return true;
}
